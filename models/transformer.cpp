#include "models/transformer.hpp"

namespace fleetcast::models {

namespace {

double width(std::int64_t value) {
  return static_cast<double>(value);
}

double head_dim(const TransformerShape& shape) {
  return shape.head_dim > 0 ? width(shape.head_dim) : width(shape.hidden) / width(shape.heads);
}

double embedding_weights(const TransformerShape& shape) {
  return width(shape.vocab) * width(shape.hidden);
}

/// Query, key, value and output projections of one layer; grouped queries share keys and values.
double plain_attention_weights(const TransformerShape& shape) {
  const double kv_heads = width(shape.kv_heads > 0 ? shape.kv_heads : shape.heads);
  return width(shape.hidden) * head_dim(shape) * (2.0 * width(shape.heads) + 2.0 * kv_heads);
}

/// Latent attention (DeepSeek-V2): down to a rank and up again, for queries and for keys with values.
double latent_attention_weights(const TransformerShape& shape) {
  const double hidden = width(shape.hidden), heads = width(shape.heads), dim = head_dim(shape);
  const double rope = width(shape.rope_dim), query_width = heads * (dim + rope);
  const double queries = shape.query_rank > 0 ? width(shape.query_rank) * (hidden + query_width) : hidden * query_width;
  const double keys_values = hidden * (width(shape.kv_rank) + rope) + width(shape.kv_rank) * heads * 2.0 * dim;
  return queries + keys_values + heads * dim * hidden;
}

double attention_weights(const TransformerShape& shape) {
  return shape.kv_rank > 0 ? latent_attention_weights(shape) : plain_attention_weights(shape);
}

double mlp_weights(const TransformerShape& shape, std::int64_t ffn) {
  return (shape.gated ? 3.0 : 2.0) * width(shape.hidden) * width(ffn);
}

/// State-space block (Mamba-2): one projection in (gate, inputs, states, steps of heads of 64), one out.
double mamba_weights(const TransformerShape& shape) {
  const double inner = width(shape.mamba_inner);
  const double in = 2.0 * inner + 2.0 * width(shape.mamba_groups) * width(shape.mamba_state) + inner / 64.0;
  return width(shape.hidden) * (in + inner);
}

/// Routed experts, shared experts, the way down to the experts' width and up, router.
double mixture_weights(const TransformerShape& shape, std::int64_t routed) {
  const double latent = width(shape.expert_latent > 0 ? shape.expert_latent : shape.hidden);
  const double expert = (shape.gated ? 3.0 : 2.0) * latent * width(shape.expert_ffn);
  const double ways = shape.expert_latent > 0 ? 2.0 * width(shape.hidden) * latent : 0.0;
  return width(routed) * expert + width(shape.shared_experts) * mlp_weights(shape, shape.expert_ffn) + ways +
         width(shape.experts) * width(shape.hidden);
}

double all_mlp_weights(const TransformerShape& shape, std::int64_t routed) {
  return width(mixture_layers(shape)) * mixture_weights(shape, routed) +
         width(mlp_layers(shape) - mixture_layers(shape)) * mlp_weights(shape, shape.ffn);
}

double body_weights(const TransformerShape& shape, std::int64_t routed) {
  return width(attention_layers(shape)) * attention_weights(shape) + width(shape.mamba_layers) * mamba_weights(shape) +
         all_mlp_weights(shape, routed);
}

/// Two normalisations a layer and one at the end; biases and learned positions are left out (below 0.2 %).
double norm_weights(const TransformerShape& shape) {
  return (2.0 * width(shape.layers) + 1.0) * width(shape.hidden);
}

double all_weights(const TransformerShape& shape, std::int64_t routed) {
  return (shape.tied ? 1.0 : 2.0) * embedding_weights(shape) + body_weights(shape, routed) + norm_weights(shape);
}

/// Bytes a parameter: FP32 (or, for adamw_bf16, BF16) weights and the optimiser's moments. Adafactor keeps one
/// row and one column per matrix, which is nothing beside the weights; SGD has one momentum.
double bytes_per_parameter(Optimizer optimizer) {
  switch (optimizer) {
    case Optimizer::adamw:
    case Optimizer::paged_adamw:
      return 4.0 + 8.0;
    case Optimizer::adamw_bf16:
      return 2.0 + 4.0;
    case Optimizer::adam8bit:
      return 4.0 + 2.0;
    case Optimizer::adafactor:
      return 4.0;
    case Optimizer::sgd:
      return 4.0 + 4.0;
  }
  return 12.0;
}

}  // namespace

std::int64_t attention_layers(const TransformerShape& shape) {
  return shape.attention_layers > 0 ? shape.attention_layers : shape.layers;
}

std::int64_t mlp_layers(const TransformerShape& shape) {
  return shape.mamba_layers > 0 ? shape.layers - shape.attention_layers - shape.mamba_layers : shape.layers;
}

std::int64_t mixture_layers(const TransformerShape& shape) {
  return shape.experts > 0 ? mlp_layers(shape) - shape.dense_layers : 0;
}

double head_width(const TransformerShape& shape) {
  return head_dim(shape);
}

double attention_reach(const TransformerShape& shape, double sequence_length) {
  const double full = shape.causal ? sequence_length / 2.0 : sequence_length;
  const double window = width(shape.window);
  if (window <= 0.0 || window >= sequence_length) return full;
  // The first tokens of a causal window see fewer: w - w^2 / 2s on average.
  const double windowed = shape.causal ? window - window * window / (2.0 * sequence_length) : window;
  return (1.0 - shape.windowed_share) * full + shape.windowed_share * windowed;
}

double attention_forward_flops(const TransformerShape& shape, double sequence_length) {
  const double dim = head_dim(shape), rope = width(shape.kv_rank > 0 ? shape.rope_dim : 0);
  return 2.0 * width(shape.heads) * (2.0 * dim + rope) * attention_reach(shape, sequence_length);
}

double state_space_forward_flops(const TransformerShape& shape) {
  return width(shape.mamba_layers) * 2.0 * width(shape.mamba_inner) * (2.0 * width(shape.mamba_state) + 128.0);
}

double parameters(const TransformerShape& shape) {
  return all_weights(shape, shape.experts);
}

double active_matrix_parameters(const TransformerShape& shape) {
  return body_weights(shape, shape.experts_active) + embedding_weights(shape);
}

double model_flops_per_token(const TransformerShape& shape, double sequence_length) {
  const double attention = width(attention_layers(shape)) * attention_forward_flops(shape, sequence_length);
  return 6.0 * active_matrix_parameters(shape) + 3.0 * (attention + state_space_forward_flops(shape));
}

double flops_per_token_6nd(const TransformerShape& shape) {
  return 6.0 * all_weights(shape, shape.experts_active);
}

Bytes checkpoint_bytes(const TransformerShape& shape, Optimizer optimizer) {
  return Bytes{bytes_per_parameter(optimizer) * parameters(shape)};
}

}  // namespace fleetcast::models
