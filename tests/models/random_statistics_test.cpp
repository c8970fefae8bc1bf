// The helpers of the statistical tests themselves.
#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "models/random/distribution.hpp"
#include "tests/support/statistics.hpp"

namespace fleetcast::tests {
namespace {

std::vector<double> uniforms(std::uint32_t set, std::uint32_t count) {
  std::vector<double> list(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    models::Stream stream{{.seed = 40, .entity = set, .sample = i}};
    list[i] = models::unit_uniform(stream);
  }
  return list;
}

double line(double x) {
  return std::min(1.0, std::max(0.0, x));
}

}  // namespace

TEST_CASE("The limits and sample sizes are those of the textbook") {
  CHECK(std::erfc(z_limit / std::sqrt(2.0)) == doctest::Approx(alpha_per_test).epsilon(0.02));
  CHECK(normal_upper_point(0.025) == doctest::Approx(1.959963984540054).epsilon(1e-12));
  CHECK(samples_for_mean(0.01, 1.0) == doctest::Approx(455'000).epsilon(0.002));
  CHECK(dkw_epsilon(1000.0, 0.05) == doctest::Approx(0.0429469).epsilon(1e-5));
  const auto n = static_cast<double>(samples_for_distance(0.01, 1e-5, 0.99));
  CHECK(dkw_epsilon(n, 1e-5) + dkw_epsilon(n, 0.01) == doctest::Approx(0.01).epsilon(1e-4));
}

TEST_CASE("Moments of a small sample are those worked out by hand") {
  const Moments m = moments_of(std::vector<double>{1.0, 2.0, 3.0, 6.0});
  CHECK(m.mean == doctest::Approx(3.0));
  CHECK(m.variance == doctest::Approx(14.0 / 3.0));
  CHECK(m.fourth_central == doctest::Approx((16.0 + 1.0 + 0.0 + 81.0) / 4.0));
  CHECK(z_of_mean(std::vector<double>{1.0, 2.0, 3.0, 6.0}, 2.0) == doctest::Approx(1.0 / std::sqrt(14.0 / 12.0)));
  CHECK(z_of_share(60, 100, 0.5) == doctest::Approx(2.0));
}

TEST_CASE("The distance counts both sides of a jump and infinite samples") {
  CHECK(kolmogorov_distance({0.5}, line) == doctest::Approx(0.5));
  CHECK(kolmogorov_distance({0.9, 0.1}, line) == doctest::Approx(0.4));
  const auto coin = [](double x) { return x < 0.0 ? 0.0 : (x < 1.0 ? 0.5 : 1.0); };
  CHECK(kolmogorov_distance({0.0, 1.0, 1.0, 0.0}, coin) == doctest::Approx(0.0));
  CHECK(kolmogorov_distance({0.0, 1.0, 1.0, 1.0}, coin) == doctest::Approx(0.25));
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto half_for_ever = [=](double x) { return x < 0.0 ? 0.0 : (x < infinity ? 0.5 : 1.0); };
  CHECK(kolmogorov_distance({0.0, infinity}, half_for_ever) == doctest::Approx(0.0));
}

TEST_CASE("At level 5 % the tests raise false alarms in about 5 % of 4,000 fair samples") {
  int by_mean = 0, by_variance = 0, by_distance = 0;
  constexpr int sets = 4'000;
  for (std::uint32_t set = 0; set < sets; ++set) {
    const std::vector<double> samples = uniforms(set, 200);
    by_mean += std::abs(z_of_mean(samples, 0.5)) > normal_upper_point(0.025);
    by_variance += std::abs(z_of_variance(samples, 1.0 / 12.0)) > normal_upper_point(0.025);
    by_distance += kolmogorov_distance(samples, line) > dkw_epsilon(200.0, 0.05);
  }
  // 200 expected, standard deviation 13.8; 4.42 of them, and 10 more for the z of only 200 samples.
  CHECK(std::abs(by_mean - 200) < 71);
  CHECK(std::abs(by_variance - 200) < 71);
  CHECK(by_distance < 200 + 61);  // an upper limit at every n
  CHECK(by_distance > 50);        // but not an idle one
}

}  // namespace fleetcast::tests
