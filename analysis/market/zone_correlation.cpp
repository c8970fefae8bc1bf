#include "analysis/market/zone_correlation.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace fleetcast::analysis {

namespace {

std::optional<double> correlation_of(const CapacitySeries& a, const CapacitySeries& b) {
  const std::size_t n = std::min(a.capacity.size(), b.capacity.size());
  double sum_a = 0.0, sum_b = 0.0, square_a = 0.0, square_b = 0.0, product = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    const double x = a.capacity[i], y = b.capacity[i];
    sum_a += x;
    sum_b += y;
    square_a += x * x;
    square_b += y * y;
    product += x * y;
  }
  const double count = static_cast<double>(n);
  const double variance_a = square_a * count - sum_a * sum_a, variance_b = square_b * count - sum_b * sum_b;
  if (!(variance_a > 0.0) || !(variance_b > 0.0)) return std::nullopt;
  return (product * count - sum_a * sum_b) / std::sqrt(variance_a * variance_b);
}

bool comparable(const MarketTrace& a, const MarketTrace& b) {
  return !a.start.empty() && a.start == b.start && a.provider == b.provider && a.instance == b.instance &&
         a.zone != b.zone && a.series.interval_h == b.series.interval_h;
}

}  // namespace

std::vector<ZonePair> correlate_zones(const std::vector<MarketTrace>& traces) {
  std::vector<ZonePair> pairs;
  for (std::size_t i = 0; i < traces.size(); ++i)
    for (std::size_t j = i + 1; j < traces.size(); ++j) {
      if (!comparable(traces[i], traces[j])) continue;
      if (const auto correlation = correlation_of(traces[i].series, traces[j].series))
        pairs.push_back(
            {traces[i].file, traces[j].file, region_of(traces[i].zone) == region_of(traces[j].zone), *correlation});
    }
  return pairs;
}

}  // namespace fleetcast::analysis
