#pragma once
// The step law of one trial: the plan's, times this trial's calibration error.
#include <cstdint>

#include "sim/draws.hpp"
#include "sim/plan.hpp"

namespace fleetcast::sim {

/// Figures of one gang step in seconds. mean = compute + straggler + exchange + bubble + stall.
struct StepMoments {
  double mean = 0.0, sd = 0.0;
  double compute = 0.0, straggler = 0.0, exchange = 0.0, bubble = 0.0, stall = 0.0;
};

/// `factor` multiplies computing, exchange and bubble. Not to be asked for a step that is `irregular`.
StepMoments step_moments(const StepPlan& plan, double factor);

/// True where the mean and variance of a step are not known in closed form or by quadrature (a random measured
/// step or exchange that also waits for a loader): such steps are drawn one by one.
bool is_irregular(const StepPlan& plan);

class TrialStep {
 public:
  TrialStep(const StepPlan& plan, const Draws& draws, bool sample_calibration);

  [[nodiscard]] const StepPlan& plan() const { return plan_; }
  [[nodiscard]] double factor() const { return factor_; }
  [[nodiscard]] const StepMoments& moments() const { return moments_; }
  /// Seconds of one step of the gang, drawn directly.
  double draw(const Draws& draws, std::uint32_t number) const;
  /// The random factor that all nodes of a step share, and its exchange.
  double shared_draw(const Draws& draws, std::uint32_t number) const;
  double exchange_draw(const Draws& draws, std::uint32_t number) const;
  /// Seconds that the slowest node of one step computes, drawn directly.
  double slowest_draw(const Draws& draws, std::uint32_t number) const;

 private:
  const StepPlan& plan_;
  double factor_ = 1.0;
  StepMoments moments_;
};

}  // namespace fleetcast::sim
