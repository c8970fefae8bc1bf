#include "analysis/calibration/weighted_quantile.hpp"

#include <algorithm>

#include "models/errors.hpp"

namespace fleetcast::analysis {

double weighted_quantile(std::vector<WeightedValue> sample, double share) {
  std::ranges::sort(sample, {}, &WeightedValue::value);
  double sum = 0.0, squares = 0.0;
  for (const WeightedValue& each : sample) {
    sum += each.weight;
    squares += each.weight * each.weight;
  }
  models::require(sum > 0.0, "the weights of a sample sum to more than nothing");
  const double count = sum * sum / squares;
  const double before = (count - 1.0) * share;  // whole values below the quantile, in counts
  const auto reached = [&](double weight) { return std::clamp(weight / sum * count - before, 0.0, 1.0); };
  double quantile = 0.0, passed = 0.0;
  for (const WeightedValue& each : sample) {
    quantile += each.value * (reached(passed + each.weight) - reached(passed));
    passed += each.weight;
  }
  return quantile;
}

}  // namespace fleetcast::analysis
