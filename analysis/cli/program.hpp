#pragma once
// Which command was asked for.
#include <span>
#include <string>

#include "analysis/cli/exit_codes.hpp"

namespace fleetcast::cli {

/// `arguments` without the name of the program. Throws what the commands throw.
ExitCode run_program(std::span<const std::string> arguments);

}  // namespace fleetcast::cli
