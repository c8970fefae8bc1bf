#include "models/gradient_exchange.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "models/errors.hpp"
#include "models/exchange_sweeps.hpp"

using namespace fleetcast::models;

namespace {

bool close(double a, double b, double tolerance = 1e-12) {
  return std::abs(a / b - 1) < tolerance;
}

Layout replicas(int data, Sharding sharding, double micro_batches = 1, GradientSync sync = GradientSync::once) {
  Layout layout;
  layout.data = data;
  layout.sharding = sharding;
  layout.micro_batches = micro_batches;
  layout.gradient_sync = sync;
  return layout;
}

/// Without latency or loss, all over one kind of link: 1 GB/s per GPU.
Interconnect even() {
  Interconnect net;
  net.links = {.gpus_per_node = 1, .domain = 1, .intra = 1e9, .inter = 1e9};
  return net;
}

double seconds(Sharding sharding, double micro_batches, GradientSync sync) {
  const ExchangeVolume volume{.parameters = 0.5e9, .weight_bytes = 4, .buckets = 4};  // 1 GB and 2 GB
  return gradient_exchange(volume, replicas(4, sharding, micro_batches, sync), even(), {}).seconds_per_step;
}

const Links h100{.gpus_per_node = 8, .domain = 8, .intra = 450e9, .inter = 50e9};
const ExchangeVolume llama_70b{.parameters = 70e9, .buckets = 80};

/// Seconds of computing for so many tokens on a GPU: 6 x 70e9 FLOP at half of the 989 TFLOP/s of an H100.
double compute_70b(double tokens) {
  return tokens * 6 * 70e9 / (0.5 * 989e12);
}

double share_70b(Sharding sharding, int accumulation, double tokens) {
  const double compute = accumulation * compute_70b(tokens);
  const GradientExchange exchange =
      gradient_exchange(llama_70b, replicas(64, sharding, accumulation), interconnect(h100), {});
  return exchange.seconds_per_step / (compute + exchange.seconds_per_step);
}

/// Seconds of an optimiser step of an 8B model on 8 nodes x 4 A100 with 100 Gb/s Ethernet, 4,096 tokens a micro-batch.
double step_8b(Sharding sharding, int accumulation, GradientSync sync) {
  const Interconnect net =
      interconnect({.gpus_per_node = 4, .domain = 4, .intra = 300e9, .inter = 12.5e9 / 4}, Fabric::ethernet);
  const double compute = accumulation * 4096 * 6 * 8e9 / (0.45 * 312e12);
  const Layout layout = replicas(32, sharding, accumulation, sync);
  return compute + gradient_exchange({.parameters = 8e9}, layout, net, {compute, {}}).exposed;
}

}  // namespace

TEST_CASE("what each sharding exchanges in a step of three micro-batches is what a pencil gives") {
  // Four ranks: a reduce-scatter or gather of 1 GB takes 0.75 s, gathering the 2 GB of weights 1.5 s.
  const GradientSync once = GradientSync::once, scatter = GradientSync::reduce_scatter, every = GradientSync::every;
  CHECK(close(seconds(Sharding::none, 3, once), 2 * 0.75));
  CHECK(close(seconds(Sharding::none, 3, scatter), 4 * 0.75));
  CHECK(close(seconds(Sharding::none, 3, every), 6 * 0.75));
  CHECK(close(seconds(Sharding::zero1, 3, once), 0.75 + 1.5));
  CHECK(close(seconds(Sharding::zero1, 3, every), 3 * 0.75 + 1.5));
  CHECK(close(seconds(Sharding::zero2, 3, scatter), 3 * 0.75 + 1.5));
  CHECK(close(seconds(Sharding::zero3, 3, once), 0.75 + 6 * 1.5));
  CHECK(close(seconds(Sharding::zero3, 3, every), 3 * 0.75 + 6 * 1.5));
}

TEST_CASE("HSDP gathers and scatters inside the node and sums shares across: once, or every micro-batch") {
  Interconnect net = even();
  net.links = {.gpus_per_node = 4, .domain = 4, .intra = 1e9, .inter = 1e9};
  const ExchangeVolume volume{.parameters = 0.5e9, .buckets = 1};
  const auto time = [&](GradientSync sync) {
    return gradient_exchange(volume, replicas(8, Sharding::hsdp, 3, sync), net, {}).seconds_per_step;
  };
  const double inside = 0.75, across = 0.25;  // of 1 GB among four, of a quarter between two
  CHECK(close(time(GradientSync::once), 6 * inside + inside + across));
  CHECK(close(time(GradientSync::reduce_scatter), 6 * inside + 3 * inside + across));
  CHECK(close(time(GradientSync::every), 6 * inside + 3 * (inside + across)));
}

