#include "models/collective.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "models/errors.hpp"

using namespace fleetcast::models;

namespace {

constexpr double gib = 1 << 30;

bool close(double a, double b, double tolerance = 1e-12) {
  return std::abs(a / b - 1) < tolerance;
}

/// Links without latency or loss: closed forms hold to rounding.
Interconnect ideal(double intra, double inter) {
  Interconnect net;
  net.links.intra = intra;
  net.links.inter = inter;
  return net;
}

Interconnect p4d() {
  return interconnect({.gpus_per_node = 8, .domain = 8, .intra = 300e9, .inter = 6.25e9});
}

/// Bus bandwidth of 1 GiB on 1 to 4 nodes, GB/s: NVIDIA/nccl #527.
const std::vector<double> p4d_measured = {230.8, 57.2, 31.8, 29.6};

double p4d_error(int nodes) {
  return best_all_reduce(gib, {8 * nodes, 8}, p4d()).bus_bandwidth / 1e9 / p4d_measured[nodes - 1] - 1;
}

}  // namespace

TEST_CASE("a ring of 16 ranks on two nodes with 25 Gb/s moves 500 MB in 0.3 s, not in 5") {
  const Interconnect net = ideal(150e9, 25e9 / 8 / 8);
  const Collective ring = all_reduce(Algorithm::ring, 500e6, {16, 8}, net);
  CHECK(close(ring.seconds, 2 * 15.0 / 16 * 500e6 / 3.125e9));
  CHECK(close(ring.seconds, 0.3));
  CHECK(close(ring.bus_bandwidth, 3.125e9));
  CHECK(ring.bound == Bound::across);
  // With what TCP loses it is still nowhere near; two nodes may also just swap their sums, which is half as much.
  const Interconnect tcp = interconnect({.gpus_per_node = 8, .domain = 8, .intra = 150e9, .inter = 25e9 / 64});
  CHECK(all_reduce(Algorithm::ring, 500e6, {16, 8}, tcp).seconds < 0.5);
  CHECK(best_all_reduce(500e6, {16, 8}, tcp).seconds > 0.16);
}

TEST_CASE("two ranks send each other half twice, and a gather or scatter is half of that") {
  const Interconnect net = ideal(10e9, 1e9);
  for (const Algorithm algorithm : {Algorithm::ring, Algorithm::tree, Algorithm::hierarchical})
    CHECK(close(all_reduce(algorithm, 4e9, {2, 2}, net).seconds, 0.4));
  CHECK(close(all_gather(4e9, {2, 2}, net).seconds, 0.2));
  CHECK(close(reduce_scatter(4e9, {2, 1}, net).seconds, 2.0));
  CHECK(close(all_reduce(Algorithm::ring, 4e9, {2, 1}, net).seconds, 4.0));
}

TEST_CASE("latency counts every hop: 2 (n - 1) of a ring, one way to the root and back of a tree") {
  Interconnect net = ideal(1e30, 1e30);
  net.inside.links.hop = 1e-6;
  net.across.links.hop = 100e-6;
  // 16 ranks on 4 nodes: of 30 hops a quarter goes between nodes; the tree has 2 levels and a chain of 4.
  CHECK(close(all_reduce(Algorithm::ring, 1, {16, 4}, net).seconds, 30 * (0.25 * 100e-6 + 0.75 * 1e-6)));
  CHECK(close(all_reduce(Algorithm::tree, 1, {16, 4}, net).seconds, 2 * (2 * 100e-6 + 3 * 1e-6)));
  CHECK(all_reduce(Algorithm::tree, 1, {16, 4}, net).bound == Bound::latency);
  CHECK(close(point_to_point(1, true, net).seconds, 100e-6));
  CHECK(close(point_to_point(1, false, net).seconds, 1e-6));
}

TEST_CASE("hierarchical: each local rank carries its share across, so the network sees 2 (m - 1) / m of a buffer") {
  const Interconnect net = ideal(100e9, 1e9);
  const double inside = 2 * 7.0 / 8 * 8e9 / 100e9, across = 2 * 3.0 / 4 * 1e9 / 1e9;
  const Collective exchange = all_reduce(Algorithm::hierarchical, 8e9, {32, 8}, net);
  CHECK(close(exchange.seconds, inside + across));
  CHECK(exchange.bound == Bound::across);
}

TEST_CASE("switches that reduce take every buffer once, and only where there are such") {
  Interconnect net = ideal(100e9, 10e9);
  CHECK_THROWS_AS(all_reduce(Algorithm::in_network, 1e9, {8, 8}, net), InfeasibleError);
  net.inside.reducing_switch = LinkCurve{.share = 0.5};
  CHECK(close(all_reduce(Algorithm::in_network, 1e9, {8, 8}, net).seconds, 1e9 / 50e9));
  CHECK_THROWS_AS(all_reduce(Algorithm::in_network, 1e9, {16, 8}, net), InfeasibleError);
  net.across.reducing_switch = LinkCurve{.share = 0.5};
  CHECK(close(all_reduce(Algorithm::in_network, 1e9, {16, 8}, net).seconds, 1e9 / 40e9));
  CHECK(all_reduce(Algorithm::in_network, 1e9, {16, 8}, net).bound == Bound::across);
}

TEST_CASE("the best is named: latency makes trees, size makes rings, switches win where they reduce") {
  const Links h100{.gpus_per_node = 8, .domain = 8, .intra = 450e9, .inter = 50e9};
  CHECK(best_all_reduce(64e3, {512, 8}, interconnect(h100)).algorithm == Algorithm::tree);
  CHECK(best_all_reduce(64e3, {512, 8}, interconnect(h100)).bound == Bound::latency);
  CHECK(best_all_reduce(16e9, {512, 8}, interconnect(h100)).algorithm == Algorithm::ring);
  CHECK(best_all_reduce(16e9, {512, 8}, interconnect(h100)).bound == Bound::across);
  CHECK(best_all_reduce(16e9, {512, 8}, interconnect(h100, Fabric::infiniband_sharp)).algorithm ==
        Algorithm::in_network);
  CHECK(best_all_reduce(16e9, {8, 8}, interconnect(h100)).bound == Bound::inside);
}

