#pragma once
// `fleetcast score market` and `fleetcast calibrate market`: traces of spot capacity.
#include "analysis/cli/exit_codes.hpp"
#include "analysis/cli/score_options.hpp"

namespace fleetcast::cli {

/// `infeasible` with --jobs if no trace can be judged. Throws InputError for a trace that cannot be read.
ExitCode score_market(const ScoreOptions& options);
ExitCode calibrate_market(const CalibrateOptions& options);

}  // namespace fleetcast::cli
