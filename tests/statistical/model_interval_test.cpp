// The interval with what is unknown, against laws of which everything is known.
#include "analysis/model_interval.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "analysis/moments.hpp"
#include "models/random/distribution.hpp"
#include "models/random/stream.hpp"

namespace fleetcast::tests {
namespace {

using analysis::ModelInterval;
using analysis::TrialUnknowns;

models::Stream bits(std::uint32_t entity, std::uint32_t sample) {
  return models::Stream{{11, 0, models::Purpose::test, entity, sample}};
}
double normal(std::uint32_t entity, std::uint32_t sample) {
  models::Stream stream = bits(entity, sample);
  return models::unit_normal(stream);
}
double uniform(std::uint32_t entity, std::uint32_t sample) {
  models::Stream stream = bits(entity, sample);
  return models::unit_uniform(stream);
}

constexpr std::size_t trials = 4000;

/// 100 exp(s z) + noise: E[value | z] is known.
struct Made {
  std::vector<double> values;
  TrialUnknowns unknowns;
  std::pair<double, double> ci95;
};

Made made(double s, double noise) {
  Made result;
  result.unknowns.names = {"speed"};
  result.unknowns.values.resize(1);
  for (std::uint32_t i = 0; i < trials; ++i) {
    const double z = normal(1, i);
    result.unknowns.values[0].push_back(z);
    result.values.push_back(100.0 * std::exp(s * z) + noise * normal(2, i));
  }
  result.ci95 = *analysis::mean_interval(result.values).limits;
  return result;
}

ModelInterval interval_of(const Made& made) {
  return analysis::model_interval(made.values, made.ci95, made.unknowns, 1.0);
}

}  // namespace

TEST_CASE("a log-normal unknown gives its own quantiles, and its share of the variance") {
  const Made sample = made(0.2, 10.0);
  const ModelInterval interval = interval_of(sample);
  REQUIRE(interval.limits);
  // 100 exp(-+1.96 s); 3 % of it is the error of a 2.5 % quantile of 4,000 trials (4 standard errors).
  CHECK(interval.limits->first == doctest::Approx(100.0 * std::exp(-0.392)).epsilon(0.03));
  CHECK(interval.limits->second == doctest::Approx(100.0 * std::exp(0.392)).epsilon(0.03));
  const double variance = 1e4 * (std::exp(0.08) - std::exp(0.04));
  CHECK(*interval.share == doctest::Approx(variance / (variance + 100.0)).epsilon(0.03));
}

TEST_CASE("negative control: an unknown that moves nothing leaves the Monte Carlo interval") {
  const Made sample = made(0.0, 10.0);
  const ModelInterval interval = interval_of(sample);
  REQUIRE(interval.limits);
  CHECK(*interval.share < 0.005);
  const double width = sample.ci95.second - sample.ci95.first;
  CHECK(interval.limits->second - interval.limits->first < 4.0 * width);  // sd of the 0.5 % of chance: 0.07 x 10 x 1.96
}

TEST_CASE("nothing unknown: exactly the Monte Carlo interval") {
  Made sample = made(0.2, 10.0);
  sample.unknowns = {};
  const ModelInterval interval = interval_of(sample);
  REQUIRE(interval.limits);
  CHECK(interval.limits->first == doctest::Approx(sample.ci95.first).epsilon(1e-11));
  CHECK(interval.limits->second == doctest::Approx(sample.ci95.second).epsilon(1e-11));
  CHECK(*interval.share == 0.0);
}

TEST_CASE("too few trials for the unknowns give none, and say so") {
  Made sample = made(0.2, 10.0);
  sample.values.resize(25);
  sample.unknowns.values[0].resize(25);
  const ModelInterval interval = interval_of(sample);
  CHECK(!interval.limits);
  CHECK(interval.why.find("fewer than 30 trials") != std::string::npos);
}

namespace {

/// Repeated markets: 40 independent stretches of a recording decide what a trial that starts in them costs; the true
/// mean is 100. How often does the interval hold it?
double coverage(bool with_recording) {
  constexpr std::uint32_t markets = 400, stretches = 40, per_market = 400;
  int held = 0;
  for (std::uint32_t market = 0; market < markets; ++market) {
    std::vector<double> level;
    for (std::uint32_t i = 0; i < stretches; ++i) level.push_back(100.0 + 30.0 * normal(100 + market, i));
    Made sample;
    for (std::uint32_t i = 0; i < per_market; ++i) {
      const double share = uniform(1000 + market, i);
      sample.unknowns.window_shares.push_back(share);
      sample.values.push_back(level[static_cast<std::size_t>(share * stretches)] + normal(2000 + market, i));
    }
    if (!with_recording) sample.unknowns.window_shares.clear();
    sample.unknowns.recording_s = stretches;
    sample.ci95 = *analysis::mean_interval(sample.values).limits;
    const ModelInterval interval = interval_of(sample);
    REQUIRE(interval.limits);
    held += interval.limits->first <= 100.0 && 100.0 <= interval.limits->second ? 1 : 0;
  }
  return static_cast<double>(held) / markets;
}

}  // namespace

TEST_CASE("blocks of a recording cover the mean of the market; trials taken as independent do not") {
  // 95 % aimed at; standard error 0.011, and 40 stretches make the 2.5 % points of a bootstrap a little narrow.
  const double with = coverage(true);
  MESSAGE("coverage with blocks " << with);
  CHECK(with > 0.92);
  CHECK(with < 0.98);
  const double without = coverage(false);
  MESSAGE("coverage without " << without);
  CHECK(without < 0.75);
}

TEST_CASE("a recording of ten thousand runs gives an interval too, hardly wider than the Monte Carlo error") {
  Made sample = made(0.0, 1.0);
  sample.unknowns = {};
  for (std::uint32_t i = 0; i < trials; ++i) sample.unknowns.window_shares.push_back(uniform(3, i));
  sample.unknowns.recording_s = 10'000.0;
  const ModelInterval interval = interval_of(sample);
  REQUIRE(interval.limits);
  const double width = sample.ci95.second - sample.ci95.first;
  // Monte Carlo error twice in quadrature, the second from 200 blocks and with their correction: sqrt(1 + 1.5) and
  // noise.
  CHECK(interval.limits->second - interval.limits->first < 1.8 * width);
}

TEST_CASE("a recording of fewer than four runs gives no interval") {
  Made sample = made(0.0, 1.0);
  sample.unknowns = {};
  for (std::uint32_t i = 0; i < trials; ++i) sample.unknowns.window_shares.push_back(uniform(3, i));
  sample.unknowns.recording_s = 3.5;
  CHECK(!interval_of(sample).limits);
  CHECK(analysis::independent_windows(3.5, 1.0) == 3.5);
  CHECK(analysis::independent_windows(3.5, 10.0) == 1.0);
}

}  // namespace fleetcast::tests
