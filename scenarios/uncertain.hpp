#pragma once
// `uncertain`: values of the scenario that are unknown but fixed, drawn once a trial, the same in all strategies.
#include <string>
#include <vector>

#include "scenarios/fields.hpp"
#include "scenarios/scenario.hpp"

namespace fleetcast::scenarios {

/// The top-level field: pointers with their laws, in file order. A law has the unit of the value that it stands for:
/// "lognormal(median 0.40 MFU, sigma 0.1)", "uniform(2 USD/GPU-h, 3 USD/GPU-h)", "mix(0.5: 8, 0.5: 16)".
std::vector<Uncertain> read_uncertain(const Object& top);

/// "/pointer=value", as an override says it.
std::string override_text(const Uncertain& uncertain, double value);

}  // namespace fleetcast::scenarios
