#pragma once
// Plain figures of plain samples.
#include <vector>

namespace fleetcast::analysis {

/// Linear between order statistics (type 7, as `quantile`); `sorted` ascending and not empty, share 0..1.
double quantile_of_sorted(const std::vector<double>& sorted, double share);
double mean_of(const std::vector<double>& values);
/// Divided by n, as of a whole population; 0 for an empty one.
double variance_of(const std::vector<double>& values);

}  // namespace fleetcast::analysis
