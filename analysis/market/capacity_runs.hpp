#pragma once
// How long capacity stays at or above a count, and below it.
#include <cstddef>
#include <vector>

#include "analysis/market/capacity_series.hpp"

namespace fleetcast::analysis {

struct CapacityRun {
  std::size_t samples = 0;
  bool up = false;        ///< at least the count
  bool complete = false;  ///< false for the first and the last of a series: their ends are not seen
};

/// Runs of capacity >= level and < level, in the order of time.
std::vector<CapacityRun> runs_of(const CapacitySeries& series, int level);

/// A run as it enters a fit of laws: seen for `samples`, and whether its end was seen.
struct SeenRun {
  std::size_t samples = 0;
  bool complete = false;
};
std::vector<SeenRun> seen_runs(const CapacitySeries& series, int level, bool up);

/// Lengths of the complete ones, in hours.
std::vector<double> complete_lengths_h(const CapacitySeries& series, int level, bool up);

}  // namespace fleetcast::analysis
