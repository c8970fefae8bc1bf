#pragma once
// Figures of a market as people read them.
#include <optional>
#include <string>

namespace fleetcast::analysis {

/// "0.53", and "-" for nothing.
std::string figure_or_dash(const std::optional<double>& value);
/// Two decimals.
std::string two_decimals(double value);
std::string three_decimals(double value);
/// Without "avail_" and ".csv".
std::string short_name(const std::string& file);

}  // namespace fleetcast::analysis
