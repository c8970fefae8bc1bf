#include "analysis/moments.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "models/errors.hpp"
#include "models/random/deterministic_math.hpp"
#include "models/random/stream.hpp"

using namespace fleetcast::analysis;
using fleetcast::models::Stream;

namespace {

std::vector<double> normal_sample(std::size_t n, std::uint32_t number) {
  Stream stream{{2024, number, fleetcast::models::Purpose::test, 0, 0}};
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i)
    values.push_back(10.0 +
                     fleetcast::models::det::normal_quantile((static_cast<double>(stream() >> 11) + 0.5) * 0x1p-53));
  return values;
}

double z_score(int hits, int trials, double share) {
  return (hits - trials * share) / std::sqrt(trials * share * (1.0 - share));
}

}  // namespace

TEST_CASE("A compensated sum keeps what a plain one loses") {
  const std::vector<double> values{1e16, 1.0, 1.0, 1.0, 1.0, -1e16};
  CHECK(sum(values) == 4.0);
  double plain = 0.0;
  for (const double value : values) plain += value;
  CHECK(plain != 4.0);  // the control: the test would notice
  CHECK(sum(std::vector<double>(1000, 0.1)) == 100.0);
}

TEST_CASE("Student's quantiles are those of the tables") {
  CHECK(student_t_975(1) == doctest::Approx(12.7062047362).epsilon(1e-11));
  CHECK(student_t_975(9) == doctest::Approx(2.26215716280).epsilon(1e-11));
  CHECK(student_t_975(1'000'000'000) == doctest::Approx(1.95996398691).epsilon(1e-10));
  CHECK(student_t_975(9) == rounded_to_12_digits(student_t_975(9)));
}

TEST_CASE("The interval of a small sample is that of a calculation by hand") {
  // 1, 2, 3, 4: mean 2.5, variance 5/3, standard error sqrt(5/12), t(3) = 3.18244630528
  const auto interval = mean_interval(std::vector{1.0, 2.0, 3.0, 4.0});
  REQUIRE(interval.limits);
  CHECK(interval.limits->first == doctest::Approx(2.5 - 3.18244630528 * std::sqrt(5.0 / 12.0)).epsilon(1e-11));
  CHECK(interval.limits->second == doctest::Approx(2.5 + 3.18244630528 * std::sqrt(5.0 / 12.0)).epsilon(1e-11));
  const auto two = mean_interval(std::vector{0.0, 2.0});
  REQUIRE(two.limits);
  CHECK(two.limits->second == doctest::Approx(1.0 + 12.7062047364));
  const auto constant = mean_interval(std::vector(50, 7.5));
  REQUIRE(constant.limits);
  CHECK(constant.limits->first == 7.5);
  CHECK(constant.limits->second == 7.5);
}

TEST_CASE("One value has no interval, and none has no mean") {
  const auto one = mean_interval(std::vector{3.0});
  CHECK_FALSE(one.limits);
  CHECK(one.why.find("at least two") != std::string::npos);
  CHECK_THROWS_AS(mean({}), fleetcast::models::ContractError);
}

// 20,000 samples of 5 normal values. False alarm 1e-5 (|z| < 4.42); a coverage of 94 % is caught with a chance of 97 %.
TEST_CASE("The interval covers the true mean in 95 % of normal samples of five") {
  const int samples = 20000;
  int covered = 0, covered_by_normal = 0;
  for (int i = 0; i < samples; ++i) {
    const auto values = normal_sample(5, static_cast<std::uint32_t>(i));
    const auto limits = mean_interval(values).limits;
    REQUIRE(limits);
    covered += limits->first <= 10.0 && 10.0 <= limits->second;
    const double centre = mean(values), half = (limits->second - centre) / student_t_975(4) * 1.959964;
    covered_by_normal += std::abs(centre - 10.0) <= half;
  }
  CHECK(std::abs(z_score(covered, samples, 0.95)) < 4.42);
  CHECK(std::abs(z_score(covered_by_normal, samples, 0.95)) > 4.42);  // negative control: 1.96 instead of t
}

TEST_CASE("An interval is suppressed where 1 % of the trials hold over 20 % of the sum") {
  std::vector<double> values(1000, 1.0);
  for (int i = 0; i < 10; ++i) values[static_cast<std::size_t>(i) * 97] = 24.7;  // 247.0 of 1237: 19.97 %
  CHECK(mean_interval(values).limits);
  for (int i = 0; i < 10; ++i) values[static_cast<std::size_t>(i) * 97] = 24.8;  // 248.0 of 1238: 20.03 %
  CHECK_FALSE(mean_interval(values).limits);
  CHECK(mean_interval(values).why.starts_with("suppressed"));
}

TEST_CASE("In a small sample one value must hold five times its equal share to be dominant") {
  CHECK_FALSE(dominated(std::vector{1.0, 1.0}));
  CHECK_FALSE(dominated(std::vector{0.0, 9.0}));  // two values: nothing can be said
  std::vector<double> ten(10, 1.0);
  ten[3] = 8.9;  // 8.9 of 17.9: under half
  CHECK_FALSE(dominated(ten));
  ten[3] = 9.1;
  CHECK(dominated(ten));
  CHECK_FALSE(dominated(std::vector(10, 0.0)));
}
