#pragma once
// Non-linear least squares of the step model on measured rows.
#include <span>
#include <vector>

#include "analysis/calibration/throughput_rows.hpp"
#include "models/throughput_parameters.hpp"

namespace fleetcast::analysis {

/// Fitted parameters in the order of models::parameter_list(), as the fit sees them: logarithms where positive.
using Theta = std::vector<double>;

struct ThroughputFit {
  Theta theta;
  std::vector<double> sd;  ///< of each; 0 for those that are fixed
  double objective = 0;
  int iterations = 0;
};

Theta prior_theta();
models::ThroughputParameters parameters_of(const Theta& theta);
/// tokens/s/GPU
double predicted_speed(const ThroughputRow& row, const models::ThroughputParameters& parameters);

/// Levenberg-Marquardt on ln(predicted / measured) / 0.08, each through a pseudo-Huber map so that outliers pull like
/// their distance, not its square, weighted by row; the priors are residuals of their own. Starts at `start`.
ThroughputFit fit_throughput(std::span<const ThroughputRow* const> rows, const Theta& start);

}  // namespace fleetcast::analysis
