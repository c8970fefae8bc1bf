#pragma once
// Collects what is wrong with a scenario while it is read, and knows the data files that it names.
#include <cstddef>
#include <string>
#include <vector>

#include "models/errors.hpp"
#include "scenarios/data_files.hpp"
#include "scenarios/document.hpp"
#include "scenarios/values.hpp"

namespace fleetcast::scenarios {

/// The faults of the base scenario and of one strategy after the other, each named once.
class Report {
 public:
  Report(std::string file, DataFiles& files) : file_{std::move(file)}, files_{files} {}

  /// The data files that the scenario names.
  [[nodiscard]] DataFiles& files() { return files_; }

  /// From now on faults belong to this strategy: what stood in its patch is shown there, the rest says its name.
  /// Faults that the base has too are not repeated.
  void begin_strategy(std::string name) { strategy_ = std::move(name); }

  /// `pointer` is that of the value in the scenario as the strategy sees it.
  void fault(const Node& node, const std::string& pointer, const Problem& problem) {
    fault(node.at, node.patched, pointer, problem);
  }
  void fault(Position at, bool patched, const std::string& pointer, const Problem& problem);

  /// How often a fault was reported, repeated ones included: tells whether a part was read without any.
  [[nodiscard]] std::size_t count() const { return count_; }
  /// True once more faults were found than are shown: nobody needs hints any more.
  [[nodiscard]] bool full() const { return cut_; }
  /// Throws InputError with all faults in the order of the file, if there are any.
  void throw_if_any() const;

 private:
  struct Seen {
    Position at;
    std::string pointer, problem;
  };
  [[nodiscard]] bool known(Position at, const std::string& pointer, const std::string& problem) const;

  std::string file_;
  DataFiles& files_;
  std::string strategy_;
  std::vector<Seen> seen_;
  std::vector<models::Fault> faults_;
  std::size_t count_ = 0;
  bool cut_ = false;
};

}  // namespace fleetcast::scenarios
