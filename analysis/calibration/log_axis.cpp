#include "analysis/calibration/log_axis.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/format.hpp"
#include "models/errors.hpp"

namespace fleetcast::analysis {

namespace {

std::string label_of(double value) {
  if (value >= 1e9) return significant(value / 1e9, 1) + " G";
  if (value >= 1e6) return significant(value / 1e6, 1) + " M";
  if (value >= 1e4) return significant(value / 1e3, 1) + " k";
  return significant(value, 1);
}

}  // namespace

double LogAxis::at(double value) const {
  return pixels * std::log(value / low) / std::log(high / low);
}

std::vector<std::pair<double, std::string>> LogAxis::marks() const {
  constexpr double few_decades = 2.6;
  const double decades = std::log10(high / low);
  const std::vector<double> steps = decades <= few_decades ? std::vector{1.0, 2.0, 5.0} : std::vector{1.0};
  std::vector<std::pair<double, std::string>> marks;
  for (int power = static_cast<int>(std::floor(std::log10(low))); std::pow(10.0, power) <= high; ++power)
    for (const double step : steps)
      if (const double value = step * std::pow(10.0, power); value >= low && value <= high)
        marks.emplace_back(value, label_of(value));
  return marks;
}

LogAxis axis_around(const std::vector<double>& values, double pixels) {
  models::require(!values.empty(), "an axis has values");
  const auto [low, high] = std::ranges::minmax(values);
  models::require(low > 0.0, "values of a logarithmic axis are positive");
  constexpr double least_room = 1.15, share_of_room = 0.04;
  const double room = std::max(least_room, std::pow(high / low, share_of_room));
  return {low / room, high * room, pixels};
}

}  // namespace fleetcast::analysis
