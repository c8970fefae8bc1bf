#pragma once
// The tables of `print_run`, one function each.
#include "analysis/summary.hpp"
#include "analysis/table.hpp"

namespace fleetcast::analysis {

/// Finished, cost and time: mean with error, p5, p50, p95.
Table answer_table(const RunSummary& summary, const Style& style);
/// $ per million tokens, goodput, MFU, stops, deadline, budget.
Table efficiency_table(const RunSummary& summary, const Style& style);
/// Shares of the GPU-hours by account, one column per strategy.
Table account_table(const RunSummary& summary, const Style& style);
/// Mean dollars by line of the bill; they sum to the mean cost.
Table bill_table(const RunSummary& summary, const Style& style);
/// Mean unplanned stops by cause, planned stops, losses during restart, saves; one column per strategy. Causes of under
/// 2 % of the stops in every strategy are taken together.
Table stop_table(const RunSummary& summary, const Style& style);
/// Paired differences against one strategy.
Table difference_table(const RunSummary& summary, const Style& style);
/// Intervals of the means with what is unknown but fixed; empty where nothing is.
Table unknowns_table(const RunSummary& summary, const Style& style);

/// Position of the strategy with the smallest mean cost among those with one (by median where no mean is known); -1 if
/// no strategy has either.
int cheapest(const std::vector<StrategySummary>& strategies);

/// The unit in which all times of a summary are shown.
TimeUnit time_unit(const RunSummary& summary);

}  // namespace fleetcast::analysis
