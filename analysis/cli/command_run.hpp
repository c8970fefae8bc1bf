#pragma once
// `fleetcast run`: simulate, and answer.
#include <span>
#include <string>

#include "analysis/cli/exit_codes.hpp"

namespace fleetcast::cli {

ExitCode command_run(std::span<const std::string> arguments);

}  // namespace fleetcast::cli
