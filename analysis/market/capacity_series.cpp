#include "analysis/market/capacity_series.hpp"

#include <numeric>

#include "models/errors.hpp"

namespace fleetcast::analysis {

CapacitySeries part_of(const CapacitySeries& series, std::size_t from, std::size_t to) {
  models::require(from < to && to <= series.capacity.size(), "a part of a series lies inside of it");
  const auto begin = series.capacity.begin();
  return {series.nodes,
          series.interval_h,
          {begin + static_cast<std::ptrdiff_t>(from), begin + static_cast<std::ptrdiff_t>(to)}};
}

CapacitySeries first_half(const CapacitySeries& series) {
  return part_of(series, 0, series.capacity.size() / 2);
}

CapacitySeries later_half(const CapacitySeries& series) {
  return part_of(series, series.capacity.size() / 2, series.capacity.size());
}

double mean_share(const CapacitySeries& series) {
  const double sum = std::accumulate(series.capacity.begin(), series.capacity.end(), 0.0);
  return sum / (static_cast<double>(series.capacity.size()) * series.nodes);
}

std::vector<int> levels_of(int nodes) {
  std::vector<int> levels{1};
  for (const int level : {(nodes + 1) / 2, nodes})
    if (level > levels.back()) levels.push_back(level);
  return levels;
}

}  // namespace fleetcast::analysis
