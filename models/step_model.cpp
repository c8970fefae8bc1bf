#include "models/step_model.hpp"

#include <algorithm>
#include <cmath>

namespace fleetcast::models {

namespace {

using P = ThroughputParameters;

constexpr double usable_memory_rate = 0.85;  // of the data sheet's, large streams
constexpr double usable_link_rate = 0.75;    // of nominal, large collectives (all-reduce tables: 0.72 to 0.80)
constexpr double ring_decline = 0.073;       // 332 to 271 GB/s from 4 to 64 nodes of B200 over InfiniBand
constexpr double flash2_year = 2024.2, fused_year = 2024.0, graph_year = 2026.4;

double joined(double a, double b, double exponent) {
  if (a <= 0.0 || b <= 0.0) return a + b;
  return std::pow(std::pow(a, exponent) + std::pow(b, exponent), 1.0 / exponent);
}

bool is_mx(Precision precision) {
  return precision == Precision::mxfp8;
}
bool is_fp4(const Workpiece& work) {
  return bits_of(work.precision) == 4;
}
bool is_low(const Workpiece& work) {
  return bits_of(work.precision) < 16;
}
bool ordinary(const Workpiece& work) {
  return work.stack == Stack::pytorch || work.stack == Stack::early;
}

double by_generation(const Workpiece& work, double ampere, double hopper, double blackwell) {
  if (work.generation == Generation::blackwell) return blackwell;
  return work.generation == Generation::hopper ? hopper : ampere;
}

/// Clocks above those of the ceiling's GPU.
double clock_factor(const Workpiece& work, const P& p) {
  return work.is_gb300 ? p.gb300 : work.is_b300 ? p.b300 : 1.0;
}

double rate16(const Workpiece& work, const P& p) {
  return work.rates.matmul16 * clock_factor(work, p) *
         by_generation(work, p.matmul_ampere, p.matmul_hopper, p.matmul_blackwell);
}
double rate8(const Workpiece& work, const P& p) {
  return work.rates.matmul8 * clock_factor(work, p) *
         by_generation(work, p.matmul_ampere, p.matmul8_hopper, p.matmul8_blackwell);
}

double layer_rate(const Workpiece& work, const P& p) {
  switch (bits_of(work.precision)) {
    case 32:
      return work.rates.matmul32 * p.matmul_ampere;
    case 8:
      return rate8(work, p);
    case 4:
      return work.rates.matmul4 * p.matmul4_blackwell;
    default:
      return rate16(work, p);
  }
}
/// Small matrices do not fill the GPU; the faster the format, the larger they must be.
double filled(double side, double half, const Workpiece& work) {
  return side / (side + half * 16.0 / bits_of(work.precision));
}
/// Routed experts gain nothing from FP4 over FP8 in any measured row.
double routed_rate(const Workpiece& work, const P& p) {
  return (is_fp4(work) ? rate8(work, p) : layer_rate(work, p)) * p.routed *
         filled(work.expert_slice, p.routed_half, work);
}

double attention_rate(const Workpiece& work, const P& p) {
  double share = by_generation(work, p.attention_ampere, p.attention_hopper, p.attention_blackwell);
  if (work.stack == Stack::pytorch && work.year < flash2_year)
    share *= by_generation(work, p.first_flash_ampere, p.first_flash_hopper, 1.0);
  return work.rates.matmul16 * clock_factor(work, p) * share * work.head_width / (work.head_width + p.softmax_width);
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
  if (is_mx(work.precision) || (is_fp4(work) && work.mixture_layers > 0)) return p.casts_mx;
  return is_fp4(work) ? p.casts4 : p.casts8;
}

/// Permutation and launches of experts since graph capture and fused permutation reached Blackwell recipes.
double expert_software(const Workpiece& work, const P& p) {
  const bool recent = work.year >= graph_year && work.generation == Generation::blackwell && !work.hybrid;
  return recent && work.mixture_layers > 0 ? std::exp(-p.permute_gain_2026) : 1.0;
}

double score_bytes(const Workpiece& work, const P& p) {
  if (work.fused_attention) return 0.0;
  const double passes = work.stack == Stack::early ? p.score_passes_early : p.score_passes;
  return passes * 2.0 * work.token.scores * (1.0 + work.recomputed_attention / 3.0);
}

/// Bytes per token: one pass moves 2 bytes forward and 4 backward of every element.
double token_bytes(const Workpiece& work, const P& p) {
  const TokenWork& token = work.token;
  return 6.0 * memory_passes(work, p) * token.elements * layer_passes(work) / 3.0 +
         2.0 * p.permute_passes * token.permuted * expert_software(work, p) +
         6.0 * p.routed_passes * token.routed_elements + score_bytes(work, p) +
         6.0 * p.scan_passes * token.scan_elements +
         6.0 * cast_passes(work, p) * (token.elements + token.routed_elements);
}

double local_weights(const Workpiece& work) {
  return (work.held.dense / work.tensor + work.held.routed / std::max(work.expert, 1.0)) / work.pipeline;
}

double launch_floor(const Workpiece& work, const P& p) {
  const double layer = work.stack == Stack::early     ? p.launch_early
                       : work.stack == Stack::pytorch ? p.launch_pytorch
                                                      : p.launch_tuned;
  double floor = work.layers / work.pipeline * layer * (1.0 + work.recomputed / 3.0);
  if (work.mixture_layers > 0)
    floor += work.mixture_layers / work.pipeline * p.launch_experts * expert_software(work, p) *
             std::pow(work.experts / std::max(work.expert, 1.0) / 8.0, p.launch_experts_power);
  return floor;
}

// -------------------------------------------------------------------------------------------- traffic

double inside(const Workpiece& work) {
  return usable_link_rate * work.links.intra;
}
double domain_of(const Workpiece& work) {
  return std::min<double>(work.links.domain, work.gpus);
}
/// Large rings slow down with the nodes in them.
double across(const Workpiece& work) {
  const double nodes = std::max(work.gpus / std::min<double>(work.links.gpus_per_node, work.gpus), 4.0);
  return usable_link_rate * work.links.inter * std::pow(nodes / 16.0, -ring_decline);
}

double tensor_traffic(const Workpiece& work, const P& p) {
  const double layers = work.layers / work.pipeline;
  const double bytes =
      (8.0 + 4.0 * work.recomputed) * work.tokens * work.hidden * 2.0 * (work.tensor - 1.0) / work.tensor;
  const double hop = work.stack == Stack::early ? p.hop_early : 3e-6;
  return layers * (p.tensor_exposed * bytes / inside(work) + hop * 8.0 * (work.tensor - 1.0));
}

double context_traffic(const Workpiece& work) {
  if (work.context <= 1.0) return 0.0;
  const double link = work.tensor * work.context <= domain_of(work) ? work.links.intra : work.links.inter;
  return 12.0 * work.tokens * work.key_value_width * (work.context - 1.0) * work.attention_layers / work.pipeline /
         work.tensor / (usable_link_rate * link);
}

/// A token goes once to each node that has one of its experts.
double copies_of_token(const Workpiece& work) {
  if (work.expert <= domain_of(work)) return work.experts_active;
  const double nodes = std::max(1.0, work.expert / std::min<double>(work.links.gpus_per_node, work.gpus));
  return std::min(work.experts_active, nodes * (1.0 - std::pow(1.0 - 1.0 / nodes, work.experts_active)));
}

double expert_traffic(const Workpiece& work, const P& p) {
  if (work.mixture_layers <= 0.0 || work.expert <= 1.0) return 0.0;
  const double link = work.expert <= domain_of(work) ? work.links.intra : work.links.inter;
  return p.expert_exposed * 8.0 * work.tokens / work.tensor * copies_of_token(work) * work.expert_width *
         (work.expert - 1.0) / work.expert * work.mixture_layers / work.pipeline / (usable_link_rate * link);
}

double pipeline_traffic(const Workpiece& work, const P& p) {
  if (work.pipeline <= 1.0) return 0.0;
  // Neighbours are gpus / pipeline ranks apart: the smaller that is against a domain, the more pairs share one.
  const double within = std::max(0.0, 1.0 - work.gpus / work.pipeline / domain_of(work));
  const double per_byte = (within / work.links.intra + (1.0 - within) / work.links.inter) / usable_link_rate;
  return p.pipeline_exposed * 8.0 * work.virtual_stages * work.tokens * work.hidden / work.tensor * per_byte;
}

bool leaves_domain(const Workpiece& work) {
  return work.gpus > domain_of(work);
}

/// Gathers forward and backward and a reduce-scatter, in every micro-batch.
double sharding_traffic(const Workpiece& work) {
  if (!work.sharded_weights && !work.sharded_in_node) return 0.0;
  const double weights = work.held.sharded() + work.held.routed / std::max(work.expert, 1.0);
  const double bytes = (work.stack == Stack::tuned && is_low(work) ? 4.0 : 6.0) * weights / work.pipeline;
  if (leaves_domain(work) && !work.sharded_in_node) return bytes / (domain_of(work) * across(work));
  return bytes / (work.tensor * inside(work));
}

double gradient_bytes(const Workpiece& work) {
  if (work.stack != Stack::tuned) return 6.0;
  return is_low(work) ? 3.0 : 4.0;
}

/// Reduce-scatter of gradients and gather of weights once a step.
double gradient_traffic(const Workpiece& work) {
  if (work.sharded_weights || work.lora || work.data * work.context <= 1.0) return 0.0;
  const double part = work.sharded_in_node ? 0.6 : 1.0;
  const double stage = 1.0 / work.pipeline, expert = std::max(work.expert, 1.0);
  if (!leaves_domain(work)) {
    const double split = work.tensor * (work.mixture_layers > 0 ? expert : 1.0);
    return part * gradient_bytes(work) * work.held.all() * stage / (split * inside(work));
  }
  const double domain = domain_of(work);
  double routed = work.held.routed * stage / (std::max(expert > domain ? expert : domain, 1.0) * across(work));
  if (work.gpus / (expert * work.pipeline) <= 1.01) routed = 0.0;
  return part * gradient_bytes(work) * (work.held.sharded() * stage / (domain * across(work)) + routed);
}

// ---------------------------------------------------------------------------------------- micro-batch

/// Tokens whose logits this GPU makes; with equal stages the last one is the slowest and sets the pace.
double head_share(const Workpiece& work) {
  return work.tokens / work.tensor / (work.head_on_last_stage ? 1.0 : work.pipeline);
}

/// One micro-batch on the GPU itself; the joins with launches and traffic come after.
StepBreakdown own_work(const Workpiece& work, const P& p) {
  const TokenWork& token = work.token;
  const double memory = usable_memory_rate * work.rates.memory, passes = layer_passes(work);
  StepBreakdown part;
  part.matrix = passes * 2.0 * token.dense_weights * work.share /
                (layer_rate(work, p) * filled(work.layer_slice, p.matmul_half, work));
  if (token.routed_weights > 0.0)
    part.experts = passes * 2.0 * token.routed_weights * work.share / routed_rate(work, p);
  part.output_layer = head_share(work) * (6.0 * token.head_weights / rate16(work, p) +
                                          6.0 * memory_passes(work, p) * token.logits / memory);
  part.attention = (3.5 + work.recomputed_attention) * token.attention_flops * work.share / attention_rate(work, p) *
                   (1.0 + p.context_exposed * (1.0 - 1.0 / work.context));
  part.memory_bound = (token_bytes(work, p) * work.share + p.weight_bytes * local_weights(work)) / memory;
  part.tensor_traffic = tensor_traffic(work, p);
  part.context_traffic = context_traffic(work);
  part.expert_traffic = expert_traffic(work, p);
  return part;
}

void scale(StepBreakdown& part, double factor) {
  for (double* each :
       {&part.matrix, &part.experts, &part.output_layer, &part.attention, &part.memory_bound, &part.launch,
        &part.tensor_traffic, &part.context_traffic, &part.expert_traffic, &part.pipeline_traffic, &part.weight_traffic,
        &part.gradient_traffic, &part.bubble, &part.optimizer, &part.constant, &part.waiting})
    *each *= factor;
}

double software_factor(const Workpiece& work, const P& p) {
  double logarithm = 0.0;
  if (work.stack == Stack::tuned) logarithm -= p.yearly_gain * (work.year - 2025.0);
  if (work.stack == Stack::jax) logarithm += p.jax;
  const double launch = by_generation(work, 2020.5, 2022.8, 2024.9);
  logarithm += p.immature * std::exp2(-std::max(0.0, work.year - launch));
  return std::exp(logarithm);
}

}  // namespace

double StepBreakdown::total() const {
  return matrix + experts + output_layer + attention + memory_bound + launch + exposed_communication() + bubble +
         optimizer + constant + waiting;
}

double StepBreakdown::exposed_communication() const {
  return tensor_traffic + context_traffic + expert_traffic + pipeline_traffic + weight_traffic + gradient_traffic;
}

StepBreakdown step_breakdown(const Workpiece& work, const P& p) {
  StepBreakdown part = own_work(work, p);
  const double busy = part.total();
  part.launch = joined(busy, launch_floor(work, p), p.launch_norm) - busy;
  part.pipeline_traffic = pipeline_traffic(work, p);
  const double alone = part.total();
  part.weight_traffic = joined(alone, sharding_traffic(work), p.overlap_norm) - alone;
  const double micro_batch = part.total();
  const double exchange = joined(micro_batch, gradient_traffic(work), p.overlap_norm) - micro_batch;
  scale(part, work.micro_batches);
  part.bubble = micro_batch * (work.pipeline - 1.0) / work.virtual_stages;
  part.gradient_traffic = exchange;
  if (!work.lora) part.optimizer = 24.0 * work.held.all() / work.gpus / (usable_memory_rate * work.rates.memory);
  part.constant = p.step_constant * (work.stack == Stack::early ? 0.1 : 1.0);
  const double nodes = std::max(1.0, work.gpus / 8.0);
  part.waiting = std::log2(nodes) *
                 (part.total() * p.scaling_loss + work.micro_batches * work.layers / work.pipeline * p.layer_jitter);
  scale(part, software_factor(work, p));
  return part;
}

}  // namespace fleetcast::models
