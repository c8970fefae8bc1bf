#pragma once
// Values of the scenario language with the unit that one catalog field wants.
#include <string_view>

#include "scenarios/values.hpp"

namespace fleetcast::scenarios::catalog {

/// Dollars per node-hour: "32.77 USD/node-h".
Parsed<double> parse_node_price(std::string_view text);
/// Dollars per 10^9 bytes: "0.023 USD/GB".
Parsed<double> parse_gb_price(std::string_view text);
/// Events per second and GPU: "2e-5 /GPU-h".
Parsed<double> parse_gpu_rate(std::string_view text);
/// Any random time, `none` and `never` included.
Parsed<models::Distribution> parse_law(std::string_view text);

}  // namespace fleetcast::scenarios::catalog
