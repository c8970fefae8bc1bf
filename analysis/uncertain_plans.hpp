#pragma once
// The plan of each trial of a scenario in which values are unknown but fixed.
#include <cstdint>
#include <span>
#include <vector>

#include "models/catalog.hpp"
#include "scenarios/scenario.hpp"
#include "sim/plan.hpp"

namespace fleetcast::analysis {

/// What the file's `uncertain` values are in one trial, in file order; the same in all strategies.
std::vector<double> uncertain_values(const scenarios::ScenarioFile& file, std::uint32_t trial);

/// The plan of one strategy in one trial: `nominal` if nothing is uncertain; else the scenario is read again with the
/// values of that trial. What somebody decides without knowing them stays as in `nominal`, the plan with the medians:
/// the checkpoint interval and the horizon. Throws InputError if a drawn value is not allowed.
sim::Plan plan_of_trial(const scenarios::ScenarioFile& file, const models::Catalog& catalog, const sim::Plan& nominal,
                        std::uint32_t trial);

}  // namespace fleetcast::analysis
