#pragma once
// What `check` says, apart from how it is printed.
#include <span>
#include <string>
#include <vector>

#include "analysis/table.hpp"
#include "models/grade.hpp"
#include "scenarios/scenario.hpp"
#include "sim/plan.hpp"

namespace fleetcast::analysis {

/// One column per strategy: fleet, step by part, sizes, saves, restart, rates, expectation. "=": as
/// in the first column.
Table plan_table(std::span<const sim::Plan> plans, const Style& style);

/// A sentence and the strategies it is about; strategies are empty if it is about all.
struct Remark {
  std::vector<std::string> strategies;
  std::string text;
};

/// How each figure comes about: basis of the step, nearest measurement, interval, expectation, hopelessness.
std::vector<Remark> remarks(std::span<const sim::Plan> plans);

/// Every default of a strategy: those of its plan, then those of its scenario that the plan does not repeat.
std::vector<models::Assumption> assumptions_of(const scenarios::ScenarioFile& file, const sim::Plan& plan);

/// The same over all strategies, each once with the strategies it holds for.
struct SharedAssumption {
  std::vector<std::string> strategies;  ///< empty: all
  models::Assumption assumption;
};
std::vector<SharedAssumption> shared_assumptions(const scenarios::ScenarioFile& file, std::span<const sim::Plan> plans);

/// Warnings of scenario and plans, each once, with the names in front unless it is about all.
std::vector<std::string> check_warnings(const scenarios::ScenarioFile& file, std::span<const sim::Plan> plans);

}  // namespace fleetcast::analysis
