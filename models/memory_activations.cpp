#include "models/memory_activations.hpp"

#include <algorithm>

#include "models/memory_states.hpp"

namespace fleetcast::models {

namespace {

/// Bytes that a token leaves in a layer, after Korthikanti et al. 2022. `shared` lies whole on each tensor-parallel
/// rank unless that is sequence parallel too, `split` and `scores` are divided.
struct TokenBytes {
  double shared = 0, split = 0, scores = 0;
  TokenBytes& operator+=(const TokenBytes& other) {
    shared += other.shared;
    split += other.split;
    scores += other.scores;
    return *this;
  }
};

TokenBytes operator*(double times, const TokenBytes& bytes) {
  return {times * bytes.shared, times * bytes.split, times * bytes.scores};
}

double width(std::int64_t value) {
  return static_cast<double>(value);
}

/// Input of a matrix product as it is kept for the gradient of the weights: in the format of the product.
double input_bytes(Precision precision) {
  return precision == Precision::fp8 || precision == Precision::mxfp8 ? 1.03
         : bits_of(precision) == 4                                    ? 0.56
                                                                      : element_bytes(precision);
}

/// Input of the norm and of the matrices after it, mask of the dropout at the end.
double block_entry(const MemoryQuestion& question) {
  const double mask = question.dropout ? 1.0 : 0.0;
  return width(question.shape.hidden) * (element_bytes(question.precision) + input_bytes(question.precision) + mask);
}

double score_bytes(const MemoryQuestion& question) {
  const double heads = width(question.shape.heads), element = element_bytes(question.precision);
  if (question.flash_attention) return 4.0 * heads;
  return heads * question.sequence_length * (element + (question.dropout ? 1.0 + element : 0.0));
}

TokenBytes attention(const MemoryQuestion& question) {
  const TransformerShape& shape = question.shape;
  const double element = element_bytes(question.precision), input = input_bytes(question.precision);
  const double dim = head_width(shape), heads = width(shape.heads), latent = shape.kv_rank > 0 ? 1.0 : 0.0;
  const double kv_heads = latent > 0 || shape.kv_heads == 0 ? heads : width(shape.kv_heads);
  const double rope = latent * width(shape.rope_dim);
  TokenBytes bytes;
  bytes.shared = block_entry(question) + latent * input * width(shape.query_rank + shape.kv_rank + shape.rope_dim);
  bytes.split = element * (heads * (dim + rope) + kv_heads * (2.0 * dim + rope) + heads * dim);
  if (input < 2.0) bytes.split += input * heads * dim;
  bytes.scores = score_bytes(question);
  return bytes;
}

/// Inside of an MLP of that width: before the activation (two matrices if gated) and after it.
double inside_mlp(const MemoryQuestion& question, double ffn) {
  return ffn *
         (element_bytes(question.precision) * (question.shape.gated ? 2.0 : 1.0) + input_bytes(question.precision));
}

TokenBytes mlp(const MemoryQuestion& question) {
  return {block_entry(question), inside_mlp(question, width(question.shape.ffn)), 0.0};
}

/// Routed copies of a token meet the imbalance of the experts; router scores are FP32.
TokenBytes mixture(const MemoryQuestion& question) {
  const TransformerShape& shape = question.shape;
  const double latent = width(shape.expert_latent > 0 ? shape.expert_latent : shape.hidden);
  const double copies =
      width(shape.experts_active) * (question.layout.expert > 1 ? std::max(1.0, question.expert_imbalance) : 1.0);
  const double element = element_bytes(question.precision), input = input_bytes(question.precision);
  TokenBytes bytes;
  bytes.shared = block_entry(question) + 8.0 * width(shape.experts) + copies * latent * (element + input);
  bytes.split = copies * inside_mlp(question, width(shape.expert_ffn)) +
                inside_mlp(question, width(shape.shared_experts * shape.expert_ffn));
  return bytes;
}

/// State-space block: outcome of the projection, of the convolution, of the scan, gated; FP32 states every 256 tokens.
TokenBytes state_space(const MemoryQuestion& question) {
  const TransformerShape& shape = question.shape;
  const double inner = width(shape.mamba_inner), states = 2.0 * width(shape.mamba_groups * shape.mamba_state);
  const double element = element_bytes(question.precision);
  TokenBytes bytes;
  bytes.shared = block_entry(question);
  bytes.split = element * (2.0 * inner + states + inner / 64.0) + element * (inner + states) + element * inner +
                input_bytes(question.precision) * inner + 4.0 * inner * width(shape.mamba_state) / 256.0;
  return bytes;
}

TokenBytes all_layers(const MemoryQuestion& question) {
  const TransformerShape& shape = question.shape;
  TokenBytes bytes = width(attention_layers(shape)) * attention(question);
  bytes += width(mlp_layers(shape) - mixture_layers(shape)) * mlp(question);
  if (mixture_layers(shape) > 0) bytes += width(mixture_layers(shape)) * mixture(question);
  if (shape.mamba_layers > 0) bytes += width(shape.mamba_layers) * state_space(question);
  return bytes;
}

/// Of a GPU, per token and mean layer.
struct LayerBytes {
  double whole = 0, without_scores = 0, input = 0;
};

LayerBytes mean_layer(const MemoryQuestion& question) {
  const double tensor = question.layout.tensor, layers = width(question.shape.layers);
  const double shared_by = question.layout.sequence_parallel ? tensor : 1.0;
  const TokenBytes bytes = (1.0 / layers) * all_layers(question);
  LayerBytes layer;
  layer.without_scores = bytes.shared / shared_by + bytes.split / tensor;
  layer.whole = layer.without_scores + bytes.scores / tensor;
  layer.input = element_bytes(question.precision) * width(question.shape.hidden) / shared_by;
  return layer;
}

double kept_of(const LayerBytes& layer, Recompute recompute) {
  if (recompute == Recompute::full) return layer.input;
  return recompute == Recompute::selective ? layer.without_scores : layer.whole;
}

/// Input of the last norm and of the output layer, and what the loss keeps.
double logits_of(const MemoryQuestion& question, double tokens) {
  const double tensor = question.layout.tensor, shared_by = question.layout.sequence_parallel ? tensor : 1.0;
  const double entry = 2.0 * element_bytes(question.precision) * width(question.shape.hidden) / shared_by;
  return tokens * (entry + question.logit_bytes * width(question.shape.vocab) / tensor);
}

/// Sent and received between stages; keys and values of the neighbour rank with its gradients (ring attention).
double passed_on(const MemoryQuestion& question, double tokens) {
  const Layout& layout = question.layout;
  const double element = element_bytes(question.precision), tensor = layout.tensor;
  const double shared_by = layout.sequence_parallel ? tensor : 1.0;
  const double kv = width(question.shape.kv_heads > 0 ? question.shape.kv_heads : question.shape.heads);
  double bytes = 0.0;
  if (layout.pipeline > 1) bytes += 4.0 * element * width(question.shape.hidden) / shared_by;
  if (layout.context > 1) bytes += 8.0 * element * kv * head_width(question.shape) / std::min(tensor, kv);
  return tokens * bytes;
}

}  // namespace

double layers_in_flight(const TransformerShape& shape, const Layout& layout, int stage) {
  const double layers = layers_of_stage(shape, layout.pipeline, stage), behind = layout.pipeline - stage;
  if (layout.pipeline == 1) return layers;
  if (layout.virtual_stages == 1) return layers * std::min(behind, layout.micro_batches);
  const double chunks = 2.0 * (behind - 1.0) + (layout.virtual_stages - 1.0) * layout.pipeline + 1.0;
  return layers / layout.virtual_stages * std::min(chunks, layout.micro_batches * layout.virtual_stages);
}

ActivationBytes activation_bytes(const MemoryQuestion& question, int stage) {
  const Layout& layout = question.layout;
  const double tokens = layout.micro_batch * question.sequence_length / layout.context;
  const LayerBytes layer = mean_layer(question);
  const double kept_layer = kept_of(layer, layout.recompute) / std::max(1.0, layout.activation_compression);
  ActivationBytes bytes;
  bytes.kept = tokens * kept_layer * layers_in_flight(question.shape, layout, stage);
  bytes.layer = tokens * layer.whole * (layout.recompute == Recompute::full ? 1.0 : 0.5);
  if (stage == layout.pipeline - 1) bytes.logits = logits_of(question, tokens);
  bytes.passed = passed_on(question, tokens);
  if (layout.offload == Offload::all) {
    const double stays = std::min(bytes.kept, 2.0 * tokens * kept_layer);
    bytes.host = bytes.kept - stays;
    bytes.kept = stays;
  }
  return bytes;
}

}  // namespace fleetcast::models
