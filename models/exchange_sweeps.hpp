#pragma once
// The collectives of an optimiser step, one by one, by sharding and gradient synchronisation.
#include <vector>

#include "models/gradient_exchange.hpp"

namespace fleetcast::models {

/// When a sweep over the model runs, and so what it can hide behind.
enum class Phase { every_micro_batch, last_backward, next_forward };
enum class Operation { all_reduce, reduce_scatter, all_gather };

/// One collective over all values of a part of the model, in buckets.
struct Sweep {
  Operation operation = Operation::all_reduce;
  Phase phase = Phase::last_backward;
  Group group;
  double bytes = 0;
};

/// All of them, without those among one rank or of nothing. Those of every micro-batch are listed once.
std::vector<Sweep> exchange_sweeps(const ExchangeVolume& volume, const Layout& layout, const Links& links);

}  // namespace fleetcast::models
