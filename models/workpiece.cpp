#include "models/workpiece.hpp"

#include <algorithm>
#include <cmath>

namespace fleetcast::models {

namespace {

double real(std::int64_t value) {
  return static_cast<double>(value);
}

double matrices(const TransformerShape& shape) {
  return shape.gated ? 3.0 : 2.0;
}

double key_value_heads(const TransformerShape& shape) {
  return real(shape.kv_heads > 0 ? shape.kv_heads : shape.heads);
}

double expert_width(const TransformerShape& shape) {
  return real(shape.expert_latent > 0 ? shape.expert_latent : shape.hidden);
}

/// Elements in and out of the projections of one attention layer.
double attention_elements(const TransformerShape& shape) {
  const double hidden = real(shape.hidden), heads = real(shape.heads), dim = head_width(shape);
  if (shape.kv_rank == 0) return 2.0 * hidden + dim * (2.0 * heads + 2.0 * key_value_heads(shape));
  const double rope = real(shape.rope_dim), rank = real(shape.kv_rank);
  return 2.0 * hidden + 2.0 * real(shape.query_rank) + 2.0 * heads * (dim + rope) + 2.0 * rank + rope +
         4.0 * heads * dim;
}

double mamba_elements(const TransformerShape& shape) {
  return 2.0 * real(shape.hidden) + 3.0 * real(shape.mamba_inner) +
         2.0 * real(shape.mamba_groups) * real(shape.mamba_state);
}

double shared_elements(const TransformerShape& shape) {
  if (shape.shared_experts == 0) return 0.0;
  return matrices(shape) * real(shape.hidden + shape.shared_experts * shape.expert_ffn);
}

double routed_weights(const TransformerShape& shape, std::int64_t experts) {
  return real(mixture_layers(shape)) * matrices(shape) * expert_width(shape) * real(shape.expert_ffn) * real(experts);
}

double dense_weights(const TransformerShape& shape) {
  return active_matrix_parameters(shape) - real(shape.vocab) * real(shape.hidden) -
         routed_weights(shape, shape.experts_active);
}

double rate(const GpuSpec& gpu, Precision precision) {
  const auto ceiling = gpu.ceiling(precision);
  return ceiling ? ceiling->value() : 0.0;
}

Rates rates_of(const GpuSpec& gpu, Precision precision) {
  const Precision half = gpu.peak(Precision::bf16) ? Precision::bf16 : Precision::fp16;
  const Precision single = precision == Precision::tf32 ? Precision::tf32 : Precision::fp32;
  return {rate(gpu, half), rate(gpu, Precision::fp8), rate(gpu, Precision::nvfp4), rate(gpu, single),
          gpu.memory_rate.value()};
}

/// "Selective" means the attention in Megatron, but every n-th layer or every second product in PyTorch recipes.
double recomputed_share(const StepQuestion& question) {
  if (question.recomputed_share >= 0.0) return question.recomputed_share;
  if (question.layout.recompute == Recompute::full) return 1.0;
  const bool selective = question.layout.recompute == Recompute::selective;
  return selective && question.software.stack == Stack::pytorch ? 1.0 / 3.0 : 0.0;
}

void fill_layout(const StepQuestion& question, Workpiece& work) {
  const Layout& layout = question.layout;
  work.tensor = layout.tensor;
  work.pipeline = layout.pipeline;
  work.virtual_stages = layout.virtual_stages;
  work.context = layout.context;
  work.expert = layout.expert;
  work.data = layout.data;
  work.gpus = work.tensor * work.pipeline * work.context * work.data;
  work.micro_batches = layout.micro_batches;
  work.sequences = layout.micro_batch;
  work.tokens = layout.micro_batch * question.sequence_length / work.context;
  work.share = work.tokens / (work.tensor * work.pipeline);
  work.sharded_weights = layout.sharding == Sharding::zero3;
  work.sharded_in_node = layout.sharding == Sharding::hsdp;
  work.gradient_sync = layout.gradient_sync;
  work.offload = layout.offload;
  work.activation_compression = layout.activation_compression;
  work.recomputed = recomputed_share(question);
  work.recomputed_attention = layout.recompute == Recompute::none ? 0.0 : 1.0;
}

void fill_shape(const TransformerShape& shape, Workpiece& work) {
  work.layers = real(shape.layers);
  work.attention_layers = real(attention_layers(shape));
  work.mixture_layers = real(mixture_layers(shape));
  work.hidden = real(shape.hidden);
  work.head_width = head_width(shape);
  work.key_value_width =
      shape.kv_rank > 0 ? real(shape.kv_rank + shape.rope_dim) : key_value_heads(shape) * head_width(shape);
  work.expert_width = expert_width(shape);
  work.experts = real(shape.experts);
  work.experts_active = real(shape.experts_active);
  work.expert_slice = std::min(work.expert_width, real(shape.expert_ffn));
  work.hybrid = shape.mamba_layers > 0;
}

}  // namespace

TokenWork token_work(const TransformerShape& shape, double sequence_length) {
  const double attention = real(attention_layers(shape)), mixture = real(mixture_layers(shape));
  const double plain = real(mlp_layers(shape)) - mixture, hidden = real(shape.hidden);
  TokenWork work;
  work.dense_weights = dense_weights(shape);
  work.routed_weights = routed_weights(shape, shape.experts_active);
  work.head_weights = real(shape.vocab) * hidden;
  work.logits = real(shape.vocab);
  work.attention_flops = attention * attention_forward_flops(shape, sequence_length);
  work.scan_elements = real(shape.mamba_layers) * mamba_elements(shape);
  work.elements = attention * attention_elements(shape) + plain * matrices(shape) * (hidden + real(shape.ffn)) +
                  work.scan_elements + mixture * shared_elements(shape) + 8.0 * hidden * real(shape.layers);
  work.permuted = mixture * real(shape.experts_active) * expert_width(shape);
  work.routed_elements =
      mixture * matrices(shape) * (expert_width(shape) + real(shape.expert_ffn)) * real(shape.experts_active);
  work.scores = attention * real(shape.heads) * sequence_length;
  return work;
}

HeldWeights held_weights(const TransformerShape& shape) {
  const double embedding = real(shape.vocab) * real(shape.hidden);
  return {dense_weights(shape), routed_weights(shape, shape.experts), shape.tied ? embedding : 2.0 * embedding};
}

Workpiece workpiece_of(const StepQuestion& question) {
  const TransformerShape& shape = question.shape;
  Workpiece work;
  work.token = token_work(shape, question.sequence_length);
  if (question.packed) work.token.attention_flops *= 0.2;
  work.held = held_weights(shape);
  work.rates = rates_of(question.gpu, question.precision);
  work.links = question.links;
  fill_layout(question, work);
  fill_shape(shape, work);
  work.layer_slice = std::sqrt(work.held.dense / work.layers / work.tensor);
  work.sequence_length = question.sequence_length;
  work.year = question.software.year;
  work.stack = question.software.stack;
  work.overlap = question.overlap;
  work.imbalance = question.imbalance;
  work.generation = question.gpu.generation;
  work.precision = question.precision;
  work.causal = shape.causal;
  work.lora = question.task == TrainingTask::lora;
  work.fused_attention = question.fused_attention;
  work.head_on_last_stage = work.pipeline > 1 && shape.layers % question.layout.pipeline == 0;
  work.is_gb300 = question.gpu.id == "GB300";
  work.is_b300 = question.gpu.id == "B300";
  return work;
}

}  // namespace fleetcast::models
