#pragma once
// Quantiles of a sample whose values count differently.
#include <vector>

namespace fleetcast::analysis {

struct WeightedValue {
  double value = 0.0;
  double weight = 1.0;  ///< at least 0
};

/// Type 7 (numpy's default) for equal weights; in general Akinshin, "Weighted quantile estimators" (2023): the sample
/// counts as (sum w)^2 / sum w^2 values, and the scale of the weights does not matter. `share` in 0..1. Throws
/// ContractError if the weights sum to nothing.
double weighted_quantile(std::vector<WeightedValue> sample, double share);

}  // namespace fleetcast::analysis
