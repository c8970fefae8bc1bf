#include "models/exchange_sweeps.hpp"

#include <algorithm>

namespace fleetcast::models {

namespace {

/// Every `stride`-th GPU, from the same node or rack as far as that reaches.
Group group_of(int ranks, int stride, const Links& links) {
  const int whole = std::max(ranks, 1), reach = std::max(links.domain, links.gpus_per_node);
  return {whole, std::clamp(reach / std::max(stride, 1), 1, whole)};
}

/// One part of the model and those who exchange it.
struct Part {
  double gradients = 0, weights = 0;
  Group group;
};

void add_gradients(std::vector<Sweep>& sweeps, const Part& part, const Layout& layout) {
  const Phase scatter = layout.gradient_sync == GradientSync::once ? Phase::last_backward : Phase::every_micro_batch;
  const Phase gather = layout.gradient_sync == GradientSync::every ? Phase::every_micro_batch : Phase::last_backward;
  if (layout.sharding == Sharding::none && scatter == gather) {
    sweeps.push_back({Operation::all_reduce, scatter, part.group, part.gradients});
  } else if (layout.sharding == Sharding::hsdp) {
    const Group inside{part.group.local(), part.group.local()}, across{part.group.nodes(), 1};
    sweeps.push_back({Operation::reduce_scatter, scatter, inside, part.gradients});
    sweeps.push_back({Operation::all_reduce, gather, across, part.gradients / part.group.local()});
  } else {
    sweeps.push_back({Operation::reduce_scatter, scatter, part.group, part.gradients});
    if (layout.sharding == Sharding::none)
      sweeps.push_back({Operation::all_gather, gather, part.group, part.gradients});
  }
}

void add_weights(std::vector<Sweep>& sweeps, const Part& part, const Layout& layout) {
  if (layout.sharding == Sharding::none) return;
  if (layout.sharding == Sharding::zero1 || layout.sharding == Sharding::zero2) {
    sweeps.push_back({Operation::all_gather, Phase::next_forward, part.group, part.weights});
    return;
  }
  const Group inside{part.group.local(), part.group.local()};
  const Group group = layout.sharding == Sharding::hsdp ? inside : part.group;
  for (int pass = 0; pass < 2; ++pass)  // forward and backward
    sweeps.push_back({Operation::all_gather, Phase::every_micro_batch, group, part.weights});
}

}  // namespace

Group replica_group(const Layout& layout, const Links& links) {
  return group_of(layout.data * layout.context, layout.tensor, links);
}

Group expert_replica_group(const Layout& layout, const Links& links) {
  return group_of(layout.data * layout.context / layout.expert, layout.tensor * layout.expert, links);
}

std::vector<Sweep> exchange_sweeps(const ExchangeVolume& volume, const Layout& layout, const Links& links) {
  const Part parts[] = {{volume.parameters * volume.gradient_bytes, volume.parameters * volume.weight_bytes,
                         replica_group(layout, links)},
                        {volume.expert_parameters * volume.gradient_bytes,
                         volume.expert_parameters * volume.weight_bytes, expert_replica_group(layout, links)}};
  std::vector<Sweep> sweeps;
  for (const Part& part : parts) {
    add_gradients(sweeps, part, layout);
    add_weights(sweeps, part, layout);
  }
  std::erase_if(sweeps, [](const Sweep& sweep) { return sweep.group.ranks == 1 || sweep.bytes == 0; });
  return sweeps;
}

}  // namespace fleetcast::models
