// The grains tell the same story: node and step grain are equivalent to the span grain, in pairs. All grains of a trial
// share its disruptions, so the pairs differ only by the jitter of steps and by what a moment's difference decides (a
// save just done or not).
//
// Equivalent means, with confidence: the means differ by less than 0.2 %; p5, p50 and p95 by less than 0.5 %.
// Means: |mean difference| + 3.09 standard errors < margin, so a true difference of the margin passes with
// probability 10^-3. Quantiles: with x the span grain's quantile, the share of the finer grain's trials up to
// (1 + margin) x is larger than p, and that up to (1 - margin) x smaller; each by a paired test of indicators at 10^-2.
// n per case as stated; seed fixed. Negative control: with steps 0.5 % longer the means surely differ by more than the
// margin (n / 2 pairs, the same confidence).
#include <algorithm>
#include <array>
#include <cmath>

#include "tests/statistical/samples.hpp"
#include "tests/support/yardstick.hpp"

namespace fleetcast::tests {
namespace {

using scenarios::Grain;
using sim::Outcome;
using sim::Plan;

constexpr double mean_margin = 0.002, quantile_margin = 0.005;
constexpr double z_mean = 3.09, z_quantile = 2.33;

struct Pairs {
  std::vector<double> fine, span;
};

std::vector<double> times_of(Plan plan, Grain grain, std::uint32_t n) {
  plan.grain = grain;
  return figures_of(plan, n, [](const Outcome& outcome) { return outcome.time_s; });
}

struct Bounds {
  double least, most;
};

/// Least and largest relative difference of the means that the sample leaves possible.
Bounds mean_bounds(const Pairs& pairs) {
  std::vector<double> differences(pairs.fine.size());
  std::transform(pairs.fine.begin(), pairs.fine.end(), pairs.span.begin(), differences.begin(), std::minus<>{});
  const Moments difference = moments_of(differences);
  const double mean = moments_of(pairs.span).mean, doubt = z_mean * difference.standard_error();
  return {(std::abs(difference.mean) - doubt) / mean, (std::abs(difference.mean) + doubt) / mean};
}

double quantile_of(std::vector<double> samples, double p) {
  const auto at = samples.begin() + static_cast<std::ptrdiff_t>(p * static_cast<double>(samples.size()));
  std::nth_element(samples.begin(), at, samples.end());
  return *at;
}

/// z of "more trials of the finer grain end by `fine_x` than of the span grain by `span_x`".
double z_of_more(const Pairs& pairs, double fine_x, double span_x) {
  std::vector<double> differences;
  for (std::size_t i = 0; i < pairs.fine.size(); ++i) {
    differences.push_back((pairs.fine[i] <= fine_x ? 1.0 : 0.0) - (pairs.span[i] <= span_x ? 1.0 : 0.0));
  }
  return z_of_mean(differences, 0.0);
}

/// Smaller of the two z that show the quantile to be inside the margin.
double quantile_evidence(const Pairs& pairs, double p) {
  const double x = quantile_of(pairs.span, p);
  return std::min(z_of_more(pairs, (1.0 + quantile_margin) * x, x), -z_of_more(pairs, (1.0 - quantile_margin) * x, x));
}

/// The same trials with steps 0.5 % longer.
Plan slowed(Plan plan) {
  plan.step.node_compute_s *= 1.005;
  plan.step.exchange_s *= 1.005;
  if (plan.step.exchange) plan.step.exchange = models::scaled(*plan.step.exchange, 1.005);
  plan.step.batch_interval_s *= 1.005;
  return plan;
}

void check_equivalent(const Plan& plan, std::uint32_t n) {
  const std::vector<double> span = times_of(plan, Grain::span, n);
  const std::vector<double> some_span{span.begin(), span.begin() + n / 2};
  for (const Grain grain : {Grain::node, Grain::step}) {
    CAPTURE(grain == Grain::node ? "node grain" : "step grain");
    const Pairs pairs{times_of(plan, grain, n), span};
    CAPTURE(moments_of(pairs.fine).mean);
    CAPTURE(moments_of(pairs.span).mean);
    CHECK(mean_bounds(pairs).most < mean_margin);
    for (const double p : {0.05, 0.5, 0.95}) {
      CAPTURE(p);
      CHECK(quantile_evidence(pairs, p) > z_quantile);
    }
    CHECK(mean_bounds({times_of(slowed(plan), grain, n / 2), some_span}).least > mean_margin);  // negative control
  }
}

/// A few nodes, 400 steps of about 1 s, a save every 10, some five stops, short restarts.
Plan small_plan(int nodes, double jitter) {
  Plan plan = bare_plan(nodes, 400);
  plan.step.node_compute_s = 0.9;
  plan.step.jitter = jitter;
  plan.step.slowest = sim::SlowestNode{nodes, jitter};
  plan.step.exchange_s = 0.1;
  add_saves(plan, 10, 0.5);
  plan.save.on_notice = false;
  plan.pools[0].lifetime = models::Exponential{100.0 * nodes};
  plan.pools[0].wait = models::Uniform{2.0, 3.0};
  plan.restart.fill = {models::Constant{1.0}, 0.0};
  return plan;
}

}  // namespace

TEST_CASE("the yardstick with 16 nodes, shortened: 300 steps, three stops (n = 2,500)") {
  Plan plan = yardstick_plan(16, Grain::span);
  plan.steps = 300;
  plan.save.interval_steps = 10;
  plan.save.blocked = models::Constant{0.5};
  plan.pools[0].lifetime = models::Exponential{100.0 * 16};
  plan.pools[0].wait = models::Exponential{2.0};
  check_equivalent(plan, 2'500);
}

TEST_CASE("strong jitter with synchronous saves (n = 4,000)") {
  check_equivalent(small_plan(4, 0.1), 4'000);
}

TEST_CASE("asynchronous saves in flight (n = 8,000)") {
  Plan plan = small_plan(4, 0.05);
  plan.save.mode = scenarios::Checkpoint::Mode::async;
  plan.save.blocked = models::Constant{0.2};
  plan.save.persist = models::Uniform{3.0, 7.0};
  plan.save.shortest_interval_s = 9.0;
  check_equivalent(plan, 8'000);
}

TEST_CASE("asynchronous saves that take longer than the interval (n = 4,000)") {
  Plan plan = small_plan(4, 0.05);
  plan.save.mode = scenarios::Checkpoint::Mode::async;
  plan.save.blocked = models::Constant{0.2};
  plan.save.persist = models::Exponential{8.0};
  plan.save.shortest_interval_s = 9.0;
  check_equivalent(plan, 4'000);
}

TEST_CASE("notices with saves, some too short (n = 4,000)") {
  Plan plan = small_plan(4, 0.05);
  plan.save.on_notice = true;
  plan.pools[0].notice = models::Mixture{{{0.3, models::None{}}, {0.7, models::Uniform{0.5, 8.0}}}};
  check_equivalent(plan, 4'000);
}

TEST_CASE("software failures (n = 4,000)") {
  Plan plan = small_plan(4, 0.05);
  plan.pools[0].lifetime = models::Never{};
  add_cause(plan, "software").gang_rate = 1.0 / 100.0;
  plan.causes[0].repair = models::Uniform{1.0, 3.0};
  check_equivalent(plan, 4'000);
}

TEST_CASE("bulk reclaims and notices of bulks (n = 4,000)") {
  Plan plan = small_plan(6, 0.05);
  plan.pools[0].bulk_share = 0.5;
  plan.pools[0].lifetime = models::Weibull{900.0, 0.8};
  plan.pools[0].notice = models::Constant{4.0};
  plan.save.on_notice = true;
  check_equivalent(plan, 4'000);
}

TEST_CASE("a loader near saturation (n = 4,000)") {
  Plan plan = small_plan(4, 0.1);
  plan.step.batch_interval_s = 1.1;
  check_equivalent(plan, 4'000);
}

TEST_CASE("random measured steps and exchanges (n = 8,000)") {
  Plan plan = small_plan(4, 0.03);
  plan.step.node_draw = models::LogNormal{0.98, 0.2};
  plan.step.exchange = models::Exponential{0.1};
  check_equivalent(plan, 8'000);
}

TEST_CASE("random measured steps that wait for a loader (n = 8,000)") {
  Plan plan = small_plan(4, 0.03);
  plan.step.node_draw = models::Uniform{0.8, 1.2};
  plan.step.batch_interval_s = 1.0;
  check_equivalent(plan, 8'000);
}

TEST_CASE("planned stops, failing nodes, random saves (n = 4,000)") {
  Plan plan = small_plan(4, 0.05);
  plan.save.blocked = models::LogNormal{0.4, 0.8};
  plan.pools[0].lifetime = models::Never{};
  add_cause(plan, "hardware").node_rate = 1.0 / 150.0 / 4;
  plan.causes[0].repair = models::Uniform{2.0, 5.0};
  add_cause(plan, "upgrade").gang_rate = 1.0 / 300.0;
  plan.causes[1].kind = scenarios::FailureKind::planned;
  plan.causes[1].repair = models::Constant{3.0};
  check_equivalent(plan, 4'000);
}

TEST_CASE("hangs, silent errors, a coordinator, bad nodes, saves that cannot be read (n = 16,000)") {
  using scenarios::FailureKind;
  Plan plan = small_plan(4, 0.05);
  plan.pools[0].lifetime = models::Never{};
  plan.save.keep = 4;
  sim::CausePlan& hang = add_cause(plan, "hang");
  hang.node_rate = 1.0 / 1500.0 / 4;
  hang.kind = FailureKind::hang;
  hang.detect = models::Constant{8.0};
  sim::CausePlan& silent = add_cause(plan, "silent");
  silent.node_rate = 1.0 / 2000.0 / 4;
  silent.kind = FailureKind::silent;
  silent.detect = models::Uniform{5.0, 20.0};
  sim::CausePlan& coordinator = add_cause(plan, "coordinator");
  coordinator.node_rate = 1.0 / 1500.0;
  coordinator.kind = FailureKind::coordinator;
  coordinator.repair = models::Uniform{2.0, 5.0};
  plan.bad_nodes = {0.2, 4.0};
  plan.restart.resume_failure = 0.05;
  check_equivalent(plan, 16'000);
}

// Shares of held time; n = 3,000. The mean shares differ by less than 0.001 of held time, with confidence (3.09
// standard errors of the paired difference).
TEST_CASE("the accounts agree in the mean, one by one") {
  Plan plan = small_plan(4, 0.1);
  plan.step.batch_interval_s = 1.1;
  plan.step.bubble_s = 0.05;
  for (const Grain grain : {Grain::node, Grain::step}) {
    CAPTURE(grain == Grain::node ? "node grain" : "step grain");
    std::array<std::vector<double>, sim::account_count> differences;
    std::array<double, sim::account_count> fine_sums{}, span_sums{};
    for (std::uint32_t trial = 0; trial < 3'000; ++trial) {
      plan.grain = grain;
      const Outcome fine = sim::run_trial(plan, statistical_seed, trial);
      plan.grain = Grain::span;
      const Outcome span = sim::run_trial(plan, statistical_seed, trial);
      for (std::size_t i = 0; i < sim::account_count; ++i) {
        const double fine_share = fine.account_gpu_s[i] / fine.held_gpu_s,
                     span_share = span.account_gpu_s[i] / span.held_gpu_s;
        differences[i].push_back(fine_share - span_share);
        fine_sums[i] += fine_share;
        span_sums[i] += span_share;
      }
    }
    for (std::size_t i = 0; i < sim::account_count; ++i) {
      CAPTURE(sim::account_names[i]);
      const Moments difference = moments_of(differences[i]);
      CHECK(std::abs(difference.mean) + z_mean * difference.standard_error() < 0.001);
      CHECK((fine_sums[i] > 0.0) == (span_sums[i] > 0.0));
    }
  }
}

}  // namespace fleetcast::tests
