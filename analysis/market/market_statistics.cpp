#include "analysis/market/market_statistics.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/market/capacity_runs.hpp"
#include "analysis/market/loss_counts.hpp"
#include "analysis/market/samples.hpp"
#include "models/errors.hpp"

namespace fleetcast::analysis {

namespace {

constexpr std::size_t fewest_runs = 5, fewest_losses = 20;

RunQuantiles run_quantiles(std::span<const CapacitySeries> rows, int level, bool up) {
  std::vector<double> lengths;
  for (const CapacitySeries& series : rows) {
    const std::vector<double> more = complete_lengths_h(series, level, up);
    lengths.insert(lengths.end(), more.begin(), more.end());
  }
  std::sort(lengths.begin(), lengths.end());
  RunQuantiles quantiles{lengths.size(), {}, {}};
  const std::size_t series_counted = std::min<std::size_t>(rows.size(), fewest_runs);
  if (lengths.size() < fewest_runs * series_counted) return quantiles;
  quantiles.p50_h = quantile_of_sorted(lengths, 0.5);
  quantiles.p90_h = quantile_of_sorted(lengths, 0.9);
  return quantiles;
}

double share_up(std::span<const CapacitySeries> rows, int level) {
  std::size_t up = 0, all = 0;
  for (const CapacitySeries& series : rows) {
    up += static_cast<std::size_t>(
        std::ranges::count_if(series.capacity, [level](std::int16_t value) { return value >= level; }));
    all += series.capacity.size();
  }
  return static_cast<double>(up) / static_cast<double>(all);
}

}  // namespace

MarketStatistics market_statistics(std::span<const CapacitySeries> rows) {
  models::require(!rows.empty(), "statistics of no series");
  MarketStatistics statistics;
  for (const int level : levels_of(rows[0].nodes))
    statistics.levels.push_back(
        {level, share_up(rows, level), run_quantiles(rows, level, true), run_quantiles(rows, level, false)});
  const LossCounts losses = count_losses(rows);
  statistics.losses_per_h = losses.per_h();
  if (losses.lost < fewest_losses) return statistics;
  if (rows[0].nodes > 1) statistics.losses_in_groups = losses.share_in_groups();
  if (losses.hourly_mean > 0.0) statistics.hourly_loss_dispersion = losses.dispersion();
  return statistics;
}

MarketStatistics market_statistics(const CapacitySeries& series) {
  return market_statistics(std::span{&series, 1});
}

}  // namespace fleetcast::analysis
