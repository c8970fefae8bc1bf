#include "analysis/cli/verdict.hpp"

#include <algorithm>
#include <string>

namespace fleetcast::cli {
namespace {

using analysis::StrategySummary;

bool hopeless(const sim::Plan& plan) {
  return !plan.facts.hopeless.empty();
}

bool ended_by_limits_only(const StrategySummary& strategy) {
  return std::ranges::none_of(strategy.unfinished_by_status, [](const auto& entry) {
    return entry.first == name_of(sim::Status::horizon) || entry.first == name_of(sim::Status::recording);
  });
}

std::string how_they_ended(const StrategySummary& strategy) {
  std::string text;
  for (const auto& [status, trials] : strategy.unfinished_by_status) {
    text += (text.empty() ? "" : ", ") + std::to_string(trials) + " ended by the " + status;
  }
  return text;
}

std::string what_would_help(const StrategySummary& strategy) {
  const auto ended_by = [&](sim::Status status) {
    return strategy.unfinished_by_status.contains(std::string{name_of(status)});
  };
  std::string text;
  const auto add = [&](const char* advice) { text += (text.empty() ? "" : "; ") + std::string{advice}; };
  if (ended_by(sim::Status::deadline)) add("a later limits.deadline, or none in limits.stop_at");
  if (ended_by(sim::Status::budget)) add("a larger limits.budget, or none in limits.stop_at");
  if (ended_by(sim::Status::horizon)) add("a longer limits.horizon, fewer interruptions or a shorter restart");
  if (ended_by(sim::Status::recording)) add("a longer recording, or \"at_end\": \"repeat\" or \"hold\" in its replay");
  if (ended_by(sim::Status::event_limit)) add("--grain span, fewer interruptions or a shorter restart");
  return text;
}

}  // namespace

ExitCode verdict(const analysis::RunSummary& summary, std::span<const sim::Plan> plans) {
  if (std::ranges::any_of(summary.strategies, [](const StrategySummary& each) { return each.finished > 0; })) {
    return ExitCode::answered;
  }
  const bool limits_only = std::ranges::all_of(summary.strategies, ended_by_limits_only);
  return limits_only && !std::ranges::all_of(plans, hopeless) ? ExitCode::limit : ExitCode::infeasible;
}

void explain_unfinished(const analysis::RunSummary& summary, std::span<const sim::Plan> plans, std::ostream& messages) {
  messages << "fleetcast: no trial finished\n";
  for (std::size_t index = 0; index < plans.size(); ++index) {
    const StrategySummary& strategy = summary.strategies.at(index);
    messages << strategy.name << ": " << how_they_ended(strategy) << ".\n  ";
    if (hopeless(plans[index])) {
      messages << plans[index].facts.hopeless << '\n';
    } else {
      messages << "What would help: " << what_would_help(strategy) << ".\n";
    }
  }
}

ExitCode verdict_of_plans(std::span<const sim::Plan> plans) {
  return std::ranges::all_of(plans, hopeless) ? ExitCode::infeasible : ExitCode::answered;
}

void explain_hopeless(std::span<const sim::Plan> plans, std::ostream& messages) {
  for (const sim::Plan& plan : plans) {
    if (hopeless(plan)) messages << "fleetcast: " << plan.name << ": " << plan.facts.hopeless << '\n';
  }
}

}  // namespace fleetcast::cli
