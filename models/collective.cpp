#include "models/collective.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "models/errors.hpp"

namespace fleetcast::models {

namespace {

/// What a collective asks of the two kinds of links: bytes over the busiest one, its rate, hops one after the other.
struct Demand {
  double inside = 0, inside_rate = 1, across = 0, across_rate = 1;
  double latency = 0, fill = 0;
};

double time_of(double bytes, double rate) {
  return bytes > 0 ? bytes / rate : 0.0;
}

/// Both kinds work side by side, in one pipeline; the slower sets the pace.
Collective carried_out(const Demand& demand, double bus_bytes, Algorithm algorithm) {
  if (bus_bytes <= 0) return {0, 0, algorithm, Bound::none};
  const double inside = time_of(demand.inside, demand.inside_rate);
  const double across = time_of(demand.across, demand.across_rate);
  const double transfer = std::max(inside, across);
  const double pipelined = std::sqrt(demand.fill) + std::sqrt(transfer);
  const double seconds = demand.latency + pipelined * pipelined;
  const Bound link = across > inside ? Bound::across : Bound::inside;
  return {seconds, bus_bytes / seconds, algorithm, transfer < seconds / 2 ? Bound::latency : link};
}

void check(double bytes, Group group) {
  require(bytes >= 0, "a collective moves no negative number of bytes");
  require(group.ranks >= 1 && group.ranks_per_node >= 1, "a group has ranks");
}

/// (n - 1) / n: of a buffer that n ranks divide, what one has to send or get.
double rest(int ranks) {
  return (ranks - 1.0) / ranks;
}

double fill_of(Group group, const Interconnect& net) {
  const double across = group.nodes() > 1 ? net.across.links.fill : 0.0;
  return group.local() > 1 ? std::max(net.inside.links.fill, across) : across;
}

/// Once around: n - 1 hops, of each n as many between nodes as there are nodes.
double round_latency(Group group, const Interconnect& net) {
  const double across = group.nodes() > 1 ? static_cast<double>(group.nodes()) / group.ranks : 0.0;
  return (group.ranks - 1) * (across * net.across.links.hop + (1 - across) * net.inside.links.hop);
}

/// `rounds` of reduce-scatter or all-gather on a ring.
Collective ring(double bytes, int rounds, Group group, const Interconnect& net) {
  check(bytes, group);
  const double sent = rounds * rest(group.ranks) * bytes;
  const Demand demand{group.local() > 1 ? sent : 0.0,     net.inside_rate(),
                      group.nodes() > 1 ? sent : 0.0,     net.across_rate(group.local(), group.nodes()),
                      rounds * round_latency(group, net), fill_of(group, net)};
  return carried_out(demand, sent, Algorithm::ring);
}

/// Up and down a chain inside each node and a double binary tree across; two nodes just swap what they have added up.
Collective tree(double bytes, Group group, const Interconnect& net) {
  const int nodes = group.nodes();
  const double across = nodes == 1 ? 0.0 : nodes == 2 ? bytes : 2 * bytes / net.tree;
  const int levels = static_cast<int>(std::bit_width(static_cast<unsigned>(nodes - 1)));
  const double latency = 2 * (levels * net.across.links.hop + (group.local() - 1) * net.inside.links.hop);
  const Demand demand{2 * rest(group.local()) * bytes,       net.inside_rate(), across,
                      net.across_rate(group.local(), nodes), latency,           fill_of(group, net)};
  return carried_out(demand, 2 * rest(group.ranks) * bytes, Algorithm::tree);
}

Collective hierarchical(double bytes, Group group, const Interconnect& net) {
  const Group inside{group.local(), group.local()}, across{group.nodes(), 1};
  const Collective scatter = ring(bytes, 1, inside, net), gather = ring(bytes, 1, inside, net);
  const Collective exchange = ring(bytes / group.local(), 2, across, net);
  const double seconds = scatter.seconds + exchange.seconds + gather.seconds;
  const Bound bound = exchange.seconds > seconds / 2 ? exchange.bound : scatter.bound;
  return {seconds, seconds > 0 ? 2 * rest(group.ranks) * bytes / seconds : 0.0, Algorithm::hierarchical, bound};
}

bool switches_reduce(Group group, const Interconnect& net) {
  return group.nodes() > 1 ? net.across.reducing_switch.has_value() : net.inside.reducing_switch.has_value();
}

/// Every rank (across nodes: every node) sends the buffer once and gets it once. Across, the ranks of a node reduce and
/// gather on their own links meanwhile.
Collective in_network(double bytes, Group group, const Interconnect& net) {
  if (!switches_reduce(group, net)) throw InfeasibleError{"no switch of this fabric reduces on the way"};
  const bool spans = group.nodes() > 1;
  const LinkCurve& curve = spans ? *net.across.reducing_switch : *net.inside.reducing_switch;
  Demand demand{.latency = 2 * curve.hop, .fill = curve.fill};
  demand.inside = spans ? 2 * rest(group.local()) * bytes : bytes;
  demand.inside_rate = spans ? net.inside_rate() : curve.share * net.links.intra;
  if (spans) {
    demand.across = bytes;
    demand.across_rate = curve.share * net.links.inter * group.local();
    demand.latency += 2 * (group.local() - 1) * net.inside.links.hop;
  }
  return carried_out(demand, 2 * rest(group.ranks) * bytes, Algorithm::in_network);
}

}  // namespace

std::string_view name_of(Algorithm algorithm) {
  constexpr std::string_view names[] = {"direct", "ring", "tree", "hierarchical", "in-network"};
  return names[static_cast<int>(algorithm)];
}

std::string_view name_of(Bound bound) {
  constexpr std::string_view names[] = {"nothing", "links inside the node", "network between nodes", "latency"};
  return names[static_cast<int>(bound)];
}

Collective all_gather(double bytes, Group group, const Interconnect& net) {
  return ring(bytes, 1, group, net);
}

Collective reduce_scatter(double bytes, Group group, const Interconnect& net) {
  return ring(bytes, 1, group, net);
}

Collective point_to_point(double bytes, bool across, const Interconnect& net) {
  check(bytes, {2, across ? 1 : 2});
  const LinkCurve& curve = across ? net.across.links : net.inside.links;
  const Demand demand{across ? 0.0 : bytes, net.inside_rate(), across ? bytes : 0.0, net.across_rate(1, 2), curve.hop};
  return carried_out(demand, bytes, Algorithm::direct);
}

Collective all_reduce(Algorithm algorithm, double bytes, Group group, const Interconnect& net) {
  check(bytes, group);
  require(algorithm != Algorithm::direct, "an all-reduce is not direct");
  if (group.ranks == 1 || bytes == 0) return {0, 0, algorithm, Bound::none};
  if (algorithm == Algorithm::tree) return tree(bytes, group, net);
  if (algorithm == Algorithm::hierarchical) return hierarchical(bytes, group, net);
  if (algorithm == Algorithm::in_network) return in_network(bytes, group, net);
  return ring(bytes, 2, group, net);
}

Collective best_all_reduce(double bytes, Group group, const Interconnect& net) {
  Collective best = all_reduce(Algorithm::ring, bytes, group, net);
  const auto consider = [&](Algorithm algorithm) {
    const Collective other = all_reduce(algorithm, bytes, group, net);
    if (other.seconds < best.seconds) best = other;
  };
  consider(Algorithm::tree);
  if (switches_reduce(group, net)) consider(Algorithm::in_network);
  return best;
}

}  // namespace fleetcast::models
