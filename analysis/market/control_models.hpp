#pragma once
// Models that a forecast must beat: what one writes down without having looked at traces.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/market/capacity_series.hpp"
#include "analysis/market/market_draw.hpp"

namespace fleetcast::analysis {

/// Capacity as a Markov chain on its counts, from sample to sample.
class MarkovControl {
 public:
  explicit MarkovControl(const CapacitySeries& series);
  [[nodiscard]] CapacitySeries draw(const GridForm& form, std::uint64_t seed) const;

 private:
  std::vector<std::vector<double>> next_;  ///< chance of each other count, cumulated, given that it changes
  std::vector<double> leaves_, occupied_;  ///< chance to change within a sample; share of time, cumulated
};

/// Nodes that come and go each for itself, with exponential lives and waits of the observed loss rate and mean
/// capacity.
class IndependentNodesControl {
 public:
  explicit IndependentNodesControl(const CapacitySeries& series);
  [[nodiscard]] CapacitySeries draw(const GridForm& form, std::uint64_t seed) const;

 private:
  int nodes_;
  double up_share_, loses_, returns_;  ///< chances within a sample
};

}  // namespace fleetcast::analysis
