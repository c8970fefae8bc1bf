#pragma once
// Which micro-batches and accumulations keep a global batch when the number of replicas changes.
#include <vector>

namespace fleetcast::models {

struct BatchChoice {
  double micro_batch = 1, accumulation = 1;  ///< sequences at a time, and how often per step
  double batch = 0;                          ///< replicas x micro_batch x accumulation
};

/// All pairs of whole numbers that keep the batch within `tolerance` (a share) of `target`, with micro-batches up to
/// `largest_micro_batch` (what fits in memory). Nearest batch first, then the larger micro-batch. Empty: this number of
/// replicas cannot keep the batch. Replicas and target at least 1.
std::vector<BatchChoice> batch_choices(double replicas, double target, double tolerance, double largest_micro_batch);

}  // namespace fleetcast::models
