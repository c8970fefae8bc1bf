#pragma once
// What the efficiency table says for one question. Used by compute.cpp alone.
#include <string>

#include "models/compute.hpp"

namespace fleetcast::models {

struct EfficiencyAnswer {
  double efficiency = 0.0;
  double log_sd_own = 0.0;
  Grade grade = Grade::fitted;
  std::string basis;
};

/// Throws InfeasibleError where the table says nothing, unless `allow_extrapolation`.
EfficiencyAnswer look_up_efficiency(const EfficiencyQuestion& question, const EfficiencyTable& table,
                                    bool allow_extrapolation, const NearestRow& nearest);

}  // namespace fleetcast::models
