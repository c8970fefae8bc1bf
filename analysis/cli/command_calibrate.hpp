#pragma once
// `fleetcast calibrate`: a model fitted to measurements.
#include <span>
#include <string>

#include "analysis/cli/exit_codes.hpp"

namespace fleetcast::cli {

/// `infeasible` if no row could be fitted; then no file is written. Throws InputError for data that cannot be read.
ExitCode command_calibrate(std::span<const std::string> arguments);

}  // namespace fleetcast::cli
