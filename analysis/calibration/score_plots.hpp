#pragma once
// The two pictures of a score, as inline SVG in a page of `html_page.hpp`.
#include <string>
#include <vector>

#include "analysis/calibration/score.hpp"

namespace fleetcast::analysis {

/// Predicted against measured on logarithmic axes, for the rows of one unit, with the line of equality and a band of
/// 20 % around it. Each point names its row, and shows its interval, when pointed at. A figure with legend.
std::string scatter_figure(const Score& score, const std::string& unit);

/// How many rows are how wrong. What is beyond the axis is in its last bars. A figure.
std::string residual_figure(const Score& score);

/// Bars of equal width around 0, `counts.size()` of them, the first from `low`; the outer ones hold what lies beyond.
struct ResidualBars {
  double low = 0.0, width = 0.0;
  std::vector<std::size_t> counts;
  [[nodiscard]] double left_of(std::size_t bar) const { return low + width * static_cast<double>(bar); }
};
ResidualBars residual_bars(const std::vector<ScoredRow>& rows);

}  // namespace fleetcast::analysis
