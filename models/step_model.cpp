#include "models/step_model.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "models/random/deterministic_math.hpp"
#include "models/step_rates.hpp"
#include "models/step_traffic.hpp"

namespace fleetcast::models {

namespace {

using P = ThroughputParameters;
using namespace step;

constexpr double fused_year = 2024.0, graph_year = 2026.4;

double joined(double a, double b, double exponent) {
  if (a <= 0.0 || b <= 0.0) return a + b;
  return det::pow(det::pow(a, exponent) + det::pow(b, exponent), 1.0 / exponent);
}

bool ordinary(const Workpiece& work) {
  return work.stack == Stack::pytorch || work.stack == Stack::early;
}

/// Forward, gradient of the inputs, gradient of the weights, recomputation.
double layer_passes(const Workpiece& work) {
  return (work.lora ? 2.0 : 3.0) + work.recomputed;
}

double memory_passes(const Workpiece& work, const P& p) {
  return ordinary(work) && !(work.stack == Stack::pytorch && work.year >= fused_year) ? p.passes_unfused : p.passes;
}

double cast_passes(const Workpiece& work, const P& p) {
  if (!is_low(work)) return 0.0;
  if (work.precision == Precision::mxfp8 || (is_fp4(work) && work.mixture_layers > 0)) return p.casts_mx;
  return is_fp4(work) ? p.casts4 : p.casts8;
}

/// Permutation and launches of experts since graph capture and fused permutation reached Blackwell recipes.
double expert_software(const Workpiece& work, const P& p) {
  const bool recent = work.year >= graph_year && work.generation == Generation::blackwell && !work.hybrid;
  return recent && work.mixture_layers > 0 ? det::exp(-p.permute_gain_2026) : 1.0;
}

double score_bytes(const Workpiece& work, const P& p) {
  if (work.fused_attention) return 0.0;
  const double passes = work.stack == Stack::early ? p.score_passes_early : p.score_passes;
  return passes * 2.0 * work.token.scores * (1.0 + work.recomputed_attention / 3.0);
}

/// Kept activations are read, packed, unpacked and written once more.
double compression_bytes(const Workpiece& work) {
  return work.activation_compression > 1.0 ? 8.0 * (work.token.elements + work.token.routed_elements) : 0.0;
}

/// FP32 and TF32 keep their values in 32 bits; a quarter of the traffic (indices, statistics) has one width anyway.
double width_factor(const Workpiece& work) {
  return bits_of(work.precision) == 32 ? 1.75 : 1.0;
}

/// Adapters read and write every product's input and output once more, narrow.
double adapter_bytes(const Workpiece& work) {
  return work.lora ? 2.0 * work.token.elements : 0.0;
}

/// Bytes per token: one pass moves 2 bytes forward and 4 backward of every element.
double token_bytes(const Workpiece& work, const P& p) {
  const TokenWork& token = work.token;
  const double plain = 6.0 * memory_passes(work, p) * token.elements * layer_passes(work) / 3.0;
  const double casts = 6.0 * cast_passes(work, p) * (work.lora ? 2.0 / 3.0 : 1.0);
  return width_factor(work) * plain + adapter_bytes(work) +
         2.0 * p.permute_passes * token.permuted * expert_software(work, p) +
         6.0 * p.routed_passes * token.routed_elements + score_bytes(work, p) +
         6.0 * p.scan_passes * token.scan_elements + casts * (token.elements + token.routed_elements) +
         compression_bytes(work);
}

double local_weights(const Workpiece& work) {
  return (work.held.dense / work.tensor + work.held.routed / std::max(work.expert, 1.0)) / work.pipeline;
}

double launch_floor(const Workpiece& work, const P& p) {
  const double layer = work.stack == Stack::early     ? p.launch_early
                       : work.stack == Stack::pytorch ? p.launch_pytorch
                                                      : p.launch_tuned;
  double floor =
      work.layers / work.pipeline * layer * (is_low(work) ? p.launch_low : 1.0) * (1.0 + work.recomputed / 3.0);
  if (work.mixture_layers > 0)
    floor += work.mixture_layers / work.pipeline * p.launch_experts * expert_software(work, p) *
             det::pow(work.experts / std::max(work.expert, 1.0) / 8.0, p.launch_experts_power);
  return floor;
}

/// Tokens whose logits this GPU makes; with equal stages the last one is the slowest and sets the pace. Encoders
/// predict the masked tokens only.
double head_share(const Workpiece& work) {
  return (work.causal ? 1.0 : 0.16) * work.tokens / work.tensor / (work.head_on_last_stage ? 1.0 : work.pipeline);
}

/// One micro-batch on the GPU itself; the joins with launches and traffic come after.
StepBreakdown own_work(const Workpiece& work, const P& p) {
  const TokenWork& token = work.token;
  const double memory = usable_memory_rate * work.rates.memory, passes = layer_passes(work);
  StepBreakdown part;
  part.matrix = passes * 2.0 * token.dense_weights * work.share / layer_rate(work, p);
  if (token.routed_weights > 0.0)
    part.experts = work.imbalance * passes * 2.0 * token.routed_weights * work.share / routed_rate(work, p);
  part.output_layer = head_share(work) * ((work.lora ? 4.0 : 6.0) * token.head_weights / wide_rate(work, p) +
                                          6.0 * memory_passes(work, p) * token.logits / memory);
  part.attention = (3.5 + work.recomputed_attention) * token.attention_flops * work.share / attention_rate(work, p) *
                   (1.0 + p.context_exposed * (1.0 - 1.0 / work.context));
  part.memory_bound = (token_bytes(work, p) * work.share + p.weight_bytes * local_weights(work)) / memory;
  part.tensor_traffic = tensor_traffic(work, p);
  part.context_traffic = context_traffic(work);
  part.expert_traffic = work.imbalance * expert_traffic(work, p);
  return part;
}

/// The part of `traffic` that sticks out of `window` seconds of work beside it.
double exposed(const Workpiece& work, const P& p, double window, double traffic) {
  if (work.overlap) return std::max((1.0 - *work.overlap) * traffic, traffic - window);
  return joined(window, traffic, p.overlap_norm) - window;
}

double software_factor(const Workpiece& work, const P& p) {
  double logarithm = 0.0;
  if (work.stack == Stack::tuned) logarithm -= p.yearly_gain * (work.year - 2025.0);
  if (work.stack == Stack::jax) logarithm += p.jax;
  const double launch = by_generation(work, 2020.5, 2022.8, 2024.9);
  logarithm += p.immature * det::pow(2.0, -std::max(0.0, work.year - launch));
  return det::exp(logarithm);
}

template <class Work>
void each_part(StepBreakdown& part, const Work& work) {
  for (double* each : {&part.matrix, &part.experts, &part.output_layer, &part.attention, &part.memory_bound,
                       &part.launch, &part.tensor_traffic, &part.context_traffic, &part.expert_traffic,
                       &part.pipeline_traffic, &part.weight_traffic, &part.gradient_traffic, &part.host_traffic,
                       &part.bubble, &part.optimizer, &part.constant, &part.waiting, &part.hidden})
    work(*each);
}

void scale(StepBreakdown& part, double factor) {
  each_part(part, [&](double& value) { value *= factor; });
}

}  // namespace

double StepBreakdown::total() const {
  return matrix + experts + output_layer + attention + memory_bound + launch + exposed_communication() + bubble +
         optimizer + constant + waiting;
}

double StepBreakdown::exposed_communication() const {
  return tensor_traffic + context_traffic + expert_traffic + pipeline_traffic + weight_traffic + gradient_traffic +
         host_traffic;
}

StepBreakdown mean_of(const StepBreakdown& a, const StepBreakdown& b) {
  StepBreakdown sum = a, other = b;
  std::vector<double> values;
  each_part(other, [&](double value) { values.push_back(value); });
  std::size_t at = 0;
  each_part(sum, [&](double& value) { value = 0.5 * (value + values[at++]); });
  return sum;
}

StepBreakdown step_breakdown(const Workpiece& work, const P& p) {
  StepBreakdown part = own_work(work, p);
  const double busy = part.total();
  part.launch = joined(busy, launch_floor(work, p), p.launch_norm) - busy;
  part.pipeline_traffic = pipeline_traffic(work, p);
  part.host_traffic = std::max(0.0, offload_of_micro_batch(work) - part.total());
  const double alone = part.total(), gathers = sharding_traffic(work, p);
  part.weight_traffic = exposed(work, p, alone, gathers);
  const double micro_batch = part.total();
  const GradientTraffic exchange = gradient_traffic(work);
  const double hidden = gathers - part.weight_traffic;
  scale(part, work.micro_batches);
  part.bubble = micro_batch * (work.pipeline - 1.0) / work.virtual_stages;
  part.gradient_traffic =
      exchange.times * exposed(work, p, micro_batch, exchange.seconds) + exposed(work, p, micro_batch, exchange.last);
  part.hidden = hidden * work.micro_batches + exchange.times * exchange.seconds + exchange.last - part.gradient_traffic;
  if (!work.lora && work.offload == Offload::none)
    part.optimizer = 24.0 * work.held.all() / work.gpus / (usable_memory_rate * work.rates.memory);
  part.host_traffic += offload_of_step(work);
  part.constant = p.step_constant * (work.stack == Stack::early ? 0.1 : work.lora ? 0.3 : 1.0);
  const double doublings = det::log(std::max(1.0, work.gpus / 8.0)) / det::log(2.0);
  part.waiting =
      doublings * (part.total() * p.scaling_loss + work.micro_batches * work.layers / work.pipeline * p.layer_jitter);
  scale(part, software_factor(work, p));
  return part;
}

}  // namespace fleetcast::models
