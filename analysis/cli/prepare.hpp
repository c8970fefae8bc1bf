#pragma once
// From the command line to plans that can be simulated.
#include <vector>

#include "analysis/cli/options.hpp"
#include "models/catalog.hpp"
#include "scenarios/scenario.hpp"
#include "sim/plan.hpp"

namespace fleetcast::cli {

struct Prepared {
  models::Catalog catalog;
  scenarios::ScenarioFile file;  ///< only the strategies that were asked for
  std::vector<sim::Plan> plans;  ///< one for each of them, in the same order
};

/// Throws InputError and InfeasibleError.
Prepared prepare(const CommonOptions& options);

}  // namespace fleetcast::cli
