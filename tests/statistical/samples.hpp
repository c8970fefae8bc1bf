#pragma once
// Figures of many trials of a plan, and the check of a mean with its negative control.
#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "sim/trial.hpp"
#include "tests/support/statistics.hpp"

namespace fleetcast::tests {

constexpr std::uint64_t statistical_seed = 20'260'301;

/// figure(outcome) of trials 0 .. n - 1.
template <class Figure>
std::vector<double> figures_of(const sim::Plan& plan, std::uint32_t n, Figure figure) {
  std::vector<double> samples;
  samples.reserve(n);
  for (std::uint32_t trial = 0; trial < n; ++trial) {
    samples.push_back(static_cast<double>(figure(sim::run_trial(plan, statistical_seed, trial))));
  }
  return samples;
}

inline std::vector<double> times_of(const sim::Plan& plan, std::uint32_t n) {
  return figures_of(plan, n, [](const sim::Outcome& outcome) { return outcome.time_s; });
}

/// The mean of the samples is `expected` (alpha = 1e-5), and the sample is so large that an expectation that is off
/// by `smallest_error` (relative), either way, would have been refused: the negative control. The error is as large as
/// the test must catch with power 0.99: 4.42 + 2.33 standard errors or more.
inline void check_mean(const std::vector<double>& samples, double expected, double smallest_error) {
  const Moments moments = moments_of(samples);
  CAPTURE(moments.mean);
  CAPTURE(expected);
  CAPTURE(moments.standard_error());
  CHECK(std::abs(z_of_mean(samples, expected)) < z_limit);
  CHECK(smallest_error * expected > (z_limit + 2.33) * moments.standard_error());
  CHECK(std::abs(z_of_mean(samples, expected * (1.0 + smallest_error))) > z_limit);
  CHECK(std::abs(z_of_mean(samples, expected * (1.0 - smallest_error))) > z_limit);
}

/// One pool of `nodes` of one GPU, steps of 1 s, no saves, no waits, nothing that strikes.
inline sim::Plan bare_plan(int nodes, std::uint64_t steps) {
  sim::Plan plan;
  plan.name = "bare";
  plan.nodes = nodes;
  plan.gpus = nodes;
  sim::PoolPlan pool;
  pool.name = "main";
  pool.nodes = nodes;
  pool.gpus_per_node = 1;
  plan.pools = {pool};
  plan.steps = steps;
  plan.step.slowest = sim::SlowestNode{nodes, 0.0};
  plan.cause_names = {"reclaim"};
  return plan;
}

/// Saves of `save_s` after every `interval` steps and at the end.
inline void add_saves(sim::Plan& plan, std::uint64_t interval, double save_s) {
  plan.save.mode = scenarios::Checkpoint::Mode::sync;
  plan.save.interval_steps = interval;
  plan.save.blocked = models::Constant{save_s};
}

inline sim::CausePlan& add_cause(sim::Plan& plan, const std::string& name) {
  plan.cause_index.push_back(plan.cause_names.size());
  plan.cause_names.push_back(name);
  plan.causes.emplace_back().name = name;
  return plan.causes.back();
}

}  // namespace fleetcast::tests
