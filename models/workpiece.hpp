#pragma once
// What one GPU has to do in a micro-batch, before any rate: the step model's view of a question.
#include <optional>

#include "models/step_question.hpp"

namespace fleetcast::models {

/// Per token, over all layers, of the whole model.
struct TokenWork {
  double dense_weights = 0;    ///< weights of the layers met by every token, shared experts and routers included
  double routed_weights = 0;   ///< of the active routed experts
  double head_weights = 0;     ///< output layer
  double logits = 0;           ///< vocabulary
  double attention_flops = 0;  ///< scores and weighted values, forward
  double elements = 0;         ///< in and out of matrix products, of the dense part, and of norms and residuals
  double scan_elements = 0;    ///< the part of them in state-space blocks
  double routed_elements = 0;  ///< of the active routed experts
  double scores = 0;           ///< attention scores: layers x heads x sequence length
  double permuted = 0;         ///< elements that routing moves: layers x active experts x their width
};

/// All weights that GPUs hold, by kind.
struct HeldWeights {
  double dense = 0, routed = 0, embeddings = 0;
  [[nodiscard]] double sharded() const { return dense + embeddings; }
  [[nodiscard]] double all() const { return dense + embeddings + routed; }
};

TokenWork token_work(const TransformerShape& shape, double sequence_length);
HeldWeights held_weights(const TransformerShape& shape);

/// Rates of the hardware that the work runs at, SI.
struct Rates {
  double matmul16 = 0, matmul8 = 0, matmul4 = 0, matmul32 = 0;  ///< measured ceilings; 0: not available
  double memory = 0;
};

struct Workpiece {
  TokenWork token;
  HeldWeights held;
  Rates rates;
  Links links;
  double tokens = 0;                        ///< of a micro-batch on one context rank
  double share = 0;                         ///< tokens x the part of the model on this GPU
  double micro_batches = 1, sequences = 1;  ///< per step; sequences in a micro-batch
  double sequence_length = 0;
  double gpus = 1, tensor = 1, pipeline = 1, virtual_stages = 1, context = 1, expert = 1, data = 1;
  double layers = 0, attention_layers = 0, mixture_layers = 0;
  double hidden = 0, head_width = 0, key_value_width = 0, expert_width = 0;
  double expert_slice = 0;  ///< smaller side of a routed expert's matrices
  double layer_slice = 0;   ///< root of the dense weights of a layer on one tensor rank: a typical side of its matrices
  double experts = 0, experts_active = 0;
  double recomputed = 0, recomputed_attention = 0;  ///< shares of forward work done twice
  double year = 2025.5, imbalance = 1;
  std::optional<double> overlap;
  GradientSync gradient_sync = GradientSync::once;
  Offload offload = Offload::none;
  double activation_compression = 1;
  Generation generation = Generation::hopper;
  Stack stack = Stack::tuned;
  Precision precision = Precision::bf16;
  bool lora = false, causal = true, fused_attention = true, head_on_last_stage = false, hybrid = false;
  bool sharded_weights = false, sharded_in_node = false;
  bool is_gb300 = false, is_b300 = false;
};

Workpiece workpiece_of(const StepQuestion& question);

}  // namespace fleetcast::models
