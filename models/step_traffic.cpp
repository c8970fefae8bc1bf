#include "models/step_traffic.hpp"

#include <algorithm>

#include "models/random/deterministic_math.hpp"
#include "models/step_rates.hpp"

namespace fleetcast::models::step {

namespace {

constexpr double usable_link_rate = 0.75;  // of nominal, large collectives (all-reduce tables: 0.72 to 0.80)
constexpr double ring_decline = 0.073;     // 332 to 271 GB/s from 4 to 64 nodes of B200 over InfiniBand

double inside(const Workpiece& work) {
  return usable_link_rate * work.links.intra;
}

double domain_of(const Workpiece& work) {
  return std::min<double>(work.links.domain, work.gpus);
}

/// Large rings slow down with the nodes in them.
double across(const Workpiece& work) {
  const double nodes = std::max(work.gpus / std::min<double>(work.links.gpus_per_node, work.gpus), 4.0);
  return usable_link_rate * work.links.inter * det::pow(nodes / 16.0, -ring_decline);
}

/// A token goes once to each node that has one of its experts.
double copies_of_token(const Workpiece& work) {
  if (work.expert <= domain_of(work)) return work.experts_active;
  const double nodes = std::max(1.0, work.expert / std::min<double>(work.links.gpus_per_node, work.gpus));
  return std::min(work.experts_active, nodes * (1.0 - det::pow(1.0 - 1.0 / nodes, work.experts_active)));
}

bool leaves_domain(const Workpiece& work) {
  return work.gpus > domain_of(work);
}

/// Bytes per weight: two gathers in the format of the products or 16 bit, and a reduce-scatter of gradients.
double gathered_bytes(const Workpiece& work) {
  return work.stack == Stack::tuned && is_low(work) ? 2.0 : 4.0;
}
constexpr double scattered_bytes = 2.0;

/// Gradients and weights of a step, bytes per weight.
double exchanged_bytes(const Workpiece& work) {
  if (work.stack != Stack::tuned) return 6.0;
  return is_low(work) ? 3.0 : 4.0;
}

/// A ring hands on from node to node, in every collective of every layer.
double ring_latency(const Workpiece& work, const P& p, double collectives) {
  if (!leaves_domain(work) || work.sharded_in_node) return 0.0;
  const double nodes = work.gpus / work.pipeline / domain_of(work);
  return p.ring_hop * std::max(0.0, nodes - 1.0) * collectives * work.layers / work.pipeline;
}

double over_shards(const Workpiece& work, double bytes_per_weight) {
  const double weights = work.held.sharded() + work.held.routed / std::max(work.expert, 1.0);
  const double bytes = bytes_per_weight * weights / work.pipeline;
  if (leaves_domain(work) && !work.sharded_in_node) return bytes / (domain_of(work) * across(work));
  return bytes / (work.tensor * inside(work));
}

/// Weights that every replica holds, and routed experts in their own groups.
double over_replicas(const Workpiece& work, double bytes_per_weight) {
  const double stage = 1.0 / work.pipeline, expert = std::max(work.expert, 1.0);
  if (!leaves_domain(work)) {
    const double split = work.tensor * (work.mixture_layers > 0 ? expert : 1.0);
    return bytes_per_weight * work.held.all() * stage / (split * inside(work));
  }
  const double domain = domain_of(work);
  double routed = work.held.routed * stage / (std::max(expert > domain ? expert : domain, 1.0) * across(work));
  if (work.gpus / (expert * work.pipeline) <= 1.01) routed = 0.0;
  return bytes_per_weight * (work.held.sharded() * stage / (domain * across(work)) + routed);
}

bool is_sharded(const Workpiece& work) {
  return work.sharded_weights || work.sharded_in_node;
}

// Host memory: link of a GPU to its host (PCIe 3, 4, 5), and the update of AdamW on the host, which moves 28 bytes a
// parameter at some 150 GB/s a node (DDR4 and DDR5 servers reach 150 to 400). Assumed.
constexpr double host_update_rate = 150e9, host_update_bytes = 28.0;
double host_link(const Workpiece& work) {
  return by_generation(work, 25e9, 50e9, 50e9);
}
double weights_here(const Workpiece& work) {
  return (work.held.sharded() / work.tensor + work.held.routed / std::max(work.expert, 1.0)) / work.pipeline;
}

}  // namespace

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

double sharding_traffic(const Workpiece& work, const P& p) {
  if (!is_sharded(work)) return 0.0;
  const bool once = work.gradient_sync == GradientSync::once;
  return over_shards(work, gathered_bytes(work) + (once ? 0.0 : scattered_bytes)) +
         ring_latency(work, p, once ? 2.0 : 3.0);
}

GradientTraffic gradient_traffic(const Workpiece& work) {
  if (work.lora || work.data * work.context <= 1.0) return {};
  if (work.sharded_weights) {
    const bool once = work.gradient_sync == GradientSync::once;
    return {once ? over_shards(work, scattered_bytes) : 0.0, 1.0, 0.0};
  }
  const double seconds = over_replicas(work, exchanged_bytes(work)) * (work.sharded_in_node ? 0.6 : 1.0);
  if (work.sharded_in_node) return {seconds, work.gradient_sync == GradientSync::every ? work.micro_batches : 1.0, 0.0};
  switch (work.gradient_sync) {
    case GradientSync::every:
      return {seconds, work.micro_batches, 0.0};
    case GradientSync::reduce_scatter:
      return {seconds / 2.0, work.micro_batches, seconds / 2.0};
    case GradientSync::once:
      break;
  }
  return {seconds, 1.0, 0.0};
}

double offload_of_micro_batch(const Workpiece& work) {
  if (work.offload != Offload::all) return 0.0;
  const double activations = 2.0 * 2.0 * work.share * work.hidden * work.layers;  // layer inputs, out and back
  return (3.0 * 2.0 * weights_here(work) + activations) / host_link(work);
}

double offload_of_step(const Workpiece& work) {
  if (work.offload == Offload::none) return 0.0;
  const double here = work.held.all() / work.gpus;
  return 2.0 * 2.0 * here / host_link(work) + host_update_bytes * here * work.links.gpus_per_node / host_update_rate;
}

}  // namespace fleetcast::models::step
