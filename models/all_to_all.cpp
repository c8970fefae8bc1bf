#include <algorithm>
#include <cmath>

#include "models/collective.hpp"
#include "models/errors.hpp"

namespace fleetcast::models {

namespace {

/// Bytes that leave the node: every copy for another node, or each token once for each other node that it reaches.
double leaving(const AllToAll& sent, int nodes) {
  const double others = (nodes - 1.0) / nodes;
  if (sent.nodes_reached <= 0) return sent.bytes * others;
  return sent.bytes / sent.copies * std::min(sent.nodes_reached, sent.copies) * others;
}

/// What a rank passes on to its node's others: its own copies for them, or all that reaches the node once and is
/// spread.
double staying(const AllToAll& sent, Group group) {
  const double others = group.local() - 1.0;
  return sent.bytes * others / (sent.nodes_reached > 0 ? group.local() : group.ranks);
}

}  // namespace

Collective all_to_all(const AllToAll& sent, Group group, const Interconnect& net) {
  require(sent.bytes >= 0 && sent.copies >= 1 && group.ranks >= 1 && group.ranks_per_node >= 1, "tokens go to ranks");
  if (group.ranks == 1 || sent.bytes == 0) return {};
  const int nodes = group.nodes(), messages = sent.messages > 0 ? sent.messages : group.ranks - 1;
  const double inside = group.local() > 1 ? staying(sent, group) / net.inside_rate() : 0.0;
  const double across = nodes > 1 ? leaving(sent, nodes) / net.across_rate(1, nodes) : 0.0;
  const LinkCurve& slowest = nodes > 1 ? net.across.links : net.inside.links;
  const double transfer = std::max(inside, across), latency = slowest.hop + slowest.fill + messages * net.message;
  const Bound link = across > inside ? Bound::across : Bound::inside;
  const double seconds = transfer + latency;
  return {seconds, sent.bytes * (group.ranks - 1.0) / group.ranks / seconds, Algorithm::direct,
          latency > transfer ? Bound::latency : link};
}

double expected_nodes(int nodes, int experts, int active) {
  require(nodes >= 1 && active >= 0 && active <= experts && nodes <= experts, "experts lie on nodes");
  const double elsewhere = experts * (nodes - 1.0) / nodes;
  double none = 1;
  for (int drawn = 0; drawn < active; ++drawn) none *= std::max(0.0, elsewhere - drawn) / (experts - drawn);
  return nodes * (1 - none);
}

}  // namespace fleetcast::models
