#pragma once
// The measured row that is most like a question. Used by compute.cpp alone.
#include "models/compute.hpp"

namespace fleetcast::models {

struct RowMatch {
  NearestRow nearest;
  bool same_case = false;  ///< same model size, GPU and precision, within a factor 2 in GPUs and sequence length
};

/// An empty id if the table has no rows.
RowMatch nearest_row(const EfficiencyQuestion& question, const EfficiencyTable& table);

}  // namespace fleetcast::models
