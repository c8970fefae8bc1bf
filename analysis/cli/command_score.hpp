#pragma once
// `fleetcast score`: predictions against measurements.
#include <span>
#include <string>

#include "analysis/cli/exit_codes.hpp"

namespace fleetcast::cli {

/// `infeasible` if no row could be predicted. Throws InputError for data that cannot be read.
ExitCode command_score(std::span<const std::string> arguments);

}  // namespace fleetcast::cli
