#include "analysis/warnings.hpp"

#include <algorithm>

#include "analysis/format.hpp"
#include "analysis/quantiles.hpp"

namespace fleetcast::analysis {

namespace {

using Lines = std::vector<std::string>;

void add_once(Lines& lines, const std::string& line) {
  if (std::ranges::find(lines, line) == lines.end()) lines.push_back(line);
}

void add_unfinished(Lines& lines, const StrategySummary& summary) {
  const std::uint64_t unfinished = summary.replicates - summary.finished;
  if (unfinished == 0) return;
  std::string by;
  for (const auto& [status, count] : summary.unfinished_by_status)
    by += (by.empty() ? "" : ", ") + status + " " + std::to_string(count);
  lines.push_back(std::to_string(unfinished) + " of " + std::to_string(summary.replicates) +
                  " trials did not finish (" + by +
                  "): means are not known, only lower limits; accounts, bills and counts hold what was done");
}

void add_suppressed(Lines& lines, const StrategySummary& summary) {
  for (const char* figure : {"cost_usd", "time_s", "gpu_hours"}) {
    const auto reason = summary.why.find(std::string{figure} + ".ci95");
    if (reason != summary.why.end() && reason->second.starts_with("suppressed"))
      lines.push_back(std::string{"interval of the mean of "} + figure + " " + reason->second);
  }
}

void add_few_trials(Lines& lines, const StrategySummary& summary) {
  const std::uint64_t needed = fewest_for_limits(95);
  if (summary.replicates == 1)
    lines.push_back("one trial: there is no spread and no error of the mean");
  else if (summary.replicates < needed)
    lines.push_back("only " + std::to_string(summary.replicates) + " trials: p5 and p95 have no 95 % limits below " +
                    std::to_string(needed) + " trials");
}

/// Below this, trials of a replay repeat one another.
constexpr double few_windows = 10.0;

void add_few_windows(Lines& lines, const StrategySummary& summary) {
  if (!summary.independent_windows || *summary.independent_windows >= few_windows) return;
  lines.push_back("the recording holds only " + grouped(*summary.independent_windows, 1) +
                  " windows as long as a run: trials replay the same stretches and are not independent");
}

Lines names_with(const std::vector<StrategySummary>& strategies, const std::string& line) {
  Lines names;
  for (const StrategySummary& strategy : strategies)
    if (std::ranges::find(strategy.warnings, line) != strategy.warnings.end()) names.push_back(strategy.name);
  return names;
}

std::string with_names(const Lines& names, const std::string& line) {
  std::string prefix;
  for (const std::string& name : names) prefix += (prefix.empty() ? "" : ", ") + name;
  return prefix + ": " + line;
}

}  // namespace

Lines plan_warnings(const scenarios::ScenarioFile& file, const sim::Plan& plan) {
  Lines lines;
  const auto scenario = std::ranges::find(file.strategies, plan.name, &scenarios::Scenario::strategy);
  if (scenario != file.strategies.end())
    for (const std::string& line : scenario->warnings) add_once(lines, line);
  for (const std::string& line : plan.facts.warnings) add_once(lines, line);
  return lines;
}

Lines statistical_warnings(const StrategySummary& summary) {
  Lines lines;
  add_unfinished(lines, summary);
  add_suppressed(lines, summary);
  add_few_trials(lines, summary);
  add_few_windows(lines, summary);
  return lines;
}

Lines merged_warnings(const std::vector<StrategySummary>& strategies) {
  Lines merged;
  for (const StrategySummary& strategy : strategies)
    for (const std::string& line : strategy.warnings) {
      const Lines names = names_with(strategies, line);
      add_once(merged, names.size() == strategies.size() ? line : with_names(names, line));
    }
  return merged;
}

}  // namespace fleetcast::analysis
