#pragma once
// What must hold for every figure of the catalog, beyond what its reader demands.
#include <string>
#include <vector>

namespace fleetcast::tests {

/// Everything that is wrong with the catalog of that folder ("": compiled in): faults of the reader, or else values
/// outside any plausible range, prices without a date, spot dearer than on-demand, shapes that miss their published
/// totals, providers without machines.
std::vector<std::string> violations_of_catalog(const std::string& folder);

}  // namespace fleetcast::tests
