#include "analysis/market/loss_counts.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/market/samples.hpp"

namespace fleetcast::analysis {

namespace {

int fall_at(const CapacitySeries& series, std::size_t sample) {
  return std::max(0, series.capacity[sample - 1] - series.capacity[sample]);
}

void add_hourly(const CapacitySeries& series, std::vector<double>& hourly) {
  const auto per_hour = static_cast<std::size_t>(std::max(1.0, std::round(1.0 / series.interval_h)));
  for (std::size_t from = 1; from + per_hour <= series.capacity.size(); from += per_hour) {
    int lost = 0;
    for (std::size_t at = from; at < from + per_hour; ++at) lost += fall_at(series, at);
    hourly.push_back(lost);
  }
}

}  // namespace

std::vector<int> loss_sizes(const CapacitySeries& series) {
  std::vector<int> sizes;
  for (std::size_t at = 1; at < series.capacity.size(); ++at)
    if (const int size = fall_at(series, at); size > 0) sizes.push_back(size);
  return sizes;
}

double LossCounts::share_in_groups() const {
  return lost > 0 ? static_cast<double>(in_groups) / static_cast<double>(lost) : 0.0;
}

double LossCounts::dispersion() const {
  return hourly_mean > 0.0 ? hourly_variance / hourly_mean : 1.0;
}

LossCounts count_losses(std::span<const CapacitySeries> rows) {
  LossCounts counts;
  std::vector<double> hourly;
  for (const CapacitySeries& series : rows) {
    for (const int size : loss_sizes(series)) {
      counts.lost += static_cast<std::size_t>(size);
      if (size > 1) counts.in_groups += static_cast<std::size_t>(size);
    }
    counts.hours += series.interval_h * static_cast<double>(series.capacity.size() - 1);
    add_hourly(series, hourly);
  }
  counts.hourly_mean = mean_of(hourly);
  counts.hourly_variance = variance_of(hourly);
  return counts;
}

}  // namespace fleetcast::analysis
