#pragma once
// From measured rows to the table of achieved efficiency.
#include <array>
#include <span>

#include "analysis/calibration/efficiency_rows.hpp"
#include "models/compute.hpp"

namespace fleetcast::analysis {

struct EfficiencyFit {
  models::EfficiencyTable table;          ///< source, date and error statement still empty
  std::array<double, 3> stack_effects{};  ///< log efficiency of each Stack against the table's level
};

/// Weighted least squares on log efficiency = cell + stack - slope x attention share. A group of source and model
/// weighs one in each cell, however many rows repeat it. Without the stacks, GPUs and precisions that were measured
/// with different software would be compared by their software. The level of the table is half way
/// between tuned and ordinary software, and half their distance is the common part of the spread; early software
/// informs its cells and nothing else. What is left is the own spread of a cell, pooled with the cells of its kind as
/// three more groups, so it is never 0.
EfficiencyFit fit_efficiency(std::span<const EfficiencyRow> rows, const models::Catalog& catalog);

}  // namespace fleetcast::analysis
