#pragma once
// What a fit by simulated moments makes equal in trace and draws.
#include <span>
#include <vector>

#include "analysis/market/capacity_series.hpp"

namespace fleetcast::analysis {

/// One number each, on scales on which differences compare: logarithms of run quantiles and means (of capacity >= 1,
/// N/2, N; up and down), of the spread of 6-hour and 24-hour means; share of losses in groups (times 4), logarithms of
/// their hourly dispersion and of their rate. A weight is 0 where the series do not tell a number.
struct MarketMoments {
  std::vector<double> value, weight;
};

/// Pooled over series of one interval and size. First and last runs are left out, in trace and draw alike.
MarketMoments market_moments(std::span<const CapacitySeries> rows);

}  // namespace fleetcast::analysis
