// Every law's draws against its own closed forms, and every check against a biased sample that it must refuse.
// n = 300,000 draws, alpha = 1e-5 per check. The DKW limit is 0.0045; with power 0.99 it finds a law at distance
// 0.0075 or more. The mean test finds a bias of 1.3 % at unit coefficient of variation with power 0.99.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "models/random/deterministic_math.hpp"
#include "models/random/distribution.hpp"
#include "tests/support/statistics.hpp"

namespace fleetcast::models {
namespace {

constexpr std::uint32_t sample_count = 300'000;
constexpr double infinity = std::numeric_limits<double>::infinity();

template <class Draw>
std::vector<double> draws(std::uint32_t entity, Draw draw) {
  std::vector<double> list(sample_count);
  for (std::uint32_t i = 0; i < sample_count; ++i) {
    Stream stream{{.seed = 20, .entity = entity, .sample = i}};
    list[i] = draw(stream);
  }
  return list;
}

std::vector<double> draws_of(const Distribution& law, std::uint32_t entity) {
  return draws(entity, [&law](Stream& stream) { return sample(law, stream); });
}

double distance(const std::vector<double>& samples, const Distribution& law) {
  return tests::kolmogorov_distance(samples, [&law](double x) { return 1.0 - survival(law, x); });
}

struct Case {
  std::string name;
  Distribution law;
};

/// Laws with a mean, a variance and a fourth moment.
std::vector<Case> tame_laws() {
  return {{"exponential", Exponential{120.0}},
          {"uniform", Uniform{1020.0, 1800.0}},
          {"log-normal", LogNormal{222.0, 0.3}},
          {"ageing Weibull", Weibull{5040.0, 1.7}},
          {"Weibull with early losses", Weibull{5040.0, 0.62}},
          {"hazard that falls", PiecewiseHazard{{{900.0, 1.7 / 3600.0}, {infinity, 0.2 / 3600.0}}}},
          {"hazard that starts late and pauses",
           PiecewiseHazard{{{100.0, 0.0}, {300.0, 0.002}, {500.0, 0.0}, {infinity, 0.01}}}},
          {"mixture with nothing", Mixture{{{0.2, None{}}, {0.8, Exponential{30.0}}}}},
          {"mixture of constants", Mixture{{{0.3, Constant{10.0}}, {0.7, Constant{30.0}}}}}};
}

}  // namespace

TEST_CASE("Draws of every law follow its survival function") {
  std::uint32_t entity = 0;
  for (const Case& one : tame_laws()) {
    CAPTURE(one.name);
    CHECK(distance(draws_of(one.law, entity++), one.law) < tests::dkw_epsilon(sample_count));
  }
}

TEST_CASE("Draws of every law have its mean and its variance") {
  std::uint32_t entity = 20;
  for (const Case& one : tame_laws()) {
    CAPTURE(one.name);
    const std::vector<double> samples = draws_of(one.law, entity++);
    CHECK(std::abs(tests::z_of_mean(samples, mean(one.law))) < tests::z_limit);
    CHECK(std::abs(tests::z_of_variance(samples, variance(one.law))) < tests::z_limit);
  }
}

TEST_CASE("A sample of the same law, three percent too long, is refused by distance, mean and variance") {
  std::uint32_t entity = 40;
  for (const Case& one : tame_laws()) {
    CAPTURE(one.name);
    const std::vector<double> biased = draws_of(scaled(one.law, 1.03), entity++);
    CHECK(distance(biased, one.law) > tests::dkw_epsilon(sample_count));
    CHECK(std::abs(tests::z_of_mean(biased, mean(one.law))) > tests::z_limit);
    CHECK(std::abs(tests::z_of_variance(biased, variance(one.law))) > tests::z_limit);
  }
}

TEST_CASE("A mixture whose share is off by one percentage point is refused") {
  const Mixture expected{{{0.2, None{}}, {0.8, Exponential{30.0}}}}, off{{{0.21, None{}}, {0.79, Exponential{30.0}}}};
  CHECK(distance(draws_of(off, 60), expected) > tests::dkw_epsilon(sample_count));
}

TEST_CASE("A mixture with never draws infinity in its share") {
  const Distribution law = Mixture{{{0.4, Never{}}, {0.6, LogNormal{10.0, 1.0}}}};
  const std::vector<double> samples = draws_of(law, 61);
  CHECK(distance(samples, law) < tests::dkw_epsilon(sample_count));
  const auto infinite = static_cast<std::uint64_t>(std::count(samples.begin(), samples.end(), infinity));
  CHECK(std::abs(tests::z_of_share(infinite, sample_count, 0.4)) < tests::z_limit);
  CHECK(std::abs(tests::z_of_share(infinite, sample_count, 0.41)) > tests::z_limit);
}

TEST_CASE("A last hazard of zero leaves some alive for ever") {
  const Distribution law = PiecewiseHazard{{{100.0, 0.01}, {infinity, 0.0}}};
  CHECK(distance(draws_of(law, 62), law) < tests::dkw_epsilon(sample_count));
  CHECK(mean(law) == infinity);
  CHECK(variance(law) == infinity);
}

TEST_CASE("Unit draws are standard: uniform, exponential and normal") {
  const double limit = tests::dkw_epsilon(sample_count);
  const auto uniform = draws(63, unit_uniform), exponential = draws(64, unit_exponential),
             normal = draws(65, unit_normal);
  const auto line = [](double x) { return std::min(1.0, std::max(0.0, x)); };
  const auto decay = [](double x) { return x <= 0.0 ? 0.0 : -std::expm1(-x); };
  CHECK(tests::kolmogorov_distance(uniform, line) < limit);
  CHECK(tests::kolmogorov_distance(exponential, decay) < limit);
  CHECK(tests::kolmogorov_distance(normal, det::normal_cdf) < limit);
  CHECK(std::abs(tests::z_of_mean(normal, 0.0)) < tests::z_limit);
  CHECK(std::abs(tests::z_of_variance(normal, 1.0)) < tests::z_limit);
  CHECK(*std::min_element(uniform.begin(), uniform.end()) >= 0.0);
  CHECK(*std::max_element(uniform.begin(), uniform.end()) < 1.0);
  // Negative controls: a shift of 0.02 and a scale of 1.02.
  CHECK(tests::kolmogorov_distance(normal, [](double x) { return det::normal_cdf(x - 0.02); }) > limit);
  CHECK(tests::kolmogorov_distance(exponential, [&](double x) { return decay(x / 1.03); }) > limit);
  CHECK(tests::kolmogorov_distance(uniform, [&](double x) { return line(x * x); }) > limit);
}

TEST_CASE("The tails of the normal draws beyond three standard deviations have their share") {
  const auto normal = draws(66, unit_normal);
  const auto beyond = static_cast<std::uint64_t>(
      std::count_if(normal.begin(), normal.end(), [](double x) { return std::abs(x) > 3.0; }));
  const double share = 2.0 * det::normal_cdf(-3.0);  // 0.0027: 810 of 300,000
  CHECK(std::abs(tests::z_of_share(beyond, sample_count, share)) < tests::z_limit);
  // A quarter fewer or more would be seen: 0.25 sqrt(810) = 7 standard errors.
  CHECK(std::abs(tests::z_of_share(beyond, sample_count, 0.75 * share)) > tests::z_limit);
}

TEST_CASE("Two draws from one stream are independent, and so are the draws of neighbouring samples") {
  std::vector<double> within, between;
  double before = 0.0;
  for (std::uint32_t i = 0; i < sample_count; ++i) {
    Stream stream{{.seed = 21, .sample = i}};
    const double first = unit_normal(stream), second = unit_normal(stream);
    within.push_back(first * second);
    if (i % 2 == 1) between.push_back(first * before);
    before = first;
  }
  CHECK(std::abs(tests::z_of_mean(within, 0.0)) < tests::z_limit);
  CHECK(std::abs(tests::z_of_mean(between, 0.0)) < tests::z_limit);
}

TEST_CASE("Gamma draws have mean and variance equal to their shape, below and above one") {
  std::uint32_t entity = 70;
  for (const double shape : {0.3, 0.9, 1.0, 2.5, 40.0}) {
    CAPTURE(shape);
    const auto samples = draws(entity++, [shape](Stream& stream) { return unit_gamma(shape, stream); });
    CHECK(std::abs(tests::z_of_mean(samples, shape)) < tests::z_limit);
    CHECK(std::abs(tests::z_of_variance(samples, shape)) < tests::z_limit);
    CHECK(std::abs(tests::z_of_mean(samples, 1.03 * shape)) > tests::z_limit);
  }
}

TEST_CASE("Gamma draws of whole shape follow Erlang's law, of shape one half the square of a normal") {
  const double limit = tests::dkw_epsilon(sample_count);
  const auto erlang = [](double x) { return x <= 0.0 ? 0.0 : 1.0 - std::exp(-x) * (1.0 + x + x * x / 2.0); };
  const auto half = [](double x) { return x <= 0.0 ? 0.0 : std::erf(std::sqrt(x)); };
  const auto three = draws(80, [](Stream& stream) { return unit_gamma(3.0, stream); });
  const auto one_half = draws(81, [](Stream& stream) { return unit_gamma(0.5, stream); });
  CHECK(tests::kolmogorov_distance(three, erlang) < limit);
  CHECK(tests::kolmogorov_distance(one_half, half) < limit);
  CHECK(tests::kolmogorov_distance(three, [&](double x) { return erlang(x * 1.02); }) > limit);
  CHECK(tests::kolmogorov_distance(one_half, [&](double x) { return half(x * 1.05); }) > limit);
}

}  // namespace fleetcast::models
