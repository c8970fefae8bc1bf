#pragma once
// What forward passes leave for their backward passes.
#include "models/memory.hpp"

namespace fleetcast::models {

/// Layers x micro-batches that a stage keeps at its fullest moment under 1F1B: layers x min(p - stage, m); with v
/// interleaved chunks a stage, min(m v, 2 (p - stage - 1) + (v - 1) p + 1) chunks (Narayanan et al. 2021), on the first
/// stage 1 + (p - 1) / (p v) times all layers of a pipeline stage by p (Korthikanti et al. 2022).
double layers_in_flight(const TransformerShape& shape, const Layout& layout, int stage);

struct ActivationBytes {
  double kept = 0;
  double layer = 0;   ///< a moment of one layer's backward pass: what was recomputed, and gradients
  double logits = 0;  ///< last stage only
  double passed = 0;  ///< between stages and context-parallel ranks
  double host = 0;    ///< kept in host memory instead
};
ActivationBytes activation_bytes(const MemoryQuestion& question, int stage);

}  // namespace fleetcast::models
