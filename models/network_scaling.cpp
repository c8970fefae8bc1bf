#include "models/network_scaling.hpp"

#include "models/errors.hpp"

namespace fleetcast::models {

namespace {

Layout data_parallel(const ScalingQuestion& asked, int nodes, const Interconnect& net) {
  Layout layout;
  layout.data = nodes * net.links.gpus_per_node;
  layout.sharding = Sharding::none;
  layout.micro_batches = asked.micro_batches;
  layout.gradient_sync = asked.sync;
  return layout;
}

}  // namespace

ScaledStep scaled_step(const ScalingQuestion& asked, int nodes, const Interconnect& net) {
  require(asked.compute > 0 && asked.nodes >= 1 && nodes >= 1, "a measured gang has nodes and computes");
  const double more = static_cast<double>(nodes) / asked.nodes;
  const double compute = asked.batch == Batch::fixed_total ? asked.compute / more : asked.compute;
  const ExchangeVolume volume{.parameters = asked.gradients, .gradient_bytes = 1, .buckets = asked.buckets};
  const GradientExchange exchange =
      gradient_exchange(volume, data_parallel(asked, nodes, net), net, {compute, asked.overlap});
  ScaledStep step{nodes, compute, exchange.seconds_per_step, exchange.exposed, 1, exchange.bound};
  const double samples = asked.batch == Batch::fixed_total ? 1.0 : more;
  step.speed = samples * asked.compute / step.total();
  return step;
}

ScaledStep best_node_count(const ScalingQuestion& asked, int most, const Interconnect& net) {
  require(most >= 1, "there is a node");
  ScaledStep best = scaled_step(asked, 1, net);
  for (int nodes = 2; nodes <= most; ++nodes) {
    ScaledStep next = scaled_step(asked, nodes, net);
    if (next.speed > best.speed) best = std::move(next);
  }
  return best;
}

}  // namespace fleetcast::models
