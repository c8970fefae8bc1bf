#include "tests/gallery/answer.hpp"

#include <algorithm>
#include <utility>

#include "models/errors.hpp"
#include "scenarios/catalog_reader.hpp"
#include "scenarios/reader.hpp"
#include "sim/ensemble.hpp"

namespace fleetcast::tests {

using sim::Account;

std::size_t Answer::index(const std::string& strategy) const {
  const auto at = std::find_if(plans.begin(), plans.end(), [&](const auto& plan) { return plan.name == strategy; });
  REQUIRE_MESSAGE(at != plans.end(), strategy);
  return static_cast<std::size_t>(at - plans.begin());
}

const analysis::StrategySummary& Answer::of(const std::string& strategy) const {
  return summary.strategies[index(strategy)];
}

const sim::Plan& Answer::plan(const std::string& strategy) const {
  return plans[index(strategy)];
}

const std::vector<sim::Outcome>& Answer::trials(const std::string& strategy) const {
  return outcomes[index(strategy)];
}

double Answer::gpu_hours(const std::string& strategy, Account account) const {
  return of(strategy).accounts_gpu_hours[static_cast<std::size_t>(account)].second;
}

double Answer::gang_hours(const std::string& strategy, Account account) const {
  return gpu_hours(strategy, account) / static_cast<double>(plan(strategy).gpus);
}

double Answer::machines_usd(const std::string& strategy) const {
  return of(strategy).billed.front().second;
}

double Answer::stops(const std::string& strategy) const {
  return all_stops(strategy) / static_cast<double>(trials(strategy).size());
}

double Answer::all_stops(const std::string& strategy) const {
  double sum = 0.0;
  for (const sim::Outcome& trial : trials(strategy)) sum += trial.stops;
  return sum;
}

double Answer::running_hours_per_stop(const std::string& strategy) const {
  double hours = 0.0;
  for (const Account account : {Account::compute, Account::exposed_communication, Account::straggler_wait,
                                Account::data_stall, Account::checkpoint_stall, Account::lost_work}) {
    hours += gang_hours(strategy, account);
  }
  return hours / stops(strategy);
}

double Answer::speed(const std::string& strategy) const {
  const auto& facts = plan(strategy).facts;
  return facts.tokens_per_step / (facts.step_time_s * facts.gpus);
}

double Answer::gain(const std::string& of, const std::string& over) const {
  return speed(of) / speed(over);
}

const models::StepBreakdown& Answer::parts(const std::string& strategy) const {
  REQUIRE_MESSAGE(plan(strategy).facts.estimate.has_value(), strategy);
  return plan(strategy).facts.estimate->parts;
}

const models::MemoryEstimate& Answer::memory(const std::string& strategy) const {
  REQUIRE_MESSAGE(plan(strategy).facts.memory.has_value(), strategy);
  return *plan(strategy).facts.memory;
}

bool Answer::warns(const std::string& strategy, const std::string& text) const {
  const auto& warnings = plan(strategy).facts.warnings;
  return std::any_of(warnings.begin(), warnings.end(),
                     [&](const std::string& warning) { return warning.find(text) != std::string::npos; });
}

double standard_error(const analysis::Spread& spread) {
  REQUIRE(spread.ci95.has_value());
  return (spread.ci95->second - spread.ci95->first) / 2.0 / 1.96;
}

namespace {

scenarios::ScenarioFile read(const std::string& name, std::vector<std::string> overrides) {
  const std::string path = std::string{FLEETCAST_SOURCE_DIR} + "/scenarios/gallery/" + name + ".json";
  return scenarios::read_scenario_file(path, scenarios::built_in_catalog(), {std::move(overrides)});
}

}  // namespace

Answer planned(const std::string& name, std::vector<std::string> overrides) {
  Answer result;
  result.plans = sim::make_plans(read(name, std::move(overrides)), scenarios::built_in_catalog());
  return result;
}

std::string refusal(const std::string& name, std::vector<std::string> overrides) {
  try {
    planned(name, std::move(overrides));
  } catch (const models::InfeasibleError& error) {
    return error.what();
  }
  return {};
}

Answer answer(const std::string& name, std::vector<std::string> overrides) {
  const scenarios::ScenarioFile file = read(name, std::move(overrides));
  Answer result;
  result.plans = sim::make_plans(file, scenarios::built_in_catalog());
  sim::EnsembleOptions options;
  options.seed = file.montecarlo.seed;
  options.replicates = options.block_size = static_cast<std::uint32_t>(file.montecarlo.replicates);
  options.take_block = [&](sim::Block&& block) { result.outcomes = std::move(block.outcomes); };
  sim::run_ensemble(result.plans, options);
  result.summary = analysis::summarize(file, result.plans, result.outcomes);
  return result;
}

}  // namespace fleetcast::tests
