#pragma once
// Layouts that fit in memory, fastest first, and what to change in one that does not fit.
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "models/links.hpp"
#include "models/memory.hpp"

namespace fleetcast::models {

/// What is fixed, and what the gang and its work allow. An empty value is searched.
struct LayoutSpace {
  double gpus = 8;                ///< of the gang, whole
  Links links;                    ///< tensor parallelism stays inside the domain
  double sequences_per_step = 1;  ///< global batch
  std::optional<int> tensor, pipeline, virtual_stages, context, expert;
  std::optional<bool> sequence_parallel;  ///< else where tensor parallel
  std::optional<Sharding> sharding;       ///< else ZeRO-1, and ZeRO-3 without a pipeline
  std::optional<Recompute> recompute;
  std::optional<double> micro_batch;          ///< divides the sequences of a replica
  std::optional<GradientSync> gradient_sync;  ///< else every micro-batch's share under ZeRO-2 and up, once below
  Offload offload = Offload::none;
  double activation_compression = 1;
  Optimizer optimizer = Optimizer::adamw;
  bool allow_at_risk = false;  ///< take layouts with less than 2 % to spare, too
};

struct LayoutChoice {
  Layout layout;
  MemoryEstimate memory;
  double step_s = 0;
};

/// Seconds of a step; called for layouts that fit only.
using StepSeconds = std::function<double(const Layout&)>;

/// The `best_n` fastest layouts that fit, fastest first; empty if none does. `model` says all but the layout. Searched:
/// tensor degrees that divide the heads and the domain; pipelines that divide the GPUs and leave at most 5 % of the
/// layers' places empty; chunks that divide a stage's layers where the micro-batches fill the pipeline; context degrees
/// of 2^n with at least 1,024 tokens each; experts that divide experts and ranks. Of the recompute modes the weakest
/// that fits is taken: a stronger one only adds work.
std::vector<LayoutChoice> feasible_layouts(const LayoutSpace& space, const MemoryQuestion& model, Bytes available,
                                           const StepSeconds& step_seconds, std::size_t best_n);

/// The fastest. Throws InfeasibleError that names the layout nearest to fitting, its shortfall and its parts.
LayoutChoice fastest_layout(const LayoutSpace& space, const MemoryQuestion& model, Bytes available,
                            const StepSeconds& step_seconds);

/// Changes of a layout that does not fit until it does: stronger recompute, smaller micro-batch, more sharding,
/// gradient shares exchanged every micro-batch, sequence parallelism, more tensor, pipeline or context parallelism,
/// optimiser on the host. At most three at a time, none of them needless, fewest first, then by time; same GPUs and
/// global batch as `question.layout`. Empty if nothing of the kind fits.
std::vector<LayoutChoice> nearest_fitting(const MemoryQuestion& question, const Links& links, Bytes available,
                                          const StepSeconds& step_seconds, std::size_t best_n);

}  // namespace fleetcast::models
