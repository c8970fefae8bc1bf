#include "analysis/summary.hpp"

#include <algorithm>

#include "analysis/model_interval.hpp"
#include "analysis/moments.hpp"
#include "analysis/ratios.hpp"
#include "analysis/spread.hpp"
#include "analysis/trial_unknowns.hpp"
#include "analysis/warnings.hpp"
#include "models/errors.hpp"

namespace fleetcast::analysis {

namespace {

using scenarios::RuleFigure;
using sim::Outcome;
using Outcomes = std::vector<Outcome>;

template <class Get>
CensoredSample sample_of(const Outcomes& trials, Get&& get) {
  CensoredSample sample;
  for (const Outcome& trial : trials) {
    sample.values.push_back(get(trial));
    sample.finished.push_back(trial.status == sim::Status::finished);
  }
  return sample;
}

CensoredSample cost_of(const Outcomes& trials) {
  return sample_of(trials, [](const Outcome& trial) { return value_of(RuleFigure::cost_usd, trial); });
}
CensoredSample time_of(const Outcomes& trials) {
  return sample_of(trials, [](const Outcome& trial) { return value_of(RuleFigure::time_s, trial); });
}
CensoredSample gpu_hours_of(const Outcomes& trials) {
  return sample_of(trials, [](const Outcome& trial) { return value_of(RuleFigure::gpu_hours, trial); });
}

template <class Get>
double mean_of(const Outcomes& trials, Get&& get) {
  CompensatedSum total;
  for (const Outcome& trial : trials) total.add(static_cast<double>(get(trial)));
  return total.value() / static_cast<double>(trials.size());
}

void count_statuses(StrategySummary& summary, const Outcomes& trials) {
  summary.replicates = trials.size();
  for (const Outcome& trial : trials) {
    if (trial.status == sim::Status::finished)
      ++summary.finished;
    else
      ++summary.unfinished_by_status[std::string{name_of(trial.status)}];
  }
}

void fill_accounts(StrategySummary& summary, const Outcomes& trials) {
  for (std::size_t i = 0; i < sim::account_count; ++i) {
    const double seconds = mean_of(trials, [i](const Outcome& trial) { return trial.account_gpu_s[i]; });
    summary.accounts_gpu_hours.emplace_back(sim::account_names[i], seconds / models::seconds_per_hour);
  }
}

void fill_bill(StrategySummary& summary, const Outcomes& trials) {
  summary.billed = {{"held", mean_of(trials, [](const Outcome& trial) { return trial.held_usd; })},
                    {"rounding", mean_of(trials, [](const Outcome& trial) { return trial.rounding_usd; })},
                    {"forgiven", mean_of(trials, [](const Outcome& trial) { return trial.forgiven_usd; })}};
  summary.storage_usd = mean_of(trials, [](const Outcome& trial) { return trial.storage_usd; });
  summary.egress_usd = mean_of(trials, [](const Outcome& trial) { return trial.egress_usd; });
}

void fill_stops(StrategySummary& summary, const sim::Plan& plan, const Outcomes& trials) {
  summary.stops = mean_of(trials, [](const Outcome& trial) { return trial.stops; });
  summary.planned_stops = mean_of(trials, [](const Outcome& trial) { return trial.planned_stops; });
  summary.losses_during_restart = mean_of(trials, [](const Outcome& trial) { return trial.losses_during_restart; });
  for (std::size_t i = 0; i < plan.cause_names.size(); ++i) {
    const auto count = [i](const Outcome& trial) {
      models::require(i < trial.stops_by_cause.size(), "an outcome counts the stops of every cause");
      return trial.stops_by_cause[i];
    };
    summary.stops_by_cause.emplace_back(plan.cause_names[i], mean_of(trials, count));
  }
}

void fill_checkpoints(StrategySummary& summary, const Outcomes& trials) {
  summary.checkpoints_started = mean_of(trials, [](const Outcome& trial) { return trial.checkpoints_started; });
  summary.checkpoints_usable = mean_of(trials, [](const Outcome& trial) { return trial.checkpoints_usable; });
  summary.checkpoint_bytes = mean_of(trials, [](const Outcome& trial) { return trial.bytes_written; });
}

/// Share of all trials that finished with the figure at most `limit`; equality meets, unfinished trials miss.
double share_within(const CensoredSample& sample, double limit) {
  std::uint64_t met = 0;
  for (std::size_t i = 0; i < sample.values.size(); ++i) met += sample.finished[i] && sample.values[i] <= limit;
  return static_cast<double>(met) / static_cast<double>(sample.values.size());
}

void fill_limits(StrategySummary& summary, const sim::PlanFacts& facts, const Outcomes& trials) {
  summary.memory = facts.memory;
  if (facts.deadline_s)
    summary.deadline_met = share_within(time_of(trials), *facts.deadline_s);
  else
    summary.why["deadline_met"] = "the scenario sets no deadline";
  if (facts.budget_usd)
    summary.within_budget = share_within(cost_of(trials), *facts.budget_usd);
  else
    summary.why["within_budget"] = "the scenario sets no budget";
}

void fill_model_interval(Spread& spread, const CensoredSample& sample, const TrialUnknowns* unknowns, double time_s,
                         const std::string& name, std::map<std::string, std::string>& why) {
  std::string& reason = why[name + ".model_interval"];
  if (!spread.ci95) {
    reason = "there is no ci95 to widen";
  } else if (unknowns == nullptr) {
    reason = "trials in between are missing";
  } else {
    const ModelInterval interval = model_interval(sample.values, *spread.ci95, *unknowns, time_s);
    spread.model_interval = interval.limits;
    spread.model_share = interval.share;
    reason = interval.why;
  }
  if (reason.empty()) why.erase(name + ".model_interval");
}

void fill_model_intervals(StrategySummary& summary, const TrialUnknowns* unknowns, const Outcomes& trials) {
  const double time_s = summary.time_s.mean_at_least.value_or(0.0);
  fill_model_interval(summary.cost_usd, cost_of(trials), unknowns, time_s, "cost_usd", summary.why);
  fill_model_interval(summary.time_s, time_of(trials), unknowns, time_s, "time_s", summary.why);
  fill_model_interval(summary.gpu_hours, gpu_hours_of(trials), unknowns, time_s, "gpu_hours", summary.why);
  if (unknowns != nullptr && unknowns->recording_s > 0.0)
    summary.independent_windows = independent_windows(unknowns->recording_s, time_s);
  else
    summary.why["independent_windows"] = "no recording is replayed from random places";
}

StrategySummary summarize_strategy(const sim::Plan& plan, const Outcomes& trials, const TrialUnknowns* unknowns) {
  models::require(!trials.empty(), "a summary needs at least one trial");
  StrategySummary summary;
  summary.name = plan.name;
  count_statuses(summary, trials);
  summary.cost_usd = spread_of(cost_of(trials), "cost_usd", summary.why);
  summary.time_s = spread_of(time_of(trials), "time_s", summary.why);
  summary.gpu_hours = spread_of(gpu_hours_of(trials), "gpu_hours", summary.why);
  fill_ratios(summary, plan.facts, trials);
  fill_accounts(summary, trials);
  fill_bill(summary, trials);
  fill_stops(summary, plan, trials);
  fill_checkpoints(summary, trials);
  fill_limits(summary, plan.facts, trials);
  fill_model_intervals(summary, unknowns, trials);
  summary.warnings = statistical_warnings(summary);
  return summary;
}

std::vector<Difference> differences_to(std::string_view reference, std::span<const sim::Plan> plans,
                                       std::span<const Outcomes> outcomes) {
  const auto found = std::ranges::find(plans, reference, &sim::Plan::name);
  std::vector<Difference> differences;
  if (found == plans.end()) return differences;
  const Outcomes& to = outcomes[static_cast<std::size_t>(found - plans.begin())];
  for (std::size_t i = 0; i < plans.size(); ++i) {
    if (plans[i].name == reference) continue;
    const Outcomes& of = outcomes[i];
    differences.push_back({std::string{reference}, plans[i].name, paired_difference(cost_of(of), cost_of(to)),
                           paired_difference(time_of(of), time_of(to)), pairs_share(cost_of(of), cost_of(to))});
  }
  return differences;
}

}  // namespace

RunSummary summarize(const scenarios::ScenarioFile& file, std::span<const sim::Plan> plans,
                     std::span<const Outcomes> outcomes, bool consecutive) {
  models::require(plans.size() == outcomes.size(), "one list of outcomes per strategy");
  RunSummary summary;
  summary.scenario = file.name;
  summary.seed = file.montecarlo.seed;
  for (std::size_t i = 0; i < plans.size(); ++i) {
    models::require(outcomes[i].size() == outcomes[0].size(), "all strategies have the same number of trials");
    const TrialUnknowns unknowns = consecutive ? unknowns_of(file, plans[i], outcomes[i].size()) : TrialUnknowns{};
    summary.strategies.push_back(summarize_strategy(plans[i], outcomes[i], consecutive ? &unknowns : nullptr));
    auto& warnings = summary.strategies.back().warnings;
    const auto planned = plan_warnings(file, plans[i]);
    warnings.insert(warnings.begin(), planned.begin(), planned.end());
  }
  summary.warnings = merged_warnings(summary.strategies);
  summary.differences = differences_to(file.compare_to, plans, outcomes);
  return summary;
}

}  // namespace fleetcast::analysis
