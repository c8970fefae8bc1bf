#pragma once
// What one machine life costs, and how many machines a bulk reclaim takes.
#include <cstddef>

#include "models/provider.hpp"
#include "models/random/stream.hpp"
#include "scenarios/scenario.hpp"

namespace fleetcast::sim {

/// Seconds of one life: all of it, of that its boot, and whether the provider ended it by a reclaim.
struct Life {
  double held_s = 0.0, boot_s = 0.0;
  bool reclaimed = false;
};

/// USD. What is due is held + rounding + forgiven.
struct LifeBill {
  double held = 0.0;      ///< held time x price
  double rounding = 0.0;  ///< increments and minima, >= 0
  double forgiven = 0.0;  ///< unbilled boot, free first hour, <= 0
};
LifeBill bill_of_life(const Life& life, double usd_per_node_h, const models::Billing& billing);

/// Nodes that a bulk takes besides the first, out of `others` >= 0 that could go: uniform on 1..others,
/// geometric (1 + Geometric(1/2)), or all.
std::size_t bulk_extra(scenarios::Bulk::Size size, std::size_t others, models::Stream& bits);
/// Its mean plus one, for a pool of `nodes` with `single` as the share of single reclaims.
double mean_reclaim_size(const scenarios::Bulk& bulk, int nodes);

}  // namespace fleetcast::sim
