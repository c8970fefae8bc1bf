#pragma once
// Do a few nodes fail much more often than the others? From the number of failures of every node.
#include <cstdint>
#include <span>

#include "analysis/records/failure_rate.hpp"

namespace fleetcast::analysis {

/// A `share` of the nodes fails `factor` times as often as the others (Poisson each), by maximum likelihood.
struct BadNodesFit {
  double mean = 0.0;        ///< failures a node
  double dispersion = 0.0;  ///< variance / mean of the failures of a node; 1 for equal nodes
  double p_equal = 1.0;     ///< chance of at least this dispersion among equal nodes, the total given
  double gain = 0.0;        ///< twice the log-likelihood gained over equal nodes
  Estimate share, factor;   ///< 90 % intervals by profile likelihood
  bool share_open = false, factor_open = false;  ///< the data do not bound it from above
  bool shown = false;  ///< equal nodes are ruled out: p_equal below 5 %, and Akaike's criterion agrees
};

/// `failures`: one count a node, nodes without failures included. Throws ContractError for less than two nodes.
/// `resamples` throws of all failures onto equal nodes give p_equal; the numbers are the same in every call.
BadNodesFit fit_bad_nodes(std::span<const std::uint32_t> failures, std::uint32_t resamples = 999);

}  // namespace fleetcast::analysis
