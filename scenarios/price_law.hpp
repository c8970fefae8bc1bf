#pragma once
// Prices that change by themselves, in the notation of the scenario language.
#include <optional>
#include <string_view>

#include "models/price_law.hpp"
#include "scenarios/values.hpp"

namespace fleetcast::scenarios {

/// "list-changes(median 14.9 USD/node-h, sigma 0.15, every 30 d)": list prices set anew, each independent of the last;
/// "mean-reverting(median 1.2 USD/node-h, sigma 0.2, every 8 h, half-life 5 d)": a price that wanders and comes back.
/// `sigma` is the sd of the logarithm in the long run. Per GPU or per node: the price per node of so many GPUs.
/// Nothing if the text does not begin like one of them.
std::optional<Parsed<models::PriceLaw>> parse_price_law(std::string_view text, int gpus_per_node);

}  // namespace fleetcast::scenarios
