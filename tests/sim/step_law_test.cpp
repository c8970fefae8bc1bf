// The slowest of N jittered nodes against order statistics of the normal law.
#include "sim/step_law.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "models/errors.hpp"
#include "models/random/deterministic_math.hpp"
#include "sim/trial_step.hpp"
#include "tests/support/statistics.hpp"

namespace fleetcast::tests {
namespace {

using sim::SlowestNode;

/// E[max of N standard normals]: 2 by hand, 5, 10, 20 and 100 by H. L. Harter, "Expected values of normal order
/// statistics", Biometrika 48 (1961), table 1 (five decimals).
const std::vector<std::pair<std::int64_t, double>> expected_maxima{
    {1, 0.0}, {2, 0.5641895835477563}, {5, 1.16296}, {10, 1.53875}, {20, 1.86748}, {100, 2.50759}};

/// E[max Z] out of the quadrature of exp(sigma max Z).
double expected_maximum(const SlowestNode& slowest, double sigma) {
  double sum = 0.0;
  for (std::size_t i = 0; i < slowest.points().size(); ++i) {
    sum += slowest.weights()[i] * std::log(slowest.points()[i]) / sigma;
  }
  return sum;
}

std::vector<double> draws_of(const SlowestNode& slowest, std::uint32_t count) {
  std::vector<double> samples;
  for (std::uint32_t i = 0; i < count; ++i) {
    models::Stream bits{{7, 0, models::Purpose::test, 0, i}};
    samples.push_back(slowest.draw(bits));
  }
  return samples;
}

/// Phi(log(x) / sigma)^N.
auto law_of(double count, double sigma) {
  return [=](double x) {
    return x <= 0.0 ? 0.0 : std::exp(count * std::log(models::det::normal_cdf(std::log(x) / sigma)));
  };
}

}  // namespace

TEST_CASE("the mean of the largest of N normals is the published one") {
  for (const auto& [count, expected] : expected_maxima) {
    CAPTURE(count);
    CHECK(std::abs(expected_maximum(SlowestNode{count, 0.1}, 0.1) - expected) < 6e-6);  // five decimals are published
  }
  CHECK(expected_maximum(SlowestNode{2, 0.1}, 0.1) == doctest::Approx(1.0 / std::sqrt(M_PI)).epsilon(1e-12));
}

TEST_CASE("the mean of the slowest of two is known in closed form") {
  // Of two: E exp(s max) = 2 exp(s^2 / 2) Phi(s / sqrt 2); its square has 2 s for s.
  for (const double sigma : {0.03, 0.3, 1.0}) {
    CAPTURE(sigma);
    const auto moment = [](double s) { return 2.0 * std::exp(0.5 * s * s) * models::det::normal_cdf(s / M_SQRT2); };
    const SlowestNode slowest{2, sigma};
    CHECK(slowest.mean() == doctest::Approx(moment(sigma)).epsilon(1e-12));
    CHECK(slowest.mean_square() == doctest::Approx(moment(2.0 * sigma)).epsilon(1e-12));
    CHECK(slowest.node_mean() == doctest::Approx(std::exp(0.5 * sigma * sigma)).epsilon(1e-14));
  }
}

TEST_CASE("one node alone is log-normal, and no jitter is no wait") {
  const SlowestNode alone{1, 0.2};
  CHECK(alone.mean() == doctest::Approx(std::exp(0.02)).epsilon(1e-12));
  CHECK(alone.mean_square() == doctest::Approx(std::exp(0.08)).epsilon(1e-12));
  const SlowestNode steady{1000, 0.0};
  CHECK(steady.is_constant());
  CHECK(steady.mean() == 1.0);
  CHECK(steady.mean_square() == 1.0);
  CHECK(draws_of(steady, 3) == std::vector<double>{1.0, 1.0, 1.0});
}

TEST_CASE("more nodes wait longer, up to fleets far beyond today's") {
  double before = 0.0;
  for (const std::int64_t count : {1, 2, 16, 256, 16'384, 1'000'000}) {
    const SlowestNode slowest{count, 0.03};
    CHECK(slowest.mean() > before);
    CHECK(slowest.mean_square() >= slowest.mean() * slowest.mean());
    before = slowest.mean();
  }
  CHECK(before < std::exp(0.03 * 6.0));
}

TEST_CASE("a count or a jitter that makes no sense is our bug") {
  CHECK_THROWS_AS(SlowestNode(0, 0.1), models::ContractError);
  CHECK_THROWS_AS(SlowestNode(1, -0.1), models::ContractError);
}

// n = 20,000, alpha = 1e-5: a Kolmogorov distance of 0.032 is caught with power 0.99. The law of one node more or
// less at N = 2 is 0.15 away, a sigma 10 % larger 0.024 to 0.09.
TEST_CASE("draws of the slowest follow Phi(log x / sigma)^N") {
  constexpr std::uint32_t count = 20'000;
  for (const std::int64_t nodes : {1, 2, 16, 2048}) {
    CAPTURE(nodes);
    const auto samples = draws_of(SlowestNode{nodes, 0.05}, count);
    const auto n = static_cast<double>(nodes);
    CHECK(kolmogorov_distance(samples, law_of(n, 0.05)) < dkw_epsilon(count));
    // Negative control: half the nodes more are another law.
    CHECK(kolmogorov_distance(samples, law_of(1.5 * n, 0.05)) > dkw_epsilon(count));
    CHECK(std::abs(z_of_mean(samples, SlowestNode{nodes, 0.05}.mean())) < z_limit);
  }
}

TEST_CASE("the moments of a step are the sum of its parts") {
  sim::StepPlan plan;
  plan.node_compute_s = 2.0;
  plan.jitter = 0.1;
  plan.slowest = SlowestNode{8, 0.1};
  plan.exchange_s = 0.25;
  plan.bubble_s = 0.125;
  const sim::StepMoments step = sim::step_moments(plan, 1.5);
  CHECK(step.compute == doctest::Approx(3.0 * std::exp(0.005)));
  CHECK(step.compute + step.straggler == doctest::Approx(3.0 * plan.slowest.mean()));
  CHECK(step.exchange == doctest::Approx(0.375));
  CHECK(step.bubble == doctest::Approx(0.1875));
  CHECK(step.mean == doctest::Approx(step.compute + step.straggler + step.exchange + step.bubble));
  const double variance = plan.slowest.mean_square() - plan.slowest.mean() * plan.slowest.mean();
  CHECK(step.sd == doctest::Approx(3.0 * std::sqrt(variance)));
}

TEST_CASE("a loader that is never the slower one changes nothing; one that always is sets the pace") {
  sim::StepPlan plan;
  plan.jitter = 0.1;
  plan.slowest = SlowestNode{8, 0.1};
  const sim::StepMoments free = sim::step_moments(plan, 1.0);
  plan.batch_interval_s = 0.1;
  CHECK(sim::step_moments(plan, 1.0).mean == doctest::Approx(free.mean).epsilon(1e-13));
  plan.batch_interval_s = 10.0;
  const sim::StepMoments bound = sim::step_moments(plan, 1.0);
  CHECK(bound.mean == 10.0);
  CHECK(bound.stall == doctest::Approx(10.0 - free.mean));
  CHECK(bound.sd == doctest::Approx(0.0));
}

// E max(exp(s Z), c) = c Phi(a) + exp(s^2 / 2) Phi(s - a) with a = log(c) / s. The quadrature meets a kink there:
// its error is of second order in its step of 0.05 sd, here below 1e-5 of a step.
TEST_CASE("the mean of max(step, batch interval) of one node is the closed form") {
  sim::StepPlan plan;
  plan.jitter = 0.1;
  plan.slowest = SlowestNode{1, 0.1};
  for (const double interval : {0.8, 0.95, 1.0, 1.05, 1.3}) {
    CAPTURE(interval);
    plan.batch_interval_s = interval;
    const double a = std::log(interval) / 0.1;
    const double expected = interval * models::det::normal_cdf(a) + std::exp(0.005) * models::det::normal_cdf(0.1 - a);
    CHECK(std::abs(sim::step_moments(plan, 1.0).mean - expected) < 1e-5);
  }
}

TEST_CASE("the table of the slowest node agrees with its formula") {
  for (const std::int64_t count : {2, 16, 256, 4'096, 100'000}) {
    const SlowestNode slowest{count, 0.5};
    double worst = 0.0;
    // Exponential numbers over the whole table and beyond both of its ends.
    for (double e = 1e-9; e < 200.0; e *= 1.00037) {
      worst = std::max(worst, std::abs(slowest.looked_up(e) / slowest.at(e) - 1.0));
    }
    CAPTURE(count);
    CHECK(worst < 1e-7);
  }
}

}  // namespace fleetcast::tests
