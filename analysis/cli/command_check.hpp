#pragma once
// `fleetcast check`: explain the plan, simulate nothing.
#include <span>
#include <string>

#include "analysis/cli/exit_codes.hpp"

namespace fleetcast::cli {

ExitCode command_check(std::span<const std::string> arguments);

}  // namespace fleetcast::cli
