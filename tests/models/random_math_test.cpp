// The deterministic functions against the C library's 80-bit ones (64-bit mantissa, so good references for 53 bits).
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

#include "models/random/deterministic_math.hpp"

namespace fleetcast::models {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Distance from the exact value in units of the last place of the double nearest to it.
double ulps(double value, long double exact) {
  const double nearest = std::abs(static_cast<double>(exact));
  const double unit = std::nextafter(nearest, infinity) - nearest;
  return static_cast<double>(std::abs(static_cast<long double>(value) - exact)) / unit;
}

/// The worst over [low, high] in 20,000 steps that fall on no round numbers.
template <class Function, class Reference>
double worst_ulps(Function function, Reference reference, double low, double high) {
  double worst = 0.0;
  for (int i = 0; i < 20'000; ++i) {
    const double x = low + (high - low) * (i + 0.318) / 20'000.0;
    worst = std::max(worst, ulps(function(x), reference(static_cast<long double>(x))));
  }
  return worst;
}

TEST_CASE("The deterministic functions are within one unit in the last place") {
  using Exact = long double;
  CHECK(worst_ulps(
            det::exp, [](Exact x) { return std::exp(x); }, -700.0, 700.0) <= 1.0);
  CHECK(worst_ulps(
            det::exp, [](Exact x) { return std::exp(x); }, -1.0, 1.0) <= 1.0);
  CHECK(worst_ulps(
            det::expm1, [](Exact x) { return std::expm1(x); }, -1e-3, 1e-3) <= 1.0);
  CHECK(worst_ulps(
            det::expm1, [](Exact x) { return std::expm1(x); }, -30.0, 30.0) <= 1.0);
  CHECK(worst_ulps(
            det::log, [](Exact x) { return std::log(x); }, 1e-9, 2.0) <= 1.0);
  CHECK(worst_ulps(
            det::log, [](Exact x) { return std::log(x); }, 0.9, 1e12) <= 1.0);
  CHECK(worst_ulps(
            det::log1p, [](Exact x) { return std::log1p(x); }, -0.9, 10.0) <= 1.0);
  CHECK(worst_ulps(
            det::log1p, [](Exact x) { return std::log1p(x); }, -1e-6, 1e-6) <= 1.0);
  const auto cube_and_more = [](auto x) { return 3.7 * x; };
  CHECK(worst_ulps([&](double x) { return det::pow(x, 3.7); }, [](Exact x) { return std::pow(x, Exact{3.7}); }, 1e-6,
                   50.0) <= 1.0);
  CHECK(worst_ulps([&](double x) { return det::pow(1.7, cube_and_more(x)); },
                   [&](Exact x) { return std::pow(Exact{1.7}, Exact{3.7 * static_cast<double>(x)}); }, -90.0,
                   90.0) <= 1.0);
  CHECK(worst_ulps(
            det::gamma, [](Exact x) { return std::tgamma(x); }, 0.5, 100.0) <= 1.0);
}

TEST_CASE("The complementary error function is within one and a half units in the last place") {
  CHECK(worst_ulps(
            det::erfc, [](long double x) { return std::erfc(x); }, -5.0, 26.0) <= 1.5);
}

TEST_CASE("The check of units in the last place notices a relative error of 3e-16") {
  CHECK(worst_ulps([](double x) { return det::exp(x) * (1.0 + 3e-16); }, [](long double x) { return std::exp(x); },
                   -1.0, 1.0) > 1.0);
}

TEST_CASE("The functions have their limits") {
  CHECK(det::exp(-infinity) == 0.0);
  CHECK(det::exp(infinity) == infinity);
  CHECK(det::exp(800.0) == infinity);
  CHECK(det::exp(-800.0) == 0.0);
  CHECK(det::exp(0.0) == 1.0);
  CHECK(det::expm1(-infinity) == -1.0);
  CHECK(det::log(0.0) == -infinity);
  CHECK(det::log(1.0) == 0.0);
  CHECK(std::isnan(det::log(-1.0)));
  CHECK(det::pow(0.0, 2.0) == 0.0);
  CHECK(det::pow(infinity, 2.0) == infinity);
  CHECK(det::pow(2.0, 10.0) == 1024.0);
  CHECK(det::gamma(1.0) == 1.0);
  CHECK(det::gamma(5.0) == 24.0);
  CHECK(det::gamma(1000.0) == infinity);
}

TEST_CASE("The normal distribution function is accurate in both tails") {
  // erfc's 1.5 ulp, and x^2 half-ulps because its argument is rounded (relative condition number about x^2).
  for (double x = -37.0; x <= 8.0; x += 0.0371) {
    const long double exact = 0.5L * std::erfc(-static_cast<long double>(x) * std::sqrt(0.5L));
    CHECK(ulps(det::normal_cdf(x), exact) <= 2.0 + 2.0 * x * x);
  }
  CHECK(det::normal_cdf(0.0) == 0.5);
  CHECK(det::normal_cdf(-infinity) == 0.0);
  CHECK(det::normal_cdf(infinity) == 1.0);
}

TEST_CASE("The normal quantile has the values of the tables") {
  // The first three: Abramowitz and Stegun, table 26.5 and later extensions to 16 digits.
  CHECK(std::abs(det::normal_quantile(0.975) / 1.959963984540054236 - 1.0) < 1e-14);
  CHECK(std::abs(det::normal_quantile(0.995) / 2.575829303548900761 - 1.0) < 1e-14);
  CHECK(std::abs(det::normal_quantile(0.75) / 0.674489750196081743 - 1.0) < 1e-14);
  // Wichura's own test values, printed with AS 241.
  CHECK(std::abs(det::normal_quantile(0.25) / -0.6744897501960817 - 1.0) < 1e-14);
  CHECK(std::abs(det::normal_quantile(0.001) / -3.090232306167814 - 1.0) < 1e-14);
  CHECK(std::abs(det::normal_quantile(1e-20) / -9.262340089798408 - 1.0) < 1e-14);
  CHECK(det::normal_quantile(0.5) == 0.0);
  CHECK(det::normal_quantile(0.0) == -infinity);
  CHECK(det::normal_quantile(1.0) == infinity);
  CHECK(std::isnan(det::normal_quantile(-0.1)));
  CHECK(std::isnan(det::normal_quantile(1.1)));
  CHECK(std::isnan(det::normal_quantile(std::nan(""))));
}

TEST_CASE("The normal quantile agrees with Boost's inverse error function to 1e-14 in all three regions") {
  const auto exact = [](double p) {
    return -std::sqrt(2.0L) * boost::math::erfc_inv(2.0L * static_cast<long double>(p));
  };
  for (double p = 1e-300; p < 0.4; p *= 1.37)
    CHECK(std::abs(static_cast<double>(det::normal_quantile(p) / exact(p) - 1.0L)) < 1e-14);
  for (double p = 0.0713; p < 0.999; p += 0.00317)
    CHECK(std::abs(static_cast<double>(det::normal_quantile(p) / exact(p) - 1.0L)) < 1e-14);
}

TEST_CASE("The normal distribution function undoes the quantile") {
  // A relative error d in x becomes x phi(x) / Phi(x) d, at most about (1 + x^2) d below zero.
  for (double p = 1e-300; p < 0.5; p *= 1.9) {
    const double x = det::normal_quantile(p);
    CHECK(std::abs(det::normal_cdf(x) / p - 1.0) < 1e-15 * (2.0 + x * x));
  }
}

TEST_CASE("The normal quantile is symmetric where both arguments are exact") {
  for (const double p : {0.25, 0.125, 0x1p-10, 0x1p-40})
    CHECK(det::normal_quantile(1.0 - p) == -det::normal_quantile(p));
}

TEST_CASE("exp has the bits of SLEEF's plain C function, alone and in pairs") {
  constexpr int count = 200'001;  // odd: the last one has no partner
  std::vector<double> values;
  std::uint64_t hash = 0;
  for (int i = 0; i < count; ++i) {
    values.push_back(-750.0 + 1500.0 * (i + 0.318) / count);  // beyond the range of a double on both sides
    hash = (hash ^ std::bit_cast<std::uint64_t>(det::exp(values.back()))) * 0x9E3779B97F4A7C15;
    hash ^= hash >> 32;
  }
  CHECK(hash == 0xD7D71CEA34582288);  // of Sleef_cinz_expd1_u10purec, Debian's libsleef 3.5.1, at the same points
  std::vector<double> pairs = values;
  det::exp_each(pairs);
  CHECK(std::ranges::equal(pairs, values, [](double got, double x) {
    return std::bit_cast<std::uint64_t>(got) == std::bit_cast<std::uint64_t>(det::exp(x));
  }));
}

}  // namespace fleetcast::models
