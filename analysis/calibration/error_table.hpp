#pragma once
// Error statistics side by side, as a table for the terminal.
#include <string>
#include <utility>
#include <vector>

#include "analysis/calibration/score.hpp"
#include "analysis/table.hpp"

namespace fleetcast::analysis {

using NamedErrors = std::vector<std::pair<std::string, ErrorStatistics>>;

/// One line each: rows; median, mean, 90 % and largest error; bias; share inside the 90 % interval. All in percent.
/// Side by side from 80 columns on; long names are cut.
Table error_table(const std::string& corner, const NamedErrors& errors, const Style& style);

}  // namespace fleetcast::analysis
