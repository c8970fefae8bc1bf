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
double attention_weights(const TransformerShape& shape) {
  const double kv_heads = width(shape.kv_heads > 0 ? shape.kv_heads : shape.heads);
  return width(shape.hidden) * head_dim(shape) * (2.0 * width(shape.heads) + 2.0 * kv_heads);
}

double mlp_weights(const TransformerShape& shape, std::int64_t ffn) {
  return (shape.gated ? 3.0 : 2.0) * width(shape.hidden) * width(ffn);
}

/// MLPs of all layers with `routed` experts of each mixture counted, routers included.
double all_mlp_weights(const TransformerShape& shape, std::int64_t routed) {
  if (shape.experts == 0) return width(shape.layers) * mlp_weights(shape, shape.ffn);
  const double mixture = width(routed + shape.shared_experts) * mlp_weights(shape, shape.expert_ffn) +
                         width(shape.experts) * width(shape.hidden);
  return width(shape.dense_layers) * mlp_weights(shape, shape.ffn) + width(shape.layers - shape.dense_layers) * mixture;
}

double body_weights(const TransformerShape& shape, std::int64_t routed) {
  return width(shape.layers) * attention_weights(shape) + all_mlp_weights(shape, routed);
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

double parameters(const TransformerShape& shape) {
  return all_weights(shape, shape.experts);
}

double active_matrix_parameters(const TransformerShape& shape) {
  return body_weights(shape, shape.experts_active) + embedding_weights(shape);
}

double model_flops_per_token(const TransformerShape& shape, double sequence_length) {
  const double attention = 12.0 * width(shape.layers) * width(shape.heads) * head_dim(shape) * sequence_length / 2.0;
  return 6.0 * active_matrix_parameters(shape) + attention;
}

double flops_per_token_6nd(const TransformerShape& shape) {
  return 6.0 * all_weights(shape, shape.experts_active);
}

Bytes checkpoint_bytes(const TransformerShape& shape, Optimizer optimizer) {
  return Bytes{bytes_per_parameter(optimizer) * parameters(shape)};
}

}  // namespace fleetcast::models
