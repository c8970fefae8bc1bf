#pragma once
// Prices that change by themselves: at the events of a Poisson process the logarithm takes a new value that remembers
// the one before.
//
//     ln p' - m = memory (ln p - m) + sqrt(1 - memory^2) s N(0, 1),   p = exp(.) cut to [lowest, highest]
//
// memory 0: list prices that are set anew; near 1: a price that wanders and comes back slowly. In the long run ln p is
// normal with mean m and sd s (before the cut), whatever the memory.
#include <cstdint>
#include <limits>

namespace fleetcast::models {

struct PriceLaw {
  double median = 1.0;      ///< USD per node-hour, > 0
  double log_sd = 0.0;      ///< s, >= 0
  double mean_gap_s = 1.0;  ///< between changes, > 0
  double memory = 0.0;      ///< [0, 1)
  double lowest = 0.0, highest = std::numeric_limits<double>::infinity();
};

/// Mean price of the law in the long run, the cut included.
double mean_price(const PriceLaw& law);

}  // namespace fleetcast::models
