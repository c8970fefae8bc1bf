#pragma once
// The measured row that is most like a question. Used by compute.cpp alone.
#include <span>

#include "models/compute.hpp"

namespace fleetcast::models {

struct RowMatch {
  NearestRow nearest;
  bool same_case = false;  ///< same model size, GPU and precision, within a factor 2 in GPUs and sequence length
};

/// An empty id if there are no rows.
RowMatch nearest_row(const StepQuestion& question, std::span<const MeasuredRow> rows);

}  // namespace fleetcast::models
