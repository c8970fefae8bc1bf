#pragma once
// A score as a page of its own.
#include <span>
#include <string>

#include "analysis/calibration/score.hpp"

namespace fleetcast::analysis {

/// The whole page. `origin` says what made it, from which data.
std::string score_html(const Score& score, const std::string& origin);

/// Parts that the page of a calibration has too; "" where nothing was scored or skipped.
std::string error_tiles_html(const Score& score);
std::string score_figures_html(const Score& score);
std::string error_groups_html(const Score& score);
std::string worst_rows_html(const Score& score);
std::string skipped_html(std::span<const SkippedRow> skipped);
std::string all_rows_html(const Score& score);

}  // namespace fleetcast::analysis
