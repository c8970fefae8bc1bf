#pragma once
// Capacity as three regimes: out (none), tight (some), ample (all). Stays and their order, for who writes a market by
// hand.
#include <array>
#include <string>

#include "analysis/market/run_length_laws.hpp"

namespace fleetcast::analysis {

constexpr std::size_t regime_count = 3;
constexpr std::array<const char*, regime_count> regime_names{"out", "tight", "ample"};

struct CapacityRegimes {
  std::array<double, regime_count> share{};  ///< of time
  std::array<RunLaws, regime_count> stays;
  /// Chance of the regime that follows, [from][to]; 0 where a regime was never left.
  std::array<std::array<double, regime_count>, regime_count> next{};
};
CapacityRegimes find_regimes(const CapacitySeries& series);

}  // namespace fleetcast::analysis
