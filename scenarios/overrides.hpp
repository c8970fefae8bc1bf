#pragma once
// "--set /pointer=value": changes to the document from the command line.
#include <string>
#include <vector>

#include "models/errors.hpp"
#include "scenarios/document.hpp"

namespace fleetcast::scenarios {

/// Sets each value in turn. The pointer is RFC 6901 (~0 is ~, ~1 is /); the value is JSON if it parses as such, else
/// a text; null removes the member. Missing members are made. Throws InputError with every override that cannot be
/// applied.
void apply_overrides(Node& document, const std::vector<std::string>& overrides);

}  // namespace fleetcast::scenarios
