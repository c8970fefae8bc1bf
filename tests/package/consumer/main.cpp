// A program of somebody else's: reads a scenario, runs ten trials of each strategy, prints the mean costs.
#include <cstdio>
#include <exception>

#include "analysis/summary.hpp"
#include "scenarios/catalog_reader.hpp"
#include "scenarios/reader.hpp"
#include "sim/ensemble.hpp"

namespace {

void print_means(const char* path) {
  using namespace fleetcast;
  const models::Catalog& catalog = scenarios::built_in_catalog();
  const scenarios::ScenarioFile file = scenarios::read_scenario_file(path, catalog, {});
  const std::vector<sim::Plan> plans = sim::make_plans(file, catalog);
  std::vector<std::vector<sim::Outcome>> outcomes;
  sim::EnsembleOptions options;
  options.seed = file.montecarlo.seed;
  options.replicates = options.block_size = 10;
  options.take_block = [&](sim::Block&& block) { outcomes = std::move(block.outcomes); };
  sim::run_ensemble(plans, options);
  for (const analysis::StrategySummary& strategy : analysis::summarize(file, plans, outcomes).strategies)
    std::printf("%s: %.12g USD\n", strategy.name.c_str(), strategy.cost_usd.mean.value());
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) return 2;
  print_means(argv[1]);
} catch (const std::exception& error) {
  std::fputs(error.what(), stderr);
  return 1;
}
