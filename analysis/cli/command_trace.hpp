#pragma once
// `fleetcast trace`: one trial as a timeline.
#include <span>
#include <string>

#include "analysis/cli/exit_codes.hpp"

namespace fleetcast::cli {

ExitCode command_trace(std::span<const std::string> arguments);

}  // namespace fleetcast::cli
