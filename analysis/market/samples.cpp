#include "analysis/market/samples.hpp"

#include <algorithm>
#include <numeric>

#include "models/errors.hpp"

namespace fleetcast::analysis {

double quantile_of_sorted(const std::vector<double>& sorted, double share) {
  models::require(!sorted.empty(), "a quantile of no values");
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

double mean_of(const std::vector<double>& values) {
  if (values.empty()) return 0.0;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double variance_of(const std::vector<double>& values) {
  if (values.empty()) return 0.0;
  const double mean = mean_of(values);
  double sum = 0.0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum / static_cast<double>(values.size());
}

}  // namespace fleetcast::analysis
