#pragma once
// The smallest value of a function that has no derivatives: the simplex method of Nelder and Mead, "A simplex method
// for function minimization", The Computer Journal 7 (1965), with its usual coefficients 1, 2, 1/2, 1/2.
#include <functional>
#include <vector>

namespace fleetcast::analysis {

struct Minimum {
  std::vector<double> at;
  double value = 0.0;
  int evaluations = 0;
};

struct SimplexOptions {
  double step = 0.5;  ///< of the first simplex along each axis, not 0
  int most_evaluations = 200;
  double close_enough = 1e-2;  ///< spread of the corners, in each coordinate
  double flat_enough = 1e-3;   ///< spread of their values; both end the search
};

/// `start` has at least one coordinate. A value that is not finite counts as infinite.
Minimum minimize(const std::function<double(const std::vector<double>&)>& function, const std::vector<double>& start,
                 const SimplexOptions& options);

}  // namespace fleetcast::analysis
