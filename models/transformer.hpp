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
  bool causal = true;                ///< an encoder looks both ways: twice the attention
  /// Hybrids: layers with attention and layers with a state-space block, each a layer of its own beside those with an
  /// MLP. Both 0: every layer has attention and an MLP.
  std::int64_t attention_layers = 0, mamba_layers = 0;
  std::int64_t mamba_inner = 0, mamba_state = 0, mamba_groups = 0;
  std::int64_t window = 0;                   ///< tokens that a windowed attention layer sees; 0: none
  double windowed_share = 0.0;               ///< of the attention layers, [0, 1]
  std::int64_t query_rank = 0, kv_rank = 0;  ///< latent attention (DeepSeek): low-rank projections; 0: plain
  std::int64_t rope_dim = 0;                 ///< of latent attention: added to head_dim in queries and keys
  std::int64_t expert_latent = 0;            ///< width that routed experts work at; 0: hidden
  std::string source;
};

/// All weights, input embedding included (once if tied).
double parameters(const TransformerShape& shape);
/// Weights a token passes through in matrix products: no input embedding, the output layer once, of the experts
/// the active ones.
double active_matrix_parameters(const TransformerShape& shape);

/// Layers with attention, with an MLP or experts, and of these with experts.
std::int64_t attention_layers(const TransformerShape& shape);
std::int64_t mlp_layers(const TransformerShape& shape);
std::int64_t mixture_layers(const TransformerShape& shape);
/// Width of one attention head.
double head_width(const TransformerShape& shape);
/// Tokens that a token sees on average: half the sequence if causal, less in windowed layers.
double attention_reach(const TransformerShape& shape, double sequence_length);
/// FLOPs of scores and weighted values, of one attention layer, per token, forward.
double attention_forward_flops(const TransformerShape& shape, double sequence_length);
/// FLOPs of the scans of all state-space layers, per token, forward (chunks of 128, Dao and Gu 2024).
double state_space_forward_flops(const TransformerShape& shape);

/// Forward and backward FLOPs per token without recompute: 6 x active matrix parameters + 3 x the forward FLOPs of
/// attention (causal half, windows) and state-space scans. The convention of `mfu`.
double model_flops_per_token(const TransformerShape& shape, double sequence_length);
/// 6 x all parameters (active ones of a mixture): the convention of `MFU-6ND`.
double flops_per_token_6nd(const TransformerShape& shape);

enum class Optimizer { adamw, adamw_bf16, adam8bit, paged_adamw, adafactor, sgd };

/// Bytes of a whole checkpoint: weights as the optimiser keeps them plus its state. AdamW in mixed precision:
/// 4 (FP32 weights) + 8 (two moments) = 12 bytes a parameter.
Bytes checkpoint_bytes(const TransformerShape& shape, Optimizer optimizer);

}  // namespace fleetcast::models
