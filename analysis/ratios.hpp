#pragma once
// Figures that are one quantity over another: always a sum over a sum, never a mean of ratios, so that a long
// trial counts for what it is.
#include <vector>

#include "analysis/summary.hpp"

namespace fleetcast::analysis {

/// goodput, goodput_held, mfu, mfu_run, tokens_per_s_per_gpu, step_time_s, usd_per_token, with the reason in
/// `summary.why` for each that does not exist. Unfinished trials count with what they did.
///
/// mfu and tokens_per_s_per_gpu are of one undisturbed step as the plan expects it; mfu leaves data stall out,
/// as goodput does, so that mfu_run is about mfu x goodput_held.
void fill_ratios(StrategySummary& summary, const sim::PlanFacts& facts, const std::vector<sim::Outcome>& trials);

}  // namespace fleetcast::analysis
