#pragma once
// How long a collective takes, alone on its links.
#include <string>
#include <string_view>

#include "models/collective_curves.hpp"

namespace fleetcast::models {

/// Ranks that take part. Those of a node (or rack: whatever shares the fast link) are neighbours in the order of ranks;
/// the node's other GPUs are taken to be busy with groups of their own, so a group has ranks x rate per GPU.
struct Group {
  int ranks = 1;           ///< at least 1
  int ranks_per_node = 1;  ///< of this group inside a domain of the fast link, at least 1
  [[nodiscard]] int nodes() const { return (ranks + ranks_per_node - 1) / ranks_per_node; }
  [[nodiscard]] int local() const { return ranks < ranks_per_node ? ranks : ranks_per_node; }
};

/// Hierarchical: reduce-scatter inside, a ring across for each local rank, all-gather inside. In network: the switches
/// add up. Direct: point to point.
enum class Algorithm { direct, ring, tree, hierarchical, in_network };
/// What the time would fall with most. None: nothing to send.
enum class Bound { none, inside, across, latency };
std::string_view name_of(Algorithm algorithm);
std::string_view name_of(Bound bound);

struct Collective {
  double seconds = 0;
  double bus_bandwidth = 0;  ///< B/s, as nccl-tests define it: independent of the number of ranks for a ring
  Algorithm algorithm = Algorithm::direct;
  Bound bound = Bound::none;
};

/// Each throws ContractError for negative bytes and an empty group. `bytes` is the whole buffer: what every rank has
/// at the end of an all-reduce or all-gather and at the start of a reduce-scatter. A group of one takes no time.
Collective all_gather(double bytes, Group group, const Interconnect& net);
Collective reduce_scatter(double bytes, Group group, const Interconnect& net);
Collective point_to_point(double bytes, bool across, const Interconnect& net);

/// By this algorithm. In-network throws InfeasibleError where the fabrics in use have no reducing switch. Formulas:
/// models/README.md, "Collectives".
Collective all_reduce(Algorithm algorithm, double bytes, Group group, const Interconnect& net);
/// The fastest of ring, tree and in-network, among which communication libraries choose by themselves. Hierarchical
/// is what a program has to compose (HSDP): measured all-reduces on three and more nodes do not have its speed.
Collective best_all_reduce(double bytes, Group group, const Interconnect& net);

struct AllToAll {
  double bytes = 0;          ///< that a rank sends, its own part included
  double copies = 1;         ///< ranks that a token goes to (top-k), at least 1
  double nodes_reached = 0;  ///< distinct nodes of a token, own included (expected_nodes); 0: every copy goes by itself
  int messages = 0;          ///< that a rank sends; 0: one to each other rank
};
Collective all_to_all(const AllToAll& sent, Group group, const Interconnect& net);
/// Mean number of distinct nodes that hold the `active` experts of a token, of `experts` spread evenly over `nodes`,
/// chosen at random without repetition: nodes x (1 - C(E - E/nodes, k) / C(E, k)).
double expected_nodes(int nodes, int experts, int active);

}  // namespace fleetcast::models
