#pragma once
// Rows and predictions as scores.
#include <vector>

#include "analysis/calibration/score.hpp"
#include "analysis/calibration/throughput_rows.hpp"

namespace fleetcast::analysis {

/// `factor`: half of the 90 % interval, as a factor.
ScoredRow scored_row(const ThroughputRow& row, double predicted, double factor, models::Grade grade);

}  // namespace fleetcast::analysis
