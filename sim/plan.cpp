#include "sim/plan.hpp"

#include <algorithm>
#include <cstdio>

#include "models/errors.hpp"
#include "models/random/deterministic_math.hpp"
#include "sim/plan_parts.hpp"

namespace fleetcast::sim {
namespace {

using scenarios::Scenario;

constexpr const char* reclaim_name = "reclaim";

void warn_about_evidence(const Scenario& scenario, PlanFacts& facts) {
  for (const auto& pool : scenario.fleet) {
    if (pool.nodes > 0 && pool.spot_model && pool.spot_model->guessed) {
      facts.warnings.push_back("how often pool " + pool.name + " can hold its spot nodes is " +
                               std::string{models::name_of(pool.spot_model->grade)} +
                               " for all zones and months of its class: set availability, or a calibration as "
                               "capacity, if you know the zone");
    }
  }
  if (facts.step_grade == models::Grade::extrapolated || facts.step_grade == models::Grade::assumed) {
    facts.warnings.push_back("the step time is " + std::string{models::name_of(facts.step_grade)} + ": " +
                             facts.step_basis);
  }
  if (std::count_if(scenario.fleet.begin(), scenario.fleet.end(), [](const auto& pool) { return pool.nodes > 0; }) >
      1) {
    facts.warnings.emplace_back("the gang spans several pools: the network between them is not modelled");
  }
}

/// Streams number the steps of a trial in 26 bits, and work that is lost is done again.
constexpr std::uint64_t most_single_steps = std::uint64_t{1} << 25;

void refuse_endless_steps(const Plan& plan) {
  if (plan.grain == scenarios::Grain::span || plan.steps <= most_single_steps) return;
  throw models::InputError{{{"", 0, 0, "/montecarlo/grain",
                             "the " + std::string{name_of(plan.grain)} + " grain plays every step, and there are " +
                                 std::to_string(plan.steps),
                             "at most " + std::to_string(most_single_steps) + " steps", "span"}}};
}

/// The causes of all strategies, reclaims first, then in the order in which they are met.
std::vector<std::string> common_causes(const std::vector<Plan>& plans) {
  std::vector<std::string> names{reclaim_name};
  for (const Plan& plan : plans) {
    for (const CausePlan& cause : plan.causes) {
      if (std::find(names.begin(), names.end(), cause.name) == names.end()) names.push_back(cause.name);
    }
  }
  return names;
}

void count_causes_as(const std::vector<std::string>& names, Plan& plan) {
  plan.cause_names = names;
  plan.cause_index.clear();
  for (const CausePlan& cause : plan.causes) {
    const auto at = std::find(names.begin() + 1, names.end(), cause.name);
    plan.cause_index.push_back(static_cast<std::size_t>(at - names.begin()));
  }
}

}  // namespace

void assume(Plan& plan, std::string pointer, std::string value, std::string source, models::Grade grade) {
  plan.facts.assumptions.push_back({std::move(pointer), std::move(value), grade, std::move(source)});
}

std::string in_words(double seconds) {
  struct Unit {
    double seconds;
    const char* name;
  };
  constexpr Unit units[] = {{models::seconds_per_day, "d"}, {models::seconds_per_hour, "h"}, {60.0, "min"}};
  Unit unit{1.0, "s"};
  for (const Unit& larger : units) {
    if (seconds >= larger.seconds) {
      unit = larger;
      break;
    }
  }
  char text[32];
  std::snprintf(text, sizeof text, "%.3g %s", seconds / unit.seconds, unit.name);
  return text;
}

Plan make_plan(const Scenario& scenario, const scenarios::MonteCarlo& montecarlo, const models::Catalog& catalog,
               const std::optional<Calendar>& calendar) {
  Plan plan;
  plan.name = plan.facts.strategy = scenario.strategy;
  plan.grain = montecarlo.grain;
  plan.sample_calibration = montecarlo.sample_calibration;
  plan.facts.assumptions = scenario.assumptions;
  plan.facts.warnings = scenario.warnings;
  plan_pools(scenario, plan);
  plan.calendar = calendar;
  plan_replay(scenario, plan);
  plan_steps(scenario, catalog, plan);
  refuse_endless_steps(plan);
  plan_failures(scenario, plan);
  plan_restart(scenario, plan);
  plan_saves(scenario, plan);
  plan_limits(scenario, plan);
  warn_about_evidence(scenario, plan.facts);
  count_causes_as(common_causes({plan}), plan);
  return plan;
}

Plan make_plan(const Scenario& scenario, const scenarios::MonteCarlo& montecarlo, const models::Catalog& catalog) {
  return make_plan(scenario, montecarlo, catalog, common_calendar({&scenario, 1}));
}

std::vector<Plan> make_plans(const scenarios::ScenarioFile& file, const models::Catalog& catalog) {
  const std::optional<Calendar> calendar = common_calendar(file.strategies);
  std::vector<Plan> plans;
  for (const Scenario& scenario : file.strategies) {
    plans.push_back(make_plan(scenario, file.montecarlo, catalog, calendar));
  }
  const std::vector<std::string> names = common_causes(plans);
  for (Plan& plan : plans) count_causes_as(names, plan);
  return plans;
}

}  // namespace fleetcast::sim
