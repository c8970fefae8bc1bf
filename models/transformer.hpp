#pragma once
// The shape of a transformer and what follows from it: parameters, FLOPs per token, training state.
#include <cstdint>
#include <optional>
#include <string>

#include "models/units.hpp"

namespace fleetcast::models {

struct TransformerShape {
  std::string id;  ///< "llama-3-8b"; empty for a shape written in the scenario
  std::int64_t layers = 0, hidden = 0, heads = 0, kv_heads = 0, ffn = 0, vocab = 0;
  std::int64_t head_dim = 0;  ///< 0: hidden / heads
  bool gated = true;          ///< three matrices in the MLP instead of two
  bool tied = false;          ///< output layer shares the embedding
  std::int64_t experts = 0;   ///< 0: dense
  std::int64_t experts_active = 0;
  std::int64_t expert_ffn = 0;
  std::int64_t shared_experts = 0;
  std::int64_t dense_layers = 0;     ///< of a mixture of experts: layers with a plain MLP of width ffn
  std::int64_t sequence_length = 0;  ///< pre-training default; 0: unknown
  std::string source;
};

/// All weights, input embedding included (once if tied).
double parameters(const TransformerShape& shape);
/// Weights a token passes through in matrix products: no input embedding, the output layer once, of the experts
/// the active ones.
double active_matrix_parameters(const TransformerShape& shape);

/// Forward and backward FLOPs per token without recompute: 6 x active matrix parameters + causal attention
/// (12 x layers x heads x head_dim x sequence / 2). The convention of `mfu`.
double model_flops_per_token(const TransformerShape& shape, double sequence_length);
/// 6 x all parameters (active ones of a mixture): the convention of `MFU-6ND`.
double flops_per_token_6nd(const TransformerShape& shape);

enum class Optimizer { adamw, adamw_bf16, adam8bit, paged_adamw, adafactor, sgd };

/// Bytes of a whole checkpoint: weights as the optimiser keeps them plus its state. AdamW in mixed precision:
/// 4 (FP32 weights) + 8 (two moments) = 12 bytes a parameter.
Bytes checkpoint_bytes(const TransformerShape& shape, Optimizer optimizer);

}  // namespace fleetcast::models
