#pragma once
// A score for programs.
#include <string>

#include "analysis/calibration/score.hpp"

namespace fleetcast::analysis {

/// {"kind","rows","scored","skipped":[{"id","reason"}],"median_abs_rel_error","mean_abs_rel_error",
/// "p90_abs_rel_error","max_abs_rel_error","bias","coverage90","detail":[{"id","measured","predicted","rel_error",
/// "interval90":[low,high],"grade"}],"groups":[{"by","name","rows", ...the same six...}]}; the six are null where
/// nothing was scored. Throws ContractError for a figure that is not finite.
std::string score_json(const Score& score);

}  // namespace fleetcast::analysis
