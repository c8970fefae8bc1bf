#pragma once
// How a model is divided over the GPUs of a gang, and the memory levers that go with it.
#include <string>

#include "models/transformer.hpp"

namespace fleetcast::models {

/// What data-parallel ranks divide among them: nothing; optimiser state (ZeRO-1); gradients too (ZeRO-2); weights too
/// (ZeRO-3, FSDP); all of it inside a node, replicated over nodes (HSDP).
enum class Sharding { none, zero1, zero2, zero3, hsdp };
enum class Recompute { none, selective, full };
/// Under accumulation: one exchange a step (full gradients stay on the GPU); a reduce-scatter every micro-batch and the
/// rest once; everything every micro-batch.
enum class GradientSync { once, reduce_scatter, every };
/// To host memory: optimiser state (its step runs there); weights, gradients and activations too.
enum class Offload { none, optimizer, all };

struct Layout {
  int tensor = 1, pipeline = 1, virtual_stages = 1, context = 1, expert = 1;  ///< each at least 1
  int data = 1;  ///< replicas: GPUs / (tensor x pipeline x context)
  bool sequence_parallel = true;
  Sharding sharding = Sharding::zero1;
  Recompute recompute = Recompute::none;
  double micro_batch = 1;    ///< sequences a replica works on at a time
  double micro_batches = 1;  ///< per optimiser step and replica
  GradientSync gradient_sync = GradientSync::once;
  Offload offload = Offload::none;
  double activation_compression = 1;  ///< kept activations are this many times smaller, at least 1
  Optimizer optimizer = Optimizer::adamw;

  [[nodiscard]] int gpus() const { return tensor * pipeline * context * data; }
};

/// "tensor 8, pipeline 4 x 5, data 16, zero1, micro-batch 1 x 32, full recompute"
std::string describe(const Layout& layout);

}  // namespace fleetcast::models
