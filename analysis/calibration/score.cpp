#include "analysis/calibration/score.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/calibration/weighted_quantile.hpp"
#include "models/errors.hpp"

namespace fleetcast::analysis {

namespace {

void require_figures(const ScoredRow& row) {
  for (const double figure : {row.measured, row.predicted, row.low, row.high})
    models::require(std::isfinite(figure) && figure > 0.0, "measured and predicted are positive: row " + row.id);
  models::require(std::isfinite(row.weight) && row.weight >= 0.0, "a weight is at least 0: row " + row.id);
}

double size_of_error(const ScoredRow& row) {
  return std::abs(row.rel_error());
}

/// Weighted mean of a figure of the rows.
template <class Figure>
double mean_of(std::span<const ScoredRow> rows, Figure&& figure) {
  double sum = 0.0, weights = 0.0;
  for (const ScoredRow& row : rows) {
    sum += row.weight * figure(row);
    weights += row.weight;
  }
  return sum / weights;
}

}  // namespace

void set_interval(ScoredRow& row, double half_width) {
  row.low = row.predicted * std::exp(-half_width);
  row.high = row.predicted * std::exp(half_width);
}

std::optional<ErrorStatistics> error_statistics(std::span<const ScoredRow> rows) {
  if (rows.empty()) return std::nullopt;
  std::vector<WeightedValue> signed_errors, sizes;
  ErrorStatistics result{.rows = rows.size()};
  for (const ScoredRow& row : rows) {
    require_figures(row);
    signed_errors.push_back({row.rel_error(), row.weight});
    sizes.push_back({size_of_error(row), row.weight});
    result.max = std::max(result.max, size_of_error(row));
  }
  result.median = weighted_quantile(sizes, 0.5);
  result.p90 = weighted_quantile(sizes, 0.9);
  result.bias = weighted_quantile(signed_errors, 0.5);
  result.mean = mean_of(rows, size_of_error);
  result.coverage90 = mean_of(rows, [](const ScoredRow& row) { return row.inside_interval() ? 1.0 : 0.0; });
  return result;
}

std::vector<ScoredRow> worst_rows(const Score& score, std::size_t most) {
  std::vector<ScoredRow> rows = score.scored;
  std::ranges::stable_sort(rows, std::greater{}, size_of_error);
  rows.resize(std::min(rows.size(), most));
  return rows;
}

std::vector<SkippedReason> skipped_reasons(std::span<const SkippedRow> skipped) {
  std::vector<SkippedReason> reasons;
  for (const SkippedRow& row : skipped) {
    auto same = std::ranges::find(reasons, row.reason, &SkippedReason::reason);
    if (same == reasons.end()) same = reasons.insert(same, {row.reason, row.id, 0});
    ++same->rows;
  }
  std::ranges::stable_sort(reasons, std::greater{}, &SkippedReason::rows);
  return reasons;
}

std::vector<std::string> units_of(const Score& score) {
  std::vector<std::string> units;
  for (const ScoredRow& row : score.scored)
    if (std::ranges::find(units, row.unit) == units.end()) units.push_back(row.unit);
  return units;
}

}  // namespace fleetcast::analysis
