#pragma once
// What a reader must know before the figures.
#include <string>
#include <vector>

#include "analysis/summary.hpp"

namespace fleetcast::analysis {

/// Of the scenario and of its plan, each once.
std::vector<std::string> plan_warnings(const scenarios::ScenarioFile& file, const sim::Plan& plan);

/// Of the statistics: unfinished trials, suppressed intervals, too few trials.
std::vector<std::string> statistical_warnings(const StrategySummary& summary);

/// Every warning once: as it is if all strategies share it, else with the names of those it concerns in front.
std::vector<std::string> merged_warnings(const std::vector<StrategySummary>& strategies);

}  // namespace fleetcast::analysis
