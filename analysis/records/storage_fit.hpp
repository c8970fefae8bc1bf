#pragma once
// A store as the scenario language has it, from timed transfers:
//     seconds = fixed + bytes / min(node_rate x nodes, aggregate)
// by least squares on the logarithm of the seconds.
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "analysis/records/failure_rate.hpp"
#include "analysis/records/storage_rows.hpp"

namespace fleetcast::analysis {

struct StorageFit {
  std::optional<Estimate> fixed_s;               ///< nothing: the data do not show one, it is 0
  std::optional<Estimate> node_rate, aggregate;  ///< bytes/s; at least one. Nothing: not seen in the data
  bool bounded = false;                          ///< the intervals above are known: more rows than parameters
  double log_sd = 0.0;                           ///< of a transfer around the law
  double half_width = 0.0;                       ///< of the 90 % interval of one transfer, in the logarithm
  double least_nodes = 1.0, most_nodes = 1.0;
  std::size_t sizes = 1, node_counts = 1;  ///< how many different ones (sizes apart by more than 1 %)
  double fastest = 0.0;                    ///< largest rate of all nodes together, bytes/s

  /// What an entry of `define.stores` says: where only the aggregate shows, the node rate is the least that explains
  /// it.
  [[nodiscard]] double node_rate_to_write() const;
  [[nodiscard]] double seconds(double bytes, double nodes) const;
};

/// The form (with or without fixed part; node rate, aggregate or both) has the best corrected Akaike criterion of those
/// that the node counts allow: from one node count only a node rate can be told. At least one transfer.
StorageFit fit_storage(std::span<const Transfer> transfers);

/// By how much the time grows with twice the ranks a node, beyond the fit; with the chance of such a slope by luck.
/// Nothing if ranks a node do not vary or rows are fewer than five.
struct RankEffect {
  double per_doubling = 0.0, p = 1.0;
};
std::optional<RankEffect> rank_effect(std::span<const Transfer> transfers, const StorageFit& fit);

}  // namespace fleetcast::analysis
