#include "analysis/moments.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <charconv>
#include <cmath>
#include <functional>
#include <vector>

#include "models/errors.hpp"

namespace fleetcast::analysis {

void CompensatedSum::add(double term) {
  const double total = sum_ + term;
  correction_ += std::abs(sum_) >= std::abs(term) ? (sum_ - total) + term : (term - total) + sum_;
  sum_ = total;
}

double sum(std::span<const double> values) {
  CompensatedSum total;
  for (const double value : values) total.add(value);
  return total.value();
}

double mean(std::span<const double> values) {
  models::require(!values.empty(), "the mean of nothing");
  return sum(values) / static_cast<double>(values.size());
}

double rounded_to_12_digits(double value) {
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::scientific, 11).ptr;
  std::from_chars(text, end, value);
  return value;
}

double student_t_975(std::uint64_t degrees) {
  models::require(degrees >= 1, "Student's t needs a degree of freedom");
  const boost::math::students_t_distribution<double> law{static_cast<double>(degrees)};
  return rounded_to_12_digits(boost::math::quantile(law, 0.975));
}

bool dominated(std::span<const double> values) {
  const std::size_t largest = std::max<std::size_t>(1, values.size() / 100);
  std::vector<double> magnitudes(values.begin(), values.end());
  for (double& value : magnitudes) value = std::abs(value);
  const double total = sum(magnitudes);
  const auto end = magnitudes.begin() + static_cast<std::ptrdiff_t>(std::min(largest, magnitudes.size()));
  std::partial_sort(magnitudes.begin(), end, magnitudes.end(), std::greater<>{});
  const double held = sum({magnitudes.begin(), end});
  const double equal_share = static_cast<double>(largest) / static_cast<double>(values.size());
  return held > std::max(0.20, 5.0 * equal_share) * total;
}

namespace {

double standard_error(std::span<const double> values, double centre) {
  CompensatedSum squares;
  for (const double value : values) squares.add((value - centre) * (value - centre));
  const double n = static_cast<double>(values.size());
  return std::sqrt(squares.value() / (n - 1.0) / n);
}

}  // namespace

MeanInterval mean_interval(std::span<const double> values) {
  if (values.size() < 2) return {std::nullopt, "not available: an interval needs at least two trials"};
  if (dominated(values))
    return {std::nullopt, "suppressed: 1 % of the trials hold over 20 % of the sum, so its error is not known"};
  const double centre = mean(values);
  const double half = student_t_975(values.size() - 1) * standard_error(values, centre);
  return {std::pair{centre - half, centre + half}, ""};
}

}  // namespace fleetcast::analysis