TEST_CASE("more bytes never take less time and never have less bandwidth; more nodes never take less time") {
  for (const Fabric fabric : {Fabric::infiniband, Fabric::infiniband_sharp, Fabric::efa, Fabric::ethernet}) {
    const Interconnect net = interconnect({.gpus_per_node = 8, .domain = 8, .intra = 450e9, .inter = 6.25e9}, fabric);
    for (const int nodes : {1, 2, 3, 4, 16, 64}) {
      Collective last;
      for (double bytes = 1024; bytes < 64 * gib; bytes *= 1.7) {
        const Collective next = best_all_reduce(bytes, {8 * nodes, 8}, net);
        CHECK(next.seconds > last.seconds);
        CHECK(next.bus_bandwidth > last.bus_bandwidth);
        CHECK(best_all_reduce(bytes, {8 * nodes + 8, 8}, net).seconds >= next.seconds);
        last = next;
      }
    }
  }
}

TEST_CASE("p4d: the fall from 231 to 30 GB/s over four nodes comes out within 4 %, and what binds") {
  for (int nodes = 1; nodes <= 4; ++nodes) CHECK_MESSAGE(std::abs(p4d_error(nodes)) < 0.04, nodes);
  CHECK(best_all_reduce(gib, {8, 8}, p4d()).bound == Bound::inside);
  CHECK(best_all_reduce(gib, {16, 8}, p4d()).algorithm == Algorithm::tree);
  CHECK(best_all_reduce(gib, {24, 8}, p4d()).algorithm == Algorithm::ring);
  // Above the wire rate of 50 GB/s on two nodes: bus bandwidth is a normalised figure.
  CHECK(best_all_reduce(gib, {16, 8}, p4d()).bus_bandwidth > 50e9);
}

TEST_CASE("control: a constant 50 GB/s per node would miss the same rows by 57 and 69 %") {
  CHECK(std::abs(50 / p4d_measured[2] - 1.57) < 0.005);
  CHECK(std::abs(50 / p4d_measured[3] - 1.69) < 0.005);
  CHECK(std::abs(p4d_error(3)) < 0.57 / 10);
  CHECK(std::abs(p4d_error(4)) < 0.69 / 10);
}

TEST_CASE("EFA of the V100 age, not fitted: 50 to 60 Gb/s on 8 to 32 nodes of 100 Gb/s; its tree on two was slower") {
  const Interconnect p3dn =
      interconnect({.gpus_per_node = 8, .domain = 8, .intra = 150e9, .inter = 12.5e9 / 8}, Fabric::efa);
  for (const int nodes : {8, 16, 32}) {
    const double gbit = best_all_reduce(gib, {8 * nodes, 8}, p3dn).bus_bandwidth * 8e-9;
    CHECK(gbit > 50);
    CHECK(gbit < 60);
  }
  // 80 Gb/s were reported, by a library that did not yet swap between two nodes: a ring gives 66, the swap 119.
  CHECK(all_reduce(Algorithm::ring, gib, {16, 8}, p3dn).bus_bandwidth * 8e-9 < 80);
  CHECK(best_all_reduce(gib, {16, 8}, p3dn).bus_bandwidth * 8e-9 > 80);
}

TEST_CASE("the kind of fabric follows the nominal rates unless it is given") {
  CHECK(likely_inside({8, 8, 450e9, 50e9}) == Fabric::nvlink_switch);
  CHECK(likely_inside({8, 8, 300e9, 50e9}) == Fabric::nvlink);
  CHECK(likely_inside({4, 72, 900e9, 50e9}) == Fabric::nvlink_rack);
  CHECK(likely_inside({8, 1, 16e9, 50e9}) == Fabric::pcie);
  CHECK(likely_inside({4, 2, 300e9, 50e9}) == Fabric::pcie);
  CHECK(likely_across({8, 8, 450e9, 50e9}) == Fabric::infiniband);
  CHECK(likely_across({8, 8, 300e9, 6.25e9}) == Fabric::efa);
  CHECK(likely_across({8, 8, 150e9, 1.5625e9}) == Fabric::ethernet);
  CHECK(interconnect({8, 8, 450e9, 50e9}).grade() == Grade::fitted);
  CHECK(interconnect({8, 8, 450e9, 1e9}).grade() == Grade::assumed);
  CHECK(interconnect({4, 2, 300e9, 50e9}).inside_rate() < 20e9);
}

TEST_CASE("groups of one, empty buffers and lonely GPUs take no time; nonsense is refused") {
  const Interconnect alone = interconnect({.gpus_per_node = 1, .domain = 1, .intra = 0, .inter = 1e9});
  CHECK(best_all_reduce(1e9, {1, 1}, alone).seconds == 0);
  CHECK(all_gather(1e9, {1, 1}, alone).bound == Bound::none);
  CHECK(best_all_reduce(0, {8, 8}, p4d()).seconds == 0);
  CHECK(std::isfinite(best_all_reduce(1e9, {4, 1}, alone).seconds));
  CHECK_THROWS_AS(all_gather(-1, {2, 2}, p4d()), ContractError);
  CHECK_THROWS_AS(best_all_reduce(1, {0, 1}, p4d()), ContractError);
  CHECK_THROWS_AS(interconnect({8, 8, 0, 1e9}), ContractError);
  CHECK_THROWS_AS(plain_interconnect(0, 0), ContractError);
}
