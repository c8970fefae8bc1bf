#include "analysis/uncertain_plans.hpp"

#include "models/errors.hpp"
#include "scenarios/reader.hpp"
#include "sim/draws.hpp"

namespace fleetcast::analysis {

namespace {

void keep_decisions(const sim::Plan& nominal, sim::Plan& plan) {
  plan.save.interval_steps = nominal.save.interval_steps;
  plan.horizon_s = nominal.horizon_s;
  plan.cause_names = nominal.cause_names;
  plan.cause_index = nominal.cause_index;
}

[[noreturn]] void refuse_draw(const models::InputError& error, std::uint32_t trial) {
  std::vector<models::Fault> faults = error.faults();
  for (models::Fault& fault : faults)
    fault.problem = "with the uncertain values of trial " + std::to_string(trial) + ": " + fault.problem;
  throw models::InputError{std::move(faults)};
}

}  // namespace

std::vector<double> uncertain_values(const scenarios::ScenarioFile& file, std::uint32_t trial) {
  const sim::Draws draws{file.montecarlo.seed, trial};
  std::vector<double> values;
  for (const scenarios::Uncertain& uncertain : file.uncertain) {
    const auto entity = static_cast<std::uint32_t>(values.size());
    values.push_back(draws.value(uncertain.law, sim::Purpose::uncertain, entity, 0));
  }
  return values;
}

sim::Plan plan_of_trial(const scenarios::ScenarioFile& file, const models::Catalog& catalog, const sim::Plan& nominal,
                        std::uint32_t trial) {
  if (file.uncertain.empty()) return nominal;
  try {
    const scenarios::ReadOptions options{file.overrides, uncertain_values(file, trial), nominal.name, file.data};
    const scenarios::ScenarioFile drawn = scenarios::read_scenario_text(file.text, file.path, catalog, options);
    sim::Plan plan = sim::make_plan(drawn.strategies.front(), file.montecarlo, catalog, nominal.calendar);
    keep_decisions(nominal, plan);
    return plan;
  } catch (const models::InputError& error) {
    refuse_draw(error, trial);
  }
}

}  // namespace fleetcast::analysis
