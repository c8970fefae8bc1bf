#include "models/memory_states.hpp"

#include <algorithm>
#include <cmath>

namespace fleetcast::models {

namespace {

/// Trained share of the weights with adapters of rank 16 on all matrices (Hu et al. 2021): 40 M of Llama 2 7B.
constexpr double adapter_share = 0.006;
/// DeepSpeed's default bucket, in elements; two of them where communication overlaps.
constexpr double bucket_elements = 5e8;
/// The update under ZeRO-3 goes through groups of at most so many parameters (DeepSpeed's sub_group_size).
constexpr double update_group = 1e9;

double width(std::int64_t value) {
  return static_cast<double>(value);
}

double embedding_parameters(const TransformerShape& shape) {
  return width(shape.vocab) * width(shape.hidden);
}

double routed_parameters(const TransformerShape& shape) {
  const double latent = width(shape.expert_latent > 0 ? shape.expert_latent : shape.hidden);
  return width(mixture_layers(shape)) * width(shape.experts) * (shape.gated ? 3.0 : 2.0) * latent *
         width(shape.expert_ffn);
}

int embeddings_of_stage(const TransformerShape& shape, int pipeline, int stage) {
  if (pipeline == 1) return shape.tied ? 1 : 2;
  return stage == 0 || stage == pipeline - 1 ? 1 : 0;
}

/// Bytes a parameter of the copies that 8- and 4-bit products read: one along rows, one along columns, with scales.
double copy_bytes(Precision precision) {
  switch (precision) {
    case Precision::fp8:
      return 2.0;
    case Precision::mxfp8:
      return 2.0 + 2.0 / 32.0;
    case Precision::mxfp4:
      return 1.0 + 2.0 / 32.0;
    case Precision::nvfp4:
      return 1.0 + 2.0 / 16.0;
    default:
      return 0.0;
  }
}

/// Moments, bytes a parameter: README.md.
double moment_bytes(Optimizer optimizer) {
  switch (optimizer) {
    case Optimizer::adamw:
    case Optimizer::paged_adamw:
      return 8.0;
    case Optimizer::adamw_bf16:
    case Optimizer::sgd:
      return 4.0;
    case Optimizer::adam8bit:
      return 2.0;
    case Optimizer::adafactor:
      return 0.85;
  }
  return 8.0;
}

/// Square root and quotient of an Adam step that is not fused into one kernel, bytes a parameter.
double step_bytes(Optimizer optimizer) {
  return optimizer == Optimizer::adamw ? 8.0 : optimizer == Optimizer::adamw_bf16 ? 4.0 : 0.0;
}

double master_bytes(const MemoryQuestion& question) {
  const bool none = question.layout.optimizer == Optimizer::adamw_bf16 || bits_of(question.precision) == 32;
  return none ? 0.0 : 4.0;
}

double gradient_bytes(const MemoryQuestion& question) {
  if (question.gradient_bytes > 0) return question.gradient_bytes;
  if (question.layout.optimizer == Optimizer::adamw_bf16) return 2.0;
  return question.layout.sharding <= Sharding::zero1 ? 4.0 : element_bytes(question.precision);
}

bool shards_weights(const Layout& layout) {
  return layout.sharding >= Sharding::zero3;
}

/// Ranks that hold the same parameters (the data and context dimensions; experts: what expert parallelism leaves).
struct Degrees {
  double dense = 1, experts = 1;
};

Degrees sharding_degrees(const MemoryQuestion& question) {
  const Layout& layout = question.layout;
  if (layout.sharding == Sharding::none) return {};
  Degrees degrees;
  degrees.dense = static_cast<double>(layout.data) * layout.context;
  if (layout.sharding == Sharding::hsdp)
    degrees.dense = std::min(degrees.dense, std::max(1.0, std::floor(question.gpus_per_node / double(layout.tensor))));
  degrees.experts = std::max(1.0, degrees.dense / layout.expert);
  return degrees;
}

/// Full gradients pile up while nothing is exchanged.
bool full_gradients(const Layout& layout) {
  return layout.sharding <= Sharding::zero1 || (layout.gradient_sync == GradientSync::once && layout.micro_batches > 1);
}

double buffers(const MemoryQuestion& question, const StageParameters& held, double gradient) {
  const Layout& layout = question.layout;
  const double all = held.dense + held.experts;
  if (shards_weights(layout) || layout.offload == Offload::all) {
    const double weight = element_bytes(question.precision) + copy_bytes(question.precision);
    return held.largest_unit * (2.0 * weight + (full_gradients(layout) ? 0.0 : gradient));
  }
  if (layout.sharding != Sharding::zero2 || full_gradients(layout)) return 0.0;
  return gradient * std::min(2.0 * bucket_elements, all);
}

}  // namespace

double element_bytes(Precision precision) {
  return bits_of(precision) == 32 ? 4.0 : 2.0;
}

double layers_of_stage(const TransformerShape& shape, int pipeline, int stage) {
  const std::int64_t even = shape.layers / pipeline, rest = shape.layers % pipeline;
  if (rest > 0 && (shape.layers + 2) % pipeline == 0) {
    const bool outer = stage == 0 || stage == pipeline - 1;
    return width((shape.layers + 2) / pipeline) - (outer ? 1.0 : 0.0);
  }
  return width(even) + (stage >= 1 && stage <= rest ? 1.0 : 0.0);
}

StageParameters stage_parameters(const MemoryQuestion& question, int stage) {
  const TransformerShape& shape = question.shape;
  const Layout& layout = question.layout;
  const double embedding = embedding_parameters(shape), routed = routed_parameters(shape), tensor = layout.tensor;
  const double body = parameters(shape) - (shape.tied ? 1.0 : 2.0) * embedding - routed;
  const double layers = layers_of_stage(shape, layout.pipeline, stage), share = layers / width(shape.layers);
  const double outer = embeddings_of_stage(shape, layout.pipeline, stage) * embedding / tensor;
  StageParameters held;
  held.dense = body * share / tensor + outer;
  held.experts = routed * share / (tensor * layout.expert);
  held.quantised = held.dense - outer + held.experts;
  held.largest_unit = std::max(held.quantised / std::max(1.0, layers), outer > 0 ? embedding / tensor : 0.0);
  return held;
}

StateBytes state_bytes(const MemoryQuestion& question, int stage) {
  const Layout& layout = question.layout;
  const StageParameters held = stage_parameters(question, stage);
  const Degrees degrees = sharding_degrees(question);
  const double all = held.dense + held.experts, shard = held.dense / degrees.dense + held.experts / degrees.experts;
  const double trained = question.fine_tune_lora ? adapter_share : 1.0, gradient = gradient_bytes(question);
  const bool whole_states = layout.sharding == Sharding::none;

  StateBytes bytes;
  const double element = element_bytes(question.precision);
  const double kept = shards_weights(layout) ? shard : all;
  bytes.weights = element * kept + (shards_weights(layout) ? 0.0 : copy_bytes(question.precision) * held.quantised);
  bytes.gradients = trained * gradient * (full_gradients(layout) ? all : shard);
  const double states = trained * (whole_states ? all : shard);
  bytes.master_weights = master_bytes(question) * states;
  bytes.optimizer = moment_bytes(layout.optimizer) * states;
  bytes.communication_buffers = buffers(question, held, trained * gradient);
  if (layout.sharding >= Sharding::zero2) {
    const double group = shards_weights(layout) ? std::min(states, update_group) : states;
    const double upcast = master_bytes(question) > 0 ? 4.0 - std::min(4.0, gradient) : 0.0;
    bytes.update = (upcast + step_bytes(layout.optimizer)) * group;
  }
  if (layout.offload != Offload::none) {
    bytes.host = bytes.master_weights + bytes.optimizer + 4.0 * states;
    bytes.master_weights = bytes.optimizer = bytes.update = 0.0;
  }
  if (layout.offload == Offload::all) {
    bytes.host += bytes.weights + bytes.gradients;
    bytes.weights = bytes.gradients = 0.0;
  }
  return bytes;
}

}  // namespace fleetcast::models
