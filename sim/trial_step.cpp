#include "sim/trial_step.hpp"

#include <algorithm>
#include <cmath>

#include "sim/unknowns.hpp"

namespace fleetcast::sim {
namespace {

double square(double x) {
  return x * x;
}

struct Moments {
  double mean = 0.0, square = 0.0;
};

Moments moments_of(const std::optional<Distribution>& law, double otherwise) {
  if (!law) return {otherwise, square(otherwise)};
  const double mean = models::mean(*law);
  return {mean, models::variance(*law) + square(mean)};
}

/// Mean and variance of max(step, batch interval), by the quadrature of the slowest node.
void wait_for_loader(const StepPlan& plan, double factor, StepMoments& step) {
  const double rest = step.exchange + step.bubble;
  double mean = 0.0, mean_square = 0.0;
  const auto& points = plan.slowest.points();
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double time = std::max(factor * plan.node_compute_s * points[i] + rest, plan.batch_interval_s);
    mean += plan.slowest.weights()[i] * time;
    mean_square += plan.slowest.weights()[i] * square(time);
  }
  step.stall = std::max(0.0, mean - step.mean);
  step.mean = mean;
  step.sd = std::sqrt(std::max(0.0, mean_square - square(mean)));
}

}  // namespace

bool is_irregular(const StepPlan& plan) {
  return plan.batch_interval_s > 0.0 && ((plan.node_draw && !models::is_constant(*plan.node_draw)) ||
                                         (plan.exchange && !models::is_constant(*plan.exchange)));
}

StepMoments step_moments(const StepPlan& plan, double factor) {
  StepMoments step;
  const Moments shared = moments_of(plan.node_draw, 1.0);
  const Moments exchange = moments_of(plan.exchange, plan.exchange_s);
  const double compute = factor * plan.node_compute_s;
  step.compute = compute * shared.mean * plan.slowest.node_mean();
  step.straggler = compute * shared.mean * (plan.slowest.mean() - plan.slowest.node_mean());
  step.exchange = factor * exchange.mean;
  step.bubble = factor * plan.bubble_s;
  step.mean = step.compute + step.straggler + step.exchange + step.bubble;
  const double variance =
      square(compute) * (shared.square * plan.slowest.mean_square() - square(shared.mean * plan.slowest.mean())) +
      square(factor) * (exchange.square - square(exchange.mean));
  step.sd = std::sqrt(std::max(0.0, variance));
  if (plan.batch_interval_s > 0.0) wait_for_loader(plan, factor, step);
  return step;
}

TrialStep::TrialStep(const StepPlan& plan, const Draws& draws, bool sample_calibration) : plan_{plan} {
  if (sample_calibration) factor_ = step_factor(plan, draws);
  moments_ = step_moments(plan, factor_);
}

double TrialStep::shared_draw(const Draws& draws, std::uint32_t number) const {
  return plan_.node_draw ? draws.value(*plan_.node_draw, Purpose::step_time, 0, number) : 1.0;
}

double TrialStep::exchange_draw(const Draws& draws, std::uint32_t number) const {
  return factor_ * (plan_.exchange ? draws.value(*plan_.exchange, Purpose::exchange, 0, number) : plan_.exchange_s);
}

double TrialStep::slowest_draw(const Draws& draws, std::uint32_t number) const {
  const double all = factor_ * plan_.node_compute_s * shared_draw(draws, number);
  if (plan_.slowest.is_constant()) return all;
  models::Stream bits = draws.stream(Purpose::step_jitter, 0, number);
  return all * plan_.slowest.draw(bits);
}

double TrialStep::draw(const Draws& draws, std::uint32_t number) const {
  const double busy = slowest_draw(draws, number) + exchange_draw(draws, number) + factor_ * plan_.bubble_s;
  return std::max(busy, plan_.batch_interval_s);
}

}  // namespace fleetcast::sim
