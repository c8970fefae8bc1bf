#pragma once
// What the readers of the sections share while one strategy is read.
#include <string>

#include "scenarios/fields.hpp"
#include "scenarios/library.hpp"
#include "scenarios/scenario.hpp"

namespace fleetcast::scenarios {

/// Each section reader fills its part of the scenario, reports faults at the fields and notes the defaults it used.
struct Context {
  Object top;
  Library& library;
  Scenario& scenario;

  [[nodiscard]] Report& report() const { return top.field().report(); }
  void assume(models::Assumption assumption);
  /// A default of the language itself.
  void assume_default(std::string pointer, std::string value) {
    assume({std::move(pointer), std::move(value), models::Grade::assumed, "default"});
  }
  void warn(std::string text);
};

/// A section that may be absent: then it reads as an object without fields.
class Section {
  Node absent_;

 public:
  Section(const Context& context, const std::string& name, const KnownObject& known);
  Section(const Section&) = delete;
  Section& operator=(const Section&) = delete;

  const bool given;
  const Object object;
};

/// Pools that have nodes: the gang.
std::vector<const Pool*> gang_of(const Scenario& scenario);

void read_workload(Context& context);
void read_fleet(Context& context);
void read_training(Context& context);
/// The fields of training about memory, communication and software.
void read_levers(const Object& training, Context& context);
void read_data(Context& context);
void read_checkpoint(Context& context);
void read_recovery(Context& context);
void read_sourcing(Context& context);
void read_failures(Context& context);
void read_limits(Context& context);

/// Checks across sections; they run only where the sections were read without fault.
void check_batch(Context& context);
void check_layout(Context& context);
void check_plausibility(Context& context);

/// Everything that belongs to the file, not to a strategy.
MonteCarlo read_montecarlo(const Object& top);

/// Reads one strategy from the document as it sees it.
Scenario read_scenario(const Node& document, const std::string& strategy, const models::Catalog& catalog,
                       Report& report);

}  // namespace fleetcast::scenarios
