#pragma once
// Helpers for statistical tests. Rules: fixed seed, no retry, and each test states its number of samples, its
// false-alarm rate alpha, the smallest error it must catch, and has a negative control that must fail.
#include <algorithm>
#include <boost/math/special_functions/erf.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace fleetcast::tests {

/// False-alarm rate of one test: the budget of the whole suite, 1e-3, shared by about 100 tests.
constexpr double alpha_per_test = 1e-5;
/// Two-sided normal limit for alpha_per_test: P(|Z| > 4.42) = 1.0e-5.
constexpr double z_limit = 4.42;

/// z with P(Z > z) = tail.
inline double normal_upper_point(double tail) {
  return std::sqrt(2.0) * boost::math::erfc_inv(2.0 * tail);
}

/// Count, mean and central moments of a sample, by two passes.
struct Moments {
  double count = 0.0, mean = 0.0;
  double variance = 0.0;        ///< unbiased, divided by n - 1
  double fourth_central = 0.0;  ///< divided by n

  [[nodiscard]] double standard_error() const { return std::sqrt(variance / count); }
};

/// At least two samples.
inline Moments moments_of(std::span<const double> samples) {
  Moments result;
  result.count = static_cast<double>(samples.size());
  for (const double x : samples) result.mean += x / result.count;
  double second = 0.0;
  for (const double x : samples) {
    const double square = (x - result.mean) * (x - result.mean);
    second += square;
    result.fourth_central += square * square / result.count;
  }
  result.variance = second / (result.count - 1.0);
  return result;
}

/// (sample mean - expected) / standard error. Standard normal for independent samples with a variance and n so
/// large that the mean is normal (for skewed laws: n above 10^4 or so).
inline double z_of_mean(std::span<const double> samples, double expected) {
  const Moments m = moments_of(samples);
  return (m.mean - expected) / m.standard_error();
}

/// (sample variance - expected) / its standard error, from the fourth central moment. Not for laws whose fourth
/// moment the sample does not pin down (log-normal with sigma above about 0.5).
inline double z_of_variance(std::span<const double> samples, double expected) {
  const Moments m = moments_of(samples);
  return (m.variance - expected) / std::sqrt((m.fourth_central - m.variance * m.variance) / m.count);
}

/// z of the mean of paired differences; the pairs must be independent of each other.
inline double z_of_difference(std::span<const double> a, std::span<const double> b) {
  std::vector<double> differences(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) differences[i] = a[i] - b[i];
  return z_of_mean(differences, 0.0);
}

/// z of a count of successes in n independent trials of probability p (exact variance under p).
inline double z_of_share(std::uint64_t successes, std::uint64_t n, double p) {
  const double trials = static_cast<double>(n);
  return (static_cast<double>(successes) - trials * p) / std::sqrt(trials * p * (1.0 - p));
}

/// Samples needed so that a mean test at two-sided level alpha catches a relative bias with this power, for a
/// coefficient of variation cv: ((z_alpha/2 + z_power) cv / bias)^2. 1 %, cv 1, alpha 1e-5, power 0.99: 455,000.
inline std::uint64_t samples_for_mean(double relative_bias, double cv, double alpha = alpha_per_test,
                                      double power = 0.99) {
  const double z = normal_upper_point(alpha / 2.0) + normal_upper_point(1.0 - power);
  return static_cast<std::uint64_t>(std::ceil(std::pow(z * cv / relative_bias, 2)));
}

/// P(sup |F_n - F| > epsilon) <= alpha for every n (Dvoretzky, Kiefer and Wolfowitz; constant of Massart 1990).
inline double dkw_epsilon(double n, double alpha = alpha_per_test) {
  return std::sqrt(std::log(2.0 / alpha) / (2.0 * n));
}

/// Samples needed so that the DKW test at level alpha surely (power 1 - beta) catches a law at this Kolmogorov
/// distance from the expected one: distance >= epsilon(alpha) + epsilon(beta).
inline std::uint64_t samples_for_distance(double distance, double alpha = alpha_per_test, double power = 0.99) {
  const double root = dkw_epsilon(1.0, alpha) + dkw_epsilon(1.0, 1.0 - power);
  return static_cast<std::uint64_t>(std::ceil(std::pow(root / distance, 2)));
}

/// sup |F_n - F| for a distribution function cdf(x) = P(X <= x), which may have jumps; infinite samples are allowed.
template <class Cdf>
double kolmogorov_distance(std::vector<double> samples, Cdf&& cdf) {
  std::sort(samples.begin(), samples.end());
  const double n = static_cast<double>(samples.size());
  double distance = 0.0;
  for (std::size_t i = 0; i < samples.size();) {
    const double x = samples[i], before = static_cast<double>(i);
    while (i < samples.size() && samples[i] == x) ++i;
    const double left_limit = cdf(std::nextafter(x, -std::numeric_limits<double>::infinity()));
    distance = std::max({distance, std::abs(before / n - left_limit), std::abs(static_cast<double>(i) / n - cdf(x))});
  }
  return distance;
}

}  // namespace fleetcast::tests
