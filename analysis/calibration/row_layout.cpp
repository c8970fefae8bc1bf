#include "analysis/calibration/row_layout.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/calibration/row_fields.hpp"
#include "models/workpiece.hpp"

namespace fleetcast::analysis {

namespace {

using models::Layout;
using models::Recompute;
using models::Sharding;
using models::Stack;
using models::StepQuestion;

constexpr double large_model = 20e9, small_model = 1e9;  // parameters without embeddings
constexpr double small_batch_tokens = 65536, usual_batch_tokens = 8192;
constexpr double long_sequence = 8192;

double body_parameters(const StepQuestion& question) {
  const models::HeldWeights held = models::held_weights(question.shape);
  return held.dense + held.routed;
}

Sharding sharding_of(const std::string& name) {
  if (name.starts_with("zero3") || name == "fsdp") return Sharding::zero3;
  if (name == "hybrid" || name == "hsdp") return Sharding::hsdp;
  if (name == "zero2") return Sharding::zero2;
  if (name == "none") return Sharding::none;
  return Sharding::zero1;
}

int degree(const CsvLine& line, const char* name, double otherwise = 1.0) {
  return static_cast<int>(count_or(line, name, otherwise));
}

/// GPUs of a replica.
double model_parallel(const CsvLine& line, double gpus, const Layout& layout) {
  const double product = 1.0 * layout.tensor * layout.pipeline * layout.context;
  if (std::fmod(gpus, product) != 0.0) refuse_field(line, "n_gpus", "a multiple of tp x pp x cp");
  return product;
}

double usual_micro_batch(const StepQuestion& question) {
  const double sequence = question.sequence_length, body = body_parameters(question);
  const auto of_tokens = [&](double tokens) { return std::max(1.0, std::floor(tokens / sequence)); };
  if (body < small_model) return of_tokens(small_batch_tokens);
  if (body > large_model) return 1.0;
  const bool blackwell = question.gpu.generation == models::Generation::blackwell;
  if (question.layout.pipeline > 1 || (sequence >= long_sequence && !blackwell)) return 1.0;
  return of_tokens(usual_batch_tokens);
}

void fill_degrees(const CsvLine& line, double gpus, StepQuestion& question) {
  Layout& layout = question.layout;
  layout.sharding = sharding_of(text_in(line, "sharding"));
  if (layout.sharding == Sharding::zero3) layout.gradient_sync = models::GradientSync::every;
  if (layout.sharding == Sharding::hsdp) layout.gradient_sync = models::GradientSync::reduce_scatter;
  layout.tensor = degree(line, "tp");
  layout.pipeline = degree(line, "pp");
  layout.context = degree(line, "cp");
  const bool interleaved = layout.pipeline > 1 && question.software.stack == Stack::tuned;
  layout.virtual_stages = degree(line, "vpp", interleaved ? 5.0 : 1.0);
  const double experts = static_cast<double>(question.shape.experts);
  const bool spread = experts > 0 && layout.sharding == Sharding::zero3;
  layout.expert = degree(line, "ep", spread ? std::min({64.0, gpus, experts}) : 1.0);
  layout.data = static_cast<int>(gpus / model_parallel(line, gpus, layout));
}

void fill_batch(const CsvLine& line, StepQuestion& question) {
  Layout& layout = question.layout;
  const double replicas = layout.data;
  layout.micro_batch = count_or(line, "micro_batch", usual_micro_batch(question));
  const double usual = layout.pipeline == 1 ? 4.0 : 8.0 * layout.pipeline;
  const double batch = count_or(line, "global_batch", layout.micro_batch * replicas * usual);
  layout.micro_batches = std::max(1.0, batch / (layout.micro_batch * replicas));
}

double memory_of(const CsvLine& line) {
  return field_or(line, "gpu_mem_gb", 80.0) * 1e9;
}

/// PyTorch users recompute when they must: 34 bytes per token, width and layer (Korthikanti et al. 2022) plus states.
bool must_recompute(const CsvLine& line, double gpus, const StepQuestion& question) {
  const Layout& layout = question.layout;
  const auto& shape = question.shape;
  const models::HeldWeights held = models::held_weights(shape);
  const double tokens = layout.micro_batch * question.sequence_length / layout.context;
  const double kept = 34.0 * tokens * static_cast<double>(shape.hidden * shape.layers) /
                      (layout.tensor * layout.pipeline) * std::min<double>(layout.pipeline, layout.micro_batches);
  const double states =
      18.0 * (held.dense + held.routed + 2.0 * static_cast<double>(shape.vocab * shape.hidden)) / gpus;
  return kept + states > 0.92 * memory_of(line);
}

/// Tuned FSDP recipes recompute just the layers whose activations do not fit.
double share_that_does_not_fit(const CsvLine& line, double gpus, const StepQuestion& question) {
  const Layout& layout = question.layout;
  const models::TokenWork work = models::token_work(question.shape, question.sequence_length);
  const models::HeldWeights held = models::held_weights(question.shape);
  const double tokens = layout.micro_batch * question.sequence_length / layout.context;
  const double kept = 1.4 * (work.elements + work.routed_elements) * tokens / (layout.tensor * layout.pipeline);
  const double states = 18.0 * (held.dense + held.routed) / gpus;
  return std::clamp(1.0 - (0.9 * memory_of(line) - states) / kept, 0.0, 1.0);
}

void fill_recompute(const CsvLine& line, double gpus, StepQuestion& question) {
  const std::string said = text_in(line, "activation_ckpt");
  const Stack stack = question.software.stack;
  Layout& layout = question.layout;
  if (said == "full") layout.recompute = Recompute::full;
  if (said == "selective") layout.recompute = Recompute::selective;
  if (!said.empty() && said != "unknown") return;
  if (stack == Stack::pytorch && must_recompute(line, gpus, question)) layout.recompute = Recompute::full;
  const bool fsdp = layout.sharding == Sharding::zero3;
  if (stack == Stack::tuned && fsdp && question.shape.experts == 0 && question.task != models::TrainingTask::lora)
    question.recomputed_share = share_that_does_not_fit(line, gpus, question);
}

}  // namespace

std::optional<models::Precision> precision_in(std::string_view name) {
  if (name == "float8" || name == "fp8-tensorwise" || name == "fp8-cs" || name == "fp8-ds")
    return models::Precision::fp8;
  if (name == "fp8-mx" || name == "fp8_mx") return models::Precision::mxfp8;
  if (name == "fp4") return models::Precision::nvfp4;
  return models::precision_from(name);
}

bool has_fused_attention(const StepQuestion& question) {
  if (question.software.stack == Stack::early) return false;
  const bool sinks = question.shape.id.starts_with("gpt-oss");
  return !(sinks && question.software.stack == Stack::tuned && question.software.year < 2026.4);
}

void fill_layout(const CsvLine& line, StepQuestion& question) {
  const double gpus = *field(line, "n_gpus");
  fill_degrees(line, gpus, question);
  fill_batch(line, question);
  fill_recompute(line, gpus, question);
}

}  // namespace fleetcast::analysis
