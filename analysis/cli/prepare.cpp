#include "analysis/cli/prepare.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "models/errors.hpp"
#include "scenarios/catalog_reader.hpp"
#include "scenarios/nearest_name.hpp"
#include "scenarios/reader.hpp"

namespace fleetcast::cli {
namespace {

using Names = std::vector<std::string>;

bool has(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void check_names(const Names& asked, const scenarios::ScenarioFile& file) {
  Names known;
  for (const scenarios::Scenario& strategy : file.strategies) known.push_back(strategy.strategy);
  for (const std::string& name : asked) {
    if (has(known, name)) continue;
    refuse("--strategy: " + file.path + " has no strategy \"" + name + "\"", scenarios::nearest_first(name, known));
  }
}

void keep_asked(const Names& asked, Prepared& prepared) {
  std::erase_if(prepared.plans, [&](const sim::Plan& plan) { return !has(asked, plan.name); });
  std::erase_if(prepared.file.strategies,
                [&](const scenarios::Scenario& strategy) { return !has(asked, strategy.strategy); });
}

void check_size(const scenarios::MonteCarlo& montecarlo) {
  constexpr std::int64_t most = std::numeric_limits<std::uint32_t>::max();
  if (montecarlo.replicates > most) {
    refuse("/montecarlo/replicates: found " + std::to_string(montecarlo.replicates), "at most " + std::to_string(most));
  }
}

}  // namespace

Prepared prepare(const CommonOptions& options) {
  Prepared prepared;
  prepared.catalog = options.catalog ? scenarios::read_catalog(*options.catalog) : scenarios::built_in_catalog();
  prepared.file = scenarios::read_scenario_file(options.scenario, prepared.catalog, {.overrides = options.overrides});
  check_size(prepared.file.montecarlo);
  check_names(options.strategies, prepared.file);
  // Planned together even if only some are asked for: they draw by the common list of causes.
  prepared.plans = sim::make_plans(prepared.file, prepared.catalog);
  if (!options.strategies.empty()) keep_asked(options.strategies, prepared);
  return prepared;
}

}  // namespace fleetcast::cli
