#pragma once
// A command line that cannot be understood.
#include <string>

namespace fleetcast::cli {

/// Throws InputError with this one fault.
[[noreturn]] void refuse(std::string problem, std::string allowed = {}, std::string nearest = {});

}  // namespace fleetcast::cli
