#pragma once
// `fleetcast calibrate failures`, `calibrate price` and `calibrate storage`.
#include "analysis/cli/exit_codes.hpp"
#include "analysis/cli/score_options.hpp"

namespace fleetcast::cli {

ExitCode calibrate_records(const CalibrateOptions& options);

}  // namespace fleetcast::cli
