// Run times against closed forms. n = 10^5 trials a case in the span grain, alpha = 1e-5 a case; each states the
// smallest relative error of the mean that it catches with power 0.99, and shows that it does (samples.hpp).
#include <cmath>
#include <initializer_list>

#include "models/random/deterministic_math.hpp"
#include "sim/young_daly.hpp"
#include "tests/statistical/samples.hpp"

namespace fleetcast::tests {
namespace {

constexpr std::uint32_t n = 100'000;
constexpr double mean_between_stops_s = 1000.0;
constexpr double rate = 1.0 / mean_between_stops_s;

/// Stops of the gang by failures that need no node: they strike only while it steps or saves.
sim::Plan software_plan(std::uint64_t steps) {
  sim::Plan plan = bare_plan(1, steps);
  add_cause(plan, "software").gang_rate = rate;
  return plan;
}

/// Stops by failing nodes, at `rate` for all together: they strike in start-up too.
sim::Plan hardware_plan(int nodes, std::uint64_t steps) {
  sim::Plan plan = bare_plan(nodes, steps);
  add_cause(plan, "hardware").node_rate = rate / nodes;
  return plan;
}

}  // namespace

TEST_CASE("Young/Daly, no failures during the restart: n (e^(rate (tau + delta)) - 1) (1 / rate + R)") {
  constexpr double save_s = 10.0, restart_s = 90.0;
  for (const std::uint64_t interval : {20, 140, 500, 1000}) {
    CAPTURE(interval);
    sim::Plan plan = software_plan(interval * 10);
    add_saves(plan, interval, save_s);
    plan.restart.detect = {models::Constant{60.0}, 0.0};
    plan.restart.decide = {models::Constant{10.0}, 0.0};
    plan.restart.fill = {models::Constant{20.0}, 0.0};
    const double stretch = static_cast<double>(interval) + save_s;
    const double expected = 20.0 + 10.0 * std::expm1(rate * stretch) * (1.0 / rate + restart_s);
    CHECK(expected == doctest::Approx(20.0 + sim::expected_run_s(10.0, stretch, rate, restart_s)));
    check_mean(times_of(plan, n), expected, 0.015);
  }
}

TEST_CASE("Young/Daly, failures during the restart included: the restart is (e^(rate R) - 1) / rate") {
  constexpr double save_s = 10.0, start_up_s = 300.0;
  const double restart = std::expm1(rate * start_up_s) / rate;
  for (const std::uint64_t interval : {20, 140, 500}) {
    CAPTURE(interval);
    sim::Plan plan = hardware_plan(4, interval * 10);
    add_saves(plan, interval, save_s);
    plan.restart.fill = {models::Constant{start_up_s}, 0.0};
    const double stretch = static_cast<double>(interval) + save_s;
    const double expected = restart + 10.0 * std::expm1(rate * stretch) * (1.0 / rate + restart);
    const auto times = times_of(plan, n);
    check_mean(times, expected, 0.015);
    // The form without failures during the restart is refused.
    const double without = start_up_s + 10.0 * std::expm1(rate * stretch) * (1.0 / rate + start_up_s);
    CHECK(std::abs(z_of_mean(times, without)) > z_limit);
  }
}

TEST_CASE("Young/Daly with a wait and a detection before a start-up that can fail") {
  // One node: it is not held while it is waited for. E = e^(rate S) (D + W) + (e^(rate S) - 1) / rate.
  constexpr double detect_s = 30.0, wait_s = 200.0, start_up_s = 150.0, save_s = 10.0;
  sim::Plan plan = hardware_plan(1, 1000);
  add_saves(plan, 100, save_s);
  plan.restart.detect = {models::Constant{detect_s}, 0.0};
  plan.restart.fill = {models::Constant{start_up_s}, 0.0};
  plan.pools[0].wait = models::Exponential{wait_s};
  const double restart = std::exp(rate * start_up_s) * (detect_s + wait_s) + std::expm1(rate * start_up_s) / rate;
  CHECK(restart == doctest::Approx(sim::restart_with_losses_s(detect_s + wait_s, start_up_s, rate)));
  const double first = wait_s - std::expm1(-rate * start_up_s) * (1.0 / rate + restart);
  const double expected = first + 10.0 * std::expm1(rate * 110.0) * (1.0 / rate + restart);
  check_mean(times_of(plan, n), expected, 0.015);
}

TEST_CASE("Young/Daly with a restart that takes no time: n (e^(rate (tau + delta)) - 1) / rate") {
  for (const std::uint64_t interval : {10, 100, 1000}) {
    CAPTURE(interval);
    sim::Plan plan = software_plan(interval * 10);
    add_saves(plan, interval, 5.0);
    const double expected = 10.0 * std::expm1(rate * (static_cast<double>(interval) + 5.0)) / rate;
    check_mean(times_of(plan, n), expected, 0.01);
  }
}

TEST_CASE("a restart from zero without checkpoints: (e^(rate T) - 1) / rate") {
  for (const std::uint64_t steps : {100, 500, 1500}) {
    CAPTURE(steps);
    const sim::Plan plan = software_plan(steps);
    check_mean(times_of(plan, n), std::expm1(rate * static_cast<double>(steps)) / rate, 0.02);
  }
}

TEST_CASE("the number of stops of a run is rate x the time it steps: n (e^(rate (tau + delta)) - 1)") {
  sim::Plan plan = software_plan(5000);
  add_saves(plan, 500, 20.0);
  const auto stops = figures_of(plan, n, [](const sim::Outcome& outcome) { return outcome.stops; });
  check_mean(stops, 10.0 * std::expm1(rate * 520.0), 0.012);
}

// ETTR = (1 - N r (u + d / 2)) / (1 + w / d), arXiv 2410.21680 (2024). With x = N r (d + w) the exact ratio for
// exponential stops is d / (d + w) / ((e^x - 1) / x (1 + N r u)); it differs by -N r w / 2 + x^2 / 12 + x N r u / 2 +
// (N r u)^2 and smaller. With N r d = 0.02, N r u = 0.01 and w / d = 0.005 that is 1.9e-4: the formula's own error
// in this region, which is allowed on top of the Monte Carlo error (n = 5 x 10^4; a ratio off by 1.4 x 10^-4 is caught
// with power 0.99).
TEST_CASE("the effective share of time follows the published approximation where stops are rare") {
  constexpr double d = 1000.0, w = 5.0, u = 500.0, gang_rate = 2e-5, second_order = 1.9e-4;
  sim::Plan plan = bare_plan(8, 1'000'000);
  add_cause(plan, "hardware").node_rate = gang_rate / 8;
  add_saves(plan, 1000, w);
  plan.restart.detect = {models::Constant{200.0}, 0.0};
  plan.restart.fill = {models::Constant{300.0}, 0.0};
  const auto times = times_of(plan, n / 2);
  const Moments moments = moments_of(times);
  const double total = moments.mean - 300.0;
  const double ettr = 1'000'000.0 / total;
  const double standard_error = ettr * moments.standard_error() / total;
  const double published = (1.0 - gang_rate * (u + 0.5 * d)) / (1.0 + w / d);
  CAPTURE(ettr);
  CAPTURE(published);
  CHECK(z_limit * standard_error < 1e-4);
  CHECK(std::abs(ettr - published) < second_order + z_limit * standard_error);
  const double x = gang_rate * (d + w);
  const double exact = d / (d + w) * x / std::expm1(x) / (1.0 + gang_rate * u);
  CHECK(std::abs(exact - published) < second_order);
  // Losses in start-up lengthen the restart by rate x u^2 at most, 1e-4 x 0.3 of the time.
  CHECK(std::abs(ettr - exact) < 0.6e-4 + z_limit * standard_error);
  // Negative control: the formula with whole instead of half an interval lost.
  const double wrong = (1.0 - gang_rate * (u + d)) / (1.0 + w / d);
  CHECK(std::abs(ettr - wrong) > second_order + z_limit * standard_error);
}

// Node grain: n = 10^4, catches 5 %.
TEST_CASE("Young/Daly holds in the node grain too") {
  sim::Plan plan = hardware_plan(4, 200);
  plan.causes[0].node_rate = 1.0 / 50.0 / 4;
  add_saves(plan, 20, 2.0);
  plan.restart.fill = {models::Constant{10.0}, 0.0};
  plan.grain = scenarios::Grain::node;
  const double fast = 1.0 / 50.0, restart = std::expm1(fast * 10.0) / fast;
  check_mean(times_of(plan, 10'000), restart + 10.0 * std::expm1(fast * 22.0) * (1.0 / fast + restart), 0.05);
}

TEST_CASE("the time of undisturbed jittered steps is their number times the mean of the slowest") {
  // Span and node grain, n = 10^5 and 500. sd of a step 1.7 % of it, 200 steps: 0.003 % and 0.04 % are caught.
  sim::Plan plan = bare_plan(16, 200);
  plan.step.jitter = 0.03;
  plan.step.slowest = sim::SlowestNode{16, 0.03};
  const double expected = 200.0 * plan.step.slowest.mean();
  check_mean(times_of(plan, n), expected, 0.00004);
  plan.grain = scenarios::Grain::node;
  check_mean(times_of(plan, 500), expected, 0.0006);
}

// E max(X, c) for a log-normal X of median 1: c Phi(a) + e^(s^2 / 2) Phi(s - a), a = log(c) / s.
TEST_CASE("a loader near saturation: a step takes max(step, interval) in the mean, in both grains") {
  constexpr double sigma = 0.1;
  for (const double interval : {0.95, 1.0, 1.1}) {
    CAPTURE(interval);
    sim::Plan plan = bare_plan(1, 400);
    plan.step.jitter = sigma;
    plan.step.slowest = sim::SlowestNode{1, sigma};
    plan.step.batch_interval_s = interval;
    const double a = std::log(interval) / sigma;
    const double expected =
        400.0 * (interval * models::det::normal_cdf(a) + std::exp(0.005) * models::det::normal_cdf(sigma - a));
    check_mean(times_of(plan, 20'000), expected, 0.0003);
    plan.grain = scenarios::Grain::node;
    check_mean(times_of(plan, 1'000), expected, 0.0015);
  }
}

}  // namespace fleetcast::tests
