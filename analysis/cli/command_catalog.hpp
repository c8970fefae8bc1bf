#pragma once
// `fleetcast catalog`: what the catalog knows, with sources.
#include <span>
#include <string>

#include "analysis/cli/exit_codes.hpp"

namespace fleetcast::cli {

/// Throws InputError for an unknown kind or entry, and for a catalog folder with faults.
ExitCode command_catalog(std::span<const std::string> arguments);

}  // namespace fleetcast::cli
