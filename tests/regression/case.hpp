#pragma once
// One regression case: a scenario file and the figures it must give again.
#include <filesystem>
#include <string>

namespace fleetcast::tests {

/// What a scenario answers, as text: one line per figure with six digits, and the fingerprints of its first trials.
/// `replicates` trials are run instead of the number that the scenario asks for.
std::string figures_of(const std::filesystem::path& scenario, int replicates);

/// The lines in which two such texts differ, "expected / found" each; empty if they are equal.
std::string difference(const std::string& expected, const std::string& found);

}  // namespace fleetcast::tests
