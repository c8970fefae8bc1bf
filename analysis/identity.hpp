#pragma once
// What makes two runs the same run: a short list of names and values that every part carries, so that a part of
// another run is recognised and the difference can be named.
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analysis/results_file.hpp"

namespace fleetcast::analysis {

/// In a fixed order; long texts stand as their length and hash.
using Identity = std::vector<std::pair<std::string, std::string>>;

Identity identity_of(const ResultsHeader& header);

/// One line per entry, "name<tab>value".
std::string to_text(const Identity& identity);
/// Nothing if the text is not of that form.
std::optional<Identity> identity_from(const std::string& text);

/// "seed is 2 there and 1 here; ...", empty if they are equal.
std::string differences_between(const Identity& there, const Identity& here);

}  // namespace fleetcast::analysis
