#pragma once
// How far zones move together.
#include <string>
#include <vector>

#include "analysis/market/market_trace.hpp"

namespace fleetcast::analysis {

struct ZonePair {
  std::string a, b;  ///< files
  bool same_region = false;
  double correlation = 0.0;  ///< of capacity, sample by sample
};

/// Pairs of traces of one provider and machine that say the same start and interval and both change.
std::vector<ZonePair> correlate_zones(const std::vector<MarketTrace>& traces);

}  // namespace fleetcast::analysis
