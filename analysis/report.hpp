#pragma once
// The answer as a person reads it on a terminal.
#include <ostream>
#include <span>

#include "analysis/style.hpp"
#include "analysis/summary.hpp"
#include "sim/plan.hpp"

namespace fleetcast::analysis {

/// Warnings first, then the table, where the GPU-hours went, and the paired differences.
void print_run(std::ostream& out, const RunSummary& summary, std::span<const sim::Plan> plans, const Style& style);

/// What `check` prints: every default with its grade, the step, sizes, rates, the expectation.
void print_check(std::ostream& out, const scenarios::ScenarioFile& file, std::span<const sim::Plan> plans,
                 const Style& style);
std::string check_json(const scenarios::ScenarioFile& file, std::span<const sim::Plan> plans);

}  // namespace fleetcast::analysis
