#pragma once
// How far the table is off on rows that it has not seen.
#include <span>
#include <string>
#include <vector>

#include "analysis/calibration/efficiency_rows.hpp"

namespace fleetcast::analysis {

struct LeftOutErrors {
  std::string what;  ///< which rows: "all", "dense", "H100 fp8" ...
  int rows = 0;
  double median = 0, mean = 0, p90 = 0;  ///< of |predicted / measured - 1| of the speed
  double bias = 0;                       ///< mean of predicted / measured - 1
  double coverage90 = 0;                 ///< share of rows inside the 90 % interval
};

/// Leaves out one group of source and model at a time, fits the rest, and predicts the group; then the same with a
/// whole GPU and precision at a time, which tests the ratios. First all rows of software in use, then the same with
/// the kind of software known, then parts with at least five rows; early software last.
std::vector<LeftOutErrors> left_out_errors(std::span<const EfficiencyRow> rows, const models::Catalog& catalog);

}  // namespace fleetcast::analysis
