#pragma once
// What is unknown but fixed: drawn once a trial, the same for every strategy that shares it.
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "models/market_path.hpp"
#include "sim/draws.hpp"
#include "sim/plan.hpp"

namespace fleetcast::sim {

/// Factor on every step time: error of the speed model (a common part, and one of the precision and GPU).
double step_factor(const StepPlan& step, const Draws& draws);
/// What the market of a pool differs from the calibrated one in this trial, in normal units.
double climate_of(const Plan& plan, std::size_t pool, const Draws& draws);
/// Which random numbers the market of a pool takes.
models::MarketKey market_key(const Plan& plan, std::size_t pool, const Draws& draws);
/// Hour of the day (UTC) at submission, [0, 24): as the scenario says, or any.
double start_hour(const Plan& plan, const Draws& draws);
/// Factor on the rate of a failure cause.
double cause_factor(const Plan& plan, std::size_t cause, const Draws& draws);

/// The unknowns that move this plan, by name, and their values in one trial as logarithms of factors: step time,
/// climate of the market by pool (in normal units), rate of node failures, rate of software failures. Empty where
/// nothing is sampled.
std::vector<std::string> unknown_names(const Plan& plan);
std::vector<double> unknown_logs(const Plan& plan, const Draws& draws);

/// Where a trial starts in a recording.
struct WindowPlace {
  double share = 0.0;  ///< of its length, [0, 1)
  double length_s = 0.0;
};
/// In the shortest of the recordings that are replayed from random places; nothing if there is none.
std::optional<WindowPlace> window_place(const Plan& plan, const Draws& draws);

}  // namespace fleetcast::sim
