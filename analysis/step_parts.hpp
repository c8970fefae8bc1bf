#pragma once
// The parts of a modelled step by name.
#include <string_view>
#include <vector>

#include "models/step_model.hpp"

namespace fleetcast::analysis {

struct StepPart {
  std::string_view key;    ///< "matrix_products"
  std::string_view label;  ///< "matrix products"
  double seconds = 0.0;
  bool communication = false;
};

/// In the order of the step; they sum to its total. Parts of no time are there, too.
std::vector<StepPart> step_parts(const models::StepBreakdown& parts);

}  // namespace fleetcast::analysis
