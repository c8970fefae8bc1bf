#pragma once
// The cosine over 24 h in a series of capacity.
#include <array>

#include "analysis/market/capacity_series.hpp"

namespace fleetcast::analysis {

struct DailySwing {
  bool known = false;                                ///< from 5 whole days on
  double amplitude = 0.0;                            ///< normal units, what noise adds taken off; at most 0.8
  double amplitude_low = 0.0, amplitude_high = 0.0;  ///< 90 %
  double peak_h = 0.0;                               ///< hour of most capacity, [0, 24)
  double chance = 1.0;  ///< that days of one law differ so: F test of the mean of the days' first Fourier terms
  std::array<double, 24> hourly{};  ///< mean capacity over N, by hour of the day
  [[nodiscard]] bool significant() const { return known && chance < 0.05; }
};
/// `start_utc_h`: hour of the day of the first sample.
DailySwing find_daily_swing(const CapacitySeries& series, double start_utc_h);

}  // namespace fleetcast::analysis
