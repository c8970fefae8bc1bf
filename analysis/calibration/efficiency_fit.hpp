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
/// with different software would be compared by their software. The level of the table is the weighted mean of the
/// stacks; their spread is the common part, what is left the own spread of a cell (pooled over cells of its kind as
/// three more groups, so it is never 0).
EfficiencyFit fit_efficiency(std::span<const EfficiencyRow> rows, const models::Catalog& catalog);

}  // namespace fleetcast::analysis