TEST_CASE("bytes, calls and what binds are counted; one replica has nothing to exchange") {
  const ExchangeVolume volume{.parameters = 1e9, .buckets = 10};
  const GradientExchange fsdp =
      gradient_exchange(volume, replicas(16, Sharding::zero3, 2, GradientSync::every), interconnect(h100), {});
  CHECK(close(fsdp.bytes_per_step, 2 * 3 * 15.0 / 16 * 2e9));
  CHECK(fsdp.collectives == 2 * 3 * 10);
  CHECK(fsdp.bound == "network between nodes");
  const GradientExchange alone = gradient_exchange(volume, replicas(1, Sharding::zero1), interconnect(h100), {1, {}});
  CHECK(alone.seconds_per_step == 0);
  CHECK(alone.collectives == 0);
  CHECK(alone.bound == "nothing");
}

TEST_CASE("experts are exchanged among the replicas that hold them, the rest among all") {
  Layout layout = replicas(16, Sharding::none);
  layout.expert = 4;
  const ExchangeVolume volume{.parameters = 1e9, .expert_parameters = 1e9, .buckets = 1};
  const auto sweeps = exchange_sweeps(volume, layout, h100);
  REQUIRE(sweeps.size() == 2);
  CHECK(sweeps[0].group.ranks == 16);
  CHECK(sweeps[0].group.ranks_per_node == 8);
  CHECK(sweeps[1].group.ranks == 4);
  CHECK(sweeps[1].group.ranks_per_node == 2);
}

TEST_CASE("tensor ranks are next to each other, so replicas lie further apart; PCIe boxes are nodes too") {
  Layout layout = replicas(16, Sharding::none);
  layout.tensor = 8;
  CHECK(replica_group(layout, h100).ranks_per_node == 1);
  layout.tensor = 2;
  layout.context = 2;
  CHECK(replica_group(layout, h100).ranks == 32);
  CHECK(replica_group(layout, h100).ranks_per_node == 4);
  CHECK(replica_group(layout, {.gpus_per_node = 4, .domain = 72}).ranks_per_node == 32);
  CHECK(replica_group(layout, {.gpus_per_node = 8, .domain = 1}).ranks_per_node == 4);
}

TEST_CASE("exposed time: none behind enough computing, all without, the excess at least; the fitted law lies between") {
  CHECK(exposed_seconds(2, 5, 1.0) == 0);
  CHECK(close(exposed_seconds(2, 5, 0.75), 0.5));
  CHECK(close(exposed_seconds(7, 5, 1.0), 2));
  CHECK(close(exposed_seconds(2, 5, 0.0), 2));
  CHECK(close(exposed_seconds(2, 0), 2));
  CHECK(exposed_seconds(0, 5) == 0);
  // Equal times: 2^(1/1.62) - 1 sticks out.
  CHECK(close(exposed_seconds(3, 3), 3 * (std::pow(2, 1 / 1.62) - 1)));
  for (double exchange = 0.1; exchange < 20; exchange *= 1.5) {
    const double exposed = exposed_seconds(exchange, 3);
    CHECK(exposed > std::max(0.0, exchange - 3));
    CHECK(exposed < exchange);
  }
}

TEST_CASE("hidden and exposed are the whole, more computing hides more, a step without any hides nothing") {
  const Layout layout = replicas(64, Sharding::zero3, 4, GradientSync::every);
  double last = 1e9;
  for (const double compute : {0.0, 1.0, 4.0, 16.0}) {
    const GradientExchange exchange = gradient_exchange(llama_70b, layout, interconnect(h100), {compute, {}});
    CHECK(close(exchange.hidden + exchange.exposed, exchange.seconds_per_step));
    CHECK(exchange.exposed < last);
    last = exchange.exposed;
    if (compute == 0) CHECK(exchange.hidden == 0);
  }
}

TEST_CASE(
    "what comes once hides behind what the last backward pass has left, gathered weights behind the next forward") {
  // 1.5 s of computing: 1 s backward, 0.5 s forward. Scattering takes 0.75 s, so does gathering.
  const ExchangeVolume volume{.parameters = 0.5e9, .buckets = 1};
  const OverlapWindow window{1.5, 1.0};
  const Layout scattered = replicas(4, Sharding::none, 1, GradientSync::reduce_scatter);
  CHECK(close(gradient_exchange(volume, scattered, even(), window).exposed, 0.75 - (1 - 0.75)));
  CHECK(close(gradient_exchange(volume, replicas(4, Sharding::none), even(), window).exposed, 2 * 0.75 - 1));
  CHECK(close(gradient_exchange(volume, replicas(4, Sharding::zero1), even(), window).exposed, 0.75 - 0.5));
}

