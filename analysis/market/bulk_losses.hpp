#pragma once
// How many of the held nodes go at once: with a share of one alone, and a law of the rest.
#include <cstddef>
#include <string>
#include <vector>

#include "analysis/market/capacity_series.hpp"

namespace fleetcast::analysis {

/// A law of sizes 2..held, by maximum likelihood.
struct SizeLaw {
  std::string form;        ///< "uniform", "geometric" (cut at what is held), "all or uniform"
  double parameter = 0.0;  ///< ratio of the geometric law; share that takes all; 0 for uniform
  double information_criterion = 0.0;
};

struct BulkLosses {
  std::size_t events = 0;                      ///< falls from at least 2 nodes
  double single_share = 0.0;                   ///< of them those of one node
  double single_low = 0.0, single_high = 0.0;  ///< 90 %, after Wilson
  std::vector<SizeLaw> laws;                   ///< the best first; empty without a fall of several
};
BulkLosses find_bulk(const CapacitySeries& series);

}  // namespace fleetcast::analysis
