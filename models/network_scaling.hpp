#pragma once
// A workload that was measured on one gang, on more nodes: only its computation and its gradients are known.
#include <optional>

#include "models/gradient_exchange.hpp"

namespace fleetcast::models {

/// On more nodes: the same samples per step, or the same per GPU.
enum class Batch { fixed_total, fixed_per_gpu };

struct ScalingQuestion {
  double compute = 1;    ///< s of a step on `nodes` nodes without any exchange, above 0
  int nodes = 1;         ///< of the measurement, at least 1
  double gradients = 0;  ///< bytes that every GPU exchanges in a step
  Batch batch = Batch::fixed_total;
  double micro_batches = 1;  ///< per step; more of them shorten the backward pass that hides the exchange
  GradientSync sync = GradientSync::once;
  int buckets = 32;
  std::optional<double> overlap = {};  ///< as OverlapWindow::fraction
};

struct ScaledStep {
  int nodes = 1;
  double compute = 0, exchange = 0, exposed = 0;  ///< s of a step; exposed is the part of exchange that is waited for
  double speed = 1;   ///< samples per second, as a multiple of the measured gang's computing
  std::string bound;  ///< of the exchange
  [[nodiscard]] double total() const { return compute + exposed; }
};

/// Computation shared out (fixed total) or the same (fixed per GPU), plus an all-reduce of the gradients over all GPUs
/// as far as it sticks out. Throws ContractError for sizes out of range.
ScaledStep scaled_step(const ScalingQuestion& asked, int nodes, const Interconnect& net);

/// The number of nodes from 1 to `most` with the most samples per second; of equal ones the smallest.
ScaledStep best_node_count(const ScalingQuestion& asked, int most, const Interconnect& net);

}  // namespace fleetcast::models
