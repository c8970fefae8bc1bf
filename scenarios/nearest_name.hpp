#pragma once
// "Did you mean ...?"
#include <string>
#include <string_view>
#include <vector>

namespace fleetcast::scenarios {

/// How far apart two names are: insertions, deletions, replacements and swaps of neighbours count 1 each; letter
/// case and -/_/space count nothing, and look-alikes (O and 0, l and 1, S and 5) a half.
double name_distance(std::string_view a, std::string_view b);

/// The name most like `name`, or "" if none is near: within a third of its length, at least 1.5.
std::string nearest_name(std::string_view name, const std::vector<std::string>& known);

/// All names, the nearest first (as they come if `name` is empty), joined with commas; at most `most`, then "...".
std::string nearest_first(std::string_view name, std::vector<std::string> known, std::size_t most = 12);

}  // namespace fleetcast::scenarios
