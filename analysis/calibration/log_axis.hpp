#pragma once
// A logarithmic axis of a plot.
#include <string>
#include <utility>
#include <vector>

namespace fleetcast::analysis {

/// From `low` to `high` over `pixels`. Both positive, low < high.
struct LogAxis {
  double low = 1.0, high = 10.0, pixels = 100.0;

  /// Where a positive value lies; outside 0..pixels if it is outside the axis.
  [[nodiscard]] double at(double value) const;
  /// Values worth a mark with their labels ("200", "5 k", "3 M"): 1, 2 and 5 times powers of ten over few decades,
  /// powers alone over many.
  [[nodiscard]] std::vector<std::pair<double, std::string>> marks() const;
};

/// An axis that holds all values with a little room at both ends. Throws ContractError for no or not positive values.
LogAxis axis_around(const std::vector<double>& values, double pixels);

}  // namespace fleetcast::analysis
