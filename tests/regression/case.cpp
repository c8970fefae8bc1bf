#include "tests/regression/case.hpp"

#include <cstdio>
#include <sstream>
#include <vector>

#include "analysis/summary.hpp"
#include "scenarios/catalog_reader.hpp"
#include "scenarios/reader.hpp"
#include "sim/ensemble.hpp"
#include "sim/plan.hpp"

namespace fleetcast::tests {
namespace {

std::string digits(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

std::string digits(const analysis::Figure& figure) {
  return figure ? digits(*figure) : "null";
}

std::vector<std::vector<sim::Outcome>> simulate(const std::vector<sim::Plan>& plans, std::uint64_t seed,
                                                int replicates) {
  std::vector<std::vector<sim::Outcome>> outcomes(plans.size());
  sim::EnsembleOptions options;
  options.seed = seed;
  options.replicates = options.block_size = static_cast<std::uint32_t>(replicates);
  options.take_block = [&](sim::Block&& block) { outcomes = std::move(block.outcomes); };
  sim::run_ensemble(plans, options);
  return outcomes;
}

void write_strategy(std::ostream& out, const analysis::StrategySummary& strategy,
                    const std::vector<sim::Outcome>& trials) {
  const auto line = [&](const char* figure, const std::string& value) {
    out << strategy.name << " | " << figure << " | " << value << '\n';
  };
  line("finished", std::to_string(strategy.finished) + " of " + std::to_string(strategy.replicates));
  line("cost mean", digits(strategy.cost_usd.mean));
  line("cost p50", digits(strategy.cost_usd.p50));
  line("time mean", digits(strategy.time_s.mean));
  line("time p50", digits(strategy.time_s.p50));
  line("step time", digits(strategy.step_time_s));
  line("goodput", digits(strategy.goodput));
  line("mfu_run", digits(strategy.mfu_run));
  line("stops", digits(strategy.stops));
  line("saves usable", digits(strategy.checkpoints_usable));
  for (const auto& [account, hours] : strategy.accounts_gpu_hours) line(("GPU-h " + account).c_str(), digits(hours));
  for (std::size_t trial = 0; trial < trials.size() && trial < 3; ++trial) {
    char fingerprint[20];
    std::snprintf(fingerprint, sizeof fingerprint, "%016llx",
                  static_cast<unsigned long long>(trials[trial].fingerprint));
    line(("fingerprint of trial " + std::to_string(trial)).c_str(), fingerprint);
  }
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in{text};
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace

std::string figures_of(const std::filesystem::path& scenario, int replicates) {
  const models::Catalog& catalog = scenarios::built_in_catalog();
  const scenarios::ScenarioFile file = scenarios::read_scenario_file(scenario.string(), catalog, {});
  const std::vector<sim::Plan> plans = sim::make_plans(file, catalog);
  const auto outcomes = simulate(plans, file.montecarlo.seed, replicates);
  const analysis::RunSummary summary = analysis::summarize(file, plans, outcomes);
  std::ostringstream out;
  for (std::size_t i = 0; i < plans.size(); ++i) write_strategy(out, summary.strategies[i], outcomes[i]);
  return out.str();
}

std::string difference(const std::string& expected, const std::string& found) {
  const auto before = lines_of(expected), after = lines_of(found);
  std::string text;
  for (std::size_t i = 0; i < std::max(before.size(), after.size()); ++i) {
    const std::string old_line = i < before.size() ? before[i] : "(nothing)";
    const std::string new_line = i < after.size() ? after[i] : "(nothing)";
    if (old_line != new_line) text += "expected " + old_line + "\n   found " + new_line + "\n";
  }
  return text;
}

}  // namespace fleetcast::tests
