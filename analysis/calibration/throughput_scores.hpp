#pragma once
// Rows and predictions as scores.
#include <vector>

#include "analysis/calibration/score.hpp"
#include "analysis/calibration/throughput_rows.hpp"

namespace fleetcast::analysis {

/// `half_width`: of the 90 % interval, in the logarithm.
ScoredRow scored_row(const ThroughputRow& row, double predicted, double half_width, models::Grade grade);

}  // namespace fleetcast::analysis