TEST_CASE("a 70B model on 64 H100 with FSDP exchanges for 1.4 s a micro-batch: 200 ms is less than a wire could do") {
  const double wire = 63.0 / 64 * 140e9 / 400e9;  // scattering BF16 gradients alone, at the nominal 400 GB/s of a node
  CHECK(wire > 0.2 * 1.7);
  const GradientExchange fsdp =
      gradient_exchange(llama_70b, replicas(64, Sharding::zero3), interconnect(h100), {compute_70b(4096), {}});
  CHECK(fsdp.seconds_per_step > 3 * wire);
  CHECK(std::abs(fsdp.seconds_per_step - 1.41) < 0.05);  // the share of the rate that rings reach on 8 nodes
  CHECK(fsdp.bound == "network between nodes");
}

TEST_CASE("accumulation dilutes what comes once a step, not what FSDP gathers every micro-batch") {
  // 4,096 tokens a micro-batch and GPU. ZeRO-1: 21 % of a step without accumulation, 6 % with four, below 10 % from 3
  // on.
  CHECK(std::abs(share_70b(Sharding::zero1, 1, 4096) - 0.21) < 0.01);
  CHECK(std::abs(share_70b(Sharding::zero1, 4, 4096) - 0.063) < 0.005);
  CHECK(share_70b(Sharding::zero1, 2, 4096) > 0.1);
  CHECK(share_70b(Sharding::zero1, 3, 4096) < 0.1);
  // FSDP, before overlap: 29 %, 23 %, and no number of micro-batches comes below 21 %.
  CHECK(std::abs(share_70b(Sharding::zero3, 1, 4096) - 0.29) < 0.01);
  CHECK(std::abs(share_70b(Sharding::zero3, 4, 4096) - 0.23) < 0.01);
  CHECK(share_70b(Sharding::zero3, 1000, 4096) > 0.2);
}

TEST_CASE("8 nodes x 4 A100 on a slow network: to exchange every micro-step takes more than twice the time of once") {
  const auto ratio = [](Sharding sharding, int accumulation) {
    return step_8b(sharding, accumulation, GradientSync::every) / step_8b(sharding, accumulation, GradientSync::once);
  };
  CHECK(ratio(Sharding::none, 8) > 2);
  CHECK(ratio(Sharding::hsdp, 8) > 2);
  CHECK(ratio(Sharding::none, 8) < 3);
  // FSDP gathers its weights over the network all the same: at most 3 / 2.
  CHECK(ratio(Sharding::zero3, 8) > 1.2);
  CHECK(ratio(Sharding::zero3, 8) < 1.5);
  CHECK(ratio(Sharding::none, 1) == 1);
}

TEST_CASE("HSDP that scatters inside every micro-step and sums across once costs hardly more than once") {
  const double once = step_8b(Sharding::hsdp, 8, GradientSync::once);
  const double scatter = step_8b(Sharding::hsdp, 8, GradientSync::reduce_scatter);
  CHECK(scatter >= once);
  CHECK(scatter < 1.02 * once);
}

TEST_CASE("without a sync each GPU keeps all 140 GB of gradients of a 70B model, with one its share") {
  const Interconnect net = interconnect(h100);
  const auto kept = [&](Sharding sharding, GradientSync sync) {
    return kept_gradient_bytes(llama_70b, replicas(64, sharding, 8, sync), net);
  };
  CHECK(kept(Sharding::zero3, GradientSync::once) == 140e9);
  CHECK(kept(Sharding::zero3, GradientSync::every) == 140e9 / 64);
  CHECK(kept(Sharding::zero2, GradientSync::reduce_scatter) == 140e9 / 64);
  CHECK(kept(Sharding::hsdp, GradientSync::reduce_scatter) == 140e9 / 8);
  CHECK(kept(Sharding::zero1, GradientSync::every) == 140e9);
  CHECK(kept(Sharding::none, GradientSync::every) == 140e9);
}

TEST_CASE("an exchange without buckets, with a fraction above one or a negative size is a mistake") {
  const Layout layout = replicas(8, Sharding::zero1);
  const Interconnect net = interconnect(h100);
  CHECK_THROWS_AS(gradient_exchange({.parameters = 1, .buckets = 0}, layout, net, {}), ContractError);
  CHECK_THROWS_AS(gradient_exchange({.parameters = -1}, layout, net, {}), ContractError);
  CHECK_THROWS_AS(gradient_exchange({.parameters = 1}, layout, net, {1, 1.1}), ContractError);
}
