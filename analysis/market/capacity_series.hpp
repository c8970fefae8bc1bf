#pragma once
// Capacity of a zone at equal intervals, as those who record it see it.
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fleetcast::analysis {

struct CapacitySeries {
  int nodes = 1;            ///< that were asked for, >= 1; no value is above
  double interval_h = 0.1;  ///< > 0
  std::vector<std::int16_t> capacity;

  [[nodiscard]] double hours() const { return interval_h * static_cast<double>(capacity.size()); }
};

/// Samples `from` up to, not including, `to`.
CapacitySeries part_of(const CapacitySeries& series, std::size_t from, std::size_t to);
CapacitySeries first_half(const CapacitySeries& series);
CapacitySeries later_half(const CapacitySeries& series);

/// Mean capacity over what was asked for, 0..1.
double mean_share(const CapacitySeries& series);

/// Counts worth a figure of their own: one node, half and all of N, each once.
std::vector<int> levels_of(int nodes);

}  // namespace fleetcast::analysis
