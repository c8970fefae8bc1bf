#pragma once
// The layouts that a search looks at, before memory and time are asked.
#include <vector>

#include "models/layout_search.hpp"

namespace fleetcast::models {

/// Divisors in rising order. `number` at least 1.
std::vector<int> divisors(long long number);

/// All degrees and shardings that the gang allows, with micro-batch and recompute left open.
std::vector<Layout> layout_frames(const LayoutSpace& space, const TransformerShape& shape, double sequence_length);

/// Micro-batches of a frame, largest first: they divide the sequences of a replica, and interleaved chunks need
/// micro-batches in multiples of the pipeline. Empty if the global batch does not divide.
std::vector<double> micro_batches_of(const LayoutSpace& space, const Layout& frame);

}  // namespace fleetcast::models
