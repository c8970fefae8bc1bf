#pragma once
// Losses as a collector sees them: falls of the capacity from one sample to the next. What goes and comes back within
// one interval is not seen.
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "analysis/market/capacity_series.hpp"

namespace fleetcast::analysis {

/// Sizes of all falls, in the order of time.
std::vector<int> loss_sizes(const CapacitySeries& series);

struct LossCounts {
  std::size_t lost = 0;       ///< nodes
  std::size_t in_groups = 0;  ///< of them those that went with another in the same interval
  double hours = 0.0;
  double hourly_mean = 0.0, hourly_variance = 0.0;  ///< of losses in whole hours

  [[nodiscard]] double per_h() const { return hours > 0.0 ? static_cast<double>(lost) / hours : 0.0; }
  [[nodiscard]] double share_in_groups() const;
  /// Variance over mean of the hourly losses; 1 for a Poisson process.
  [[nodiscard]] double dispersion() const;
};

/// Pooled over series of one interval and size. Of several, the variance is taken about their common mean.
LossCounts count_losses(std::span<const CapacitySeries> rows);

}  // namespace fleetcast::analysis
