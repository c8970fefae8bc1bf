#include "analysis/trial_unknowns.hpp"

#include "analysis/uncertain_plans.hpp"
#include "models/random/deterministic_math.hpp"
#include "sim/unknowns.hpp"

namespace fleetcast::analysis {

namespace {

/// On the scale on which the law is even: the logarithm of a log-normal value.
double even_scale(const scenarios::Uncertain& uncertain, double value) {
  return std::holds_alternative<models::LogNormal>(uncertain.law) ? models::det::log(value) : value;
}

std::vector<double> values_in(const scenarios::ScenarioFile& file, const sim::Plan& plan, std::uint32_t trial) {
  std::vector<double> values = sim::unknown_logs(plan, {file.montecarlo.seed, trial});
  const std::vector<double> drawn = uncertain_values(file, trial);
  for (std::size_t i = 0; i < drawn.size(); ++i) values.push_back(even_scale(file.uncertain[i], drawn[i]));
  return values;
}

}  // namespace

TrialUnknowns unknowns_of(const scenarios::ScenarioFile& file, const sim::Plan& plan, std::size_t trials) {
  TrialUnknowns unknowns;
  unknowns.names = sim::unknown_names(plan);
  for (const scenarios::Uncertain& uncertain : file.uncertain) unknowns.names.push_back(uncertain.pointer);
  unknowns.values.assign(unknowns.names.size(), {});
  for (std::uint32_t trial = 0; trial < trials; ++trial) {
    const std::vector<double> values = values_in(file, plan, trial);
    for (std::size_t i = 0; i < values.size(); ++i) unknowns.values[i].push_back(values[i]);
    if (const auto place = sim::window_place(plan, {file.montecarlo.seed, trial})) {
      unknowns.window_shares.push_back(place->share);
      unknowns.recording_s = place->length_s;
    }
  }
  return unknowns;
}

}  // namespace fleetcast::analysis
