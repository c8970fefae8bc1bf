#pragma once
// Whether an answer is one, and why not.
#include <ostream>
#include <span>

#include "analysis/cli/exit_codes.hpp"
#include "analysis/summary.hpp"
#include "sim/plan.hpp"

namespace fleetcast::cli {

/// `answered` if any trial of any strategy finished. Else `limit` if limits.stop_at or the event limit ended all of
/// them and at least one strategy could have gone on, else `infeasible`.
ExitCode verdict(const analysis::RunSummary& summary, std::span<const sim::Plan> plans);

/// For each strategy: why nothing finished and what would help.
void explain_unfinished(const analysis::RunSummary& summary, std::span<const sim::Plan> plans, std::ostream& messages);

/// Before anything is simulated: `infeasible` if no strategy can be expected to make progress.
ExitCode verdict_of_plans(std::span<const sim::Plan> plans);
void explain_hopeless(std::span<const sim::Plan> plans, std::ostream& messages);

}  // namespace fleetcast::cli
