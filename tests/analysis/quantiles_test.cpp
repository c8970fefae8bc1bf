#include "analysis/quantiles.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "models/errors.hpp"
#include "models/random/stream.hpp"

using namespace fleetcast::analysis;
using Ranks = std::pair<std::uint64_t, std::uint64_t>;

namespace {

/// P(X <= k) of a binomial, term by term.
double binomial_cdf(int n, double p, int k) {
  double total = 0.0;
  for (int i = 0; i <= k; ++i)
    total += std::exp(std::lgamma(n + 1.0) - std::lgamma(i + 1.0) - std::lgamma(n - i + 1.0) + i * std::log(p) +
                      (n - i) * std::log1p(-p));
  return total;
}

std::vector<double> uniforms(std::size_t n, std::uint32_t number) {
  std::vector<double> values;
  for (std::uint32_t sample = 0; values.size() < n; ++sample) {
    fleetcast::models::Stream stream{{99, number, fleetcast::models::Purpose::test, 0, sample}};
    for (int i = 0; i < 100 && values.size() < n; ++i) values.push_back(static_cast<double>(stream() >> 11) * 0x1p-53);
  }
  return values;
}

int covering(Ranks ranks, double quantile, int samples) {
  int covered = 0;
  for (int i = 0; i < samples; ++i) {
    const OrderedSample sample{uniforms(100, static_cast<std::uint32_t>(i)), 0};
    covered += *sample.at(ranks.first - 1) <= quantile && quantile <= *sample.at(ranks.second - 1);
  }
  return covered;
}

}  // namespace

TEST_CASE("Quantiles lie linearly between order statistics, as numpy's do") {
  const OrderedSample sample{{40.0, 10.0, 30.0, 20.0}, 0};
  CHECK(*quantile(sample, 50) == 25.0);
  CHECK(*quantile(sample, 5) == doctest::Approx(11.5));  // numpy.quantile([10, 20, 30, 40], 0.05)
  CHECK(*quantile(sample, 95) == doctest::Approx(38.5));
  CHECK(*quantile(sample, 0) == 10.0);
  CHECK(*quantile(sample, 100) == 40.0);
  CHECK(*quantile(OrderedSample{{3.0}, 0}, 95) == 3.0);
  CHECK_THROWS_AS(quantile(OrderedSample{{}, 0}, 50), fleetcast::models::ContractError);
}

TEST_CASE("Unfinished trials count as infinite") {
  std::vector<double> values;
  for (int i = 0; i < 95; ++i) values.push_back(i);
  const OrderedSample sample{values, 6};  // 101 trials: p95 is the 96th
  CHECK(*quantile(sample, 50) == 50.0);
  CHECK(*quantile(sample, 94) == 94.0);
  CHECK_FALSE(quantile(sample, 95));
  values.push_back(95.0);
  CHECK(*quantile(OrderedSample{values, 5}, 95) == 95.0);  // the 96th is the last finite one, nothing of the next
  CHECK_FALSE(quantile(OrderedSample{{}, 4}, 5));
}

TEST_CASE("The ranks of 95 % limits are those of the published tables and of the binomial") {
  CHECK(*quantile_ranks(100, 50) == Ranks{40, 61});
  CHECK(*quantile_ranks(20, 50) == Ranks{6, 15});
  for (const int n : {72, 100, 500, 1000})
    for (const unsigned percent : {5U, 50U, 95U}) {
      const auto ranks = quantile_ranks(static_cast<std::uint64_t>(n), percent);
      REQUIRE(ranks);
      const int low = static_cast<int>(ranks->first), high = static_cast<int>(ranks->second);
      const double p = percent / 100.0;
      CHECK(binomial_cdf(n, p, low - 1) <= 0.025);         // the quantile lies below x_low
      CHECK(binomial_cdf(n, p, low) > 0.025);              // ... and no higher rank would do
      CHECK(1.0 - binomial_cdf(n, p, high - 1) <= 0.025);  // it lies above x_high
      CHECK(1.0 - binomial_cdf(n, p, high - 2) > 0.025);
    }
}

TEST_CASE("A sample that is too small has no limits, and says how many are needed") {
  CHECK(fewest_for_limits(50) == 6);   // 2^-5 > 0.025 >= 2^-6
  CHECK(fewest_for_limits(95) == 72);  // 0.95^71 > 0.025 >= 0.95^72
  CHECK(fewest_for_limits(5) == 72);
  CHECK_FALSE(quantile_ranks(10, 95));
  CHECK_FALSE(quantile_ranks(1, 50));
  CHECK_FALSE(quantile_ranks(0, 50));
  const auto limits = quantile_limits(OrderedSample{std::vector(10, 1.0), 0}, 95);
  CHECK_FALSE(limits.limits);
  CHECK(limits.why.find("at least 72 trials") != std::string::npos);
}

TEST_CASE("A limit among the unfinished trials does not exist") {
  std::vector<double> values;
  for (int i = 0; i < 99; ++i) values.push_back(i);
  CHECK_FALSE(quantile_limits(OrderedSample{values, 1}, 95).limits);  // ranks 90 and 100
  CHECK(quantile_limits(OrderedSample{values, 1}, 95).why.find("unfinished") != std::string::npos);
  values.push_back(99.0);
  CHECK(quantile_limits(OrderedSample{values, 0}, 95).limits == std::pair{89.0, 99.0});
}

// 20,000 samples of 100 uniform values; false alarm 1e-5 (|z| < 4.42); an error of 1 % in coverage is caught with
// a chance of 97 % or more.
TEST_CASE("The limits cover the true quantile as often as the binomial says, and at least in 95 %") {
  const int samples = 20000;
  for (const unsigned percent : {5U, 50U, 95U}) {
    const double p = percent / 100.0;
    const Ranks ranks = *quantile_ranks(100, percent);
    const auto coverage = [&](Ranks r) {
      return binomial_cdf(100, p, static_cast<int>(r.second) - 1) - binomial_cdf(100, p, static_cast<int>(r.first) - 1);
    };
    const double expected = coverage(ranks);
    CHECK(expected >= 0.95);
    const auto z = [&](Ranks r) {
      return (covering(r, p, samples) - samples * expected) / std::sqrt(samples * expected * (1.0 - expected));
    };
    CHECK(std::abs(z(ranks)) < 4.42);
    CHECK(std::abs(z({ranks.first + 1, ranks.second})) > 4.42);  // negative control: one rank off
  }
}
