#include "analysis/headline.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "analysis/report_tables.hpp"

namespace fleetcast::analysis {

namespace {

constexpr double in_time_share = 0.95;  // what counts as "in time" in the second sentence

const Difference* difference_of(const RunSummary& summary, const std::string& name) {
  const auto found = std::ranges::find(summary.differences, name, &Difference::of);
  return found == summary.differences.end() ? nullptr : &*found;
}

std::string cost_text(const StrategySummary& strategy, const Signs& signs) {
  const Spread& cost = strategy.cost_usd;
  if (!cost.mean) return cost.p50 ? "$" + significant(*cost.p50, 3) + " (median)" : "at an unknown cost";
  if (!cost.ci95) return "$" + significant(*cost.mean, 3);
  const double half = (cost.ci95->second - cost.ci95->first) / 2.0;
  if (half <= 0.0) return "$" + rounded_to(*cost.mean, step_for(*cost.mean, 0.0));
  const double step = step_for(*cost.mean, half);
  return "$" + rounded_to(*cost.mean, step) + hard_blank + signs.plus_minus + hard_blank + rounded_to(half, step);
}

std::string time_text(const StrategySummary& strategy, const TimeUnit& unit, const Signs& signs) {
  const Spread& time = strategy.time_s;
  const Figure centre = time.mean ? time.mean : time.p50;
  if (!centre) return "half of its trials or more do not finish";
  std::string text = "finishes in " + significant(*centre / unit.seconds, 3) + hard_blank + unit.name;
  if (!time.mean) text += " (median)";
  if (time.p5 && time.p95 && *time.p5 < *time.p95)
    text += ", 9 in 10 trials within " + significant(*time.p5 / unit.seconds, 3) + signs.dash +
            significant(*time.p95 / unit.seconds, 3) + hard_blank + unit.name;
  return text;
}

std::string limits_text(const StrategySummary& strategy) {
  std::string text;
  if (strategy.deadline_met)
    text += ", deadline met in " + percent(*strategy.deadline_met) + hard_blank + "% of trials";
  if (strategy.within_budget) text += ", within budget in " + percent(*strategy.within_budget) + hard_blank + "%";
  return text;
}

/// How it compares with the reference; empty for the reference itself.
std::string compared_text(const RunSummary& summary, const StrategySummary& strategy) {
  const Difference* difference = difference_of(summary, strategy.name);
  if (difference == nullptr || !difference->cost_usd.mean) return "";
  const auto to = std::ranges::find(summary.strategies, difference->to, &StrategySummary::name);
  const auto& interval = difference->cost_usd.ci95;
  if (interval && interval->first <= 0.0 && interval->second >= 0.0)
    return ", not clearly different from " + difference->to;
  if (to == summary.strategies.end() || !to->cost_usd.mean || *to->cost_usd.mean <= 0.0) return "";
  const double share = *difference->cost_usd.mean / *to->cost_usd.mean;
  return ", " + significant(100.0 * std::abs(share), 2) + hard_blank + "% " + (share < 0.0 ? "below " : "above ") +
         difference->to;
}

std::string sentence(const std::string& opening, const RunSummary& summary, const StrategySummary& strategy,
                     const Style& style) {
  const Signs signs = signs_of(style);
  return opening + strategy.name + " " + signs.dash + " " + cost_text(strategy, signs) +
         compared_text(summary, strategy) + "; " + time_text(strategy, time_unit(summary), signs) +
         limits_text(strategy) + ".";
}

bool in_time(const StrategySummary& strategy) {
  return strategy.deadline_met.value_or(1.0) >= in_time_share;
}

std::string second_sentence(const RunSummary& summary, const StrategySummary& best, const Style& style) {
  if (in_time(best)) return "";
  std::vector<StrategySummary> others;
  std::ranges::copy_if(summary.strategies, std::back_inserter(others), in_time);
  if (others.empty()) return " No strategy meets the deadline in 95 % of its trials.";
  const int index = cheapest(others);
  if (index < 0) return "";
  return sentence(" Cheapest that meets the deadline: ", summary, others[static_cast<std::size_t>(index)], style);
}

std::string hopeless(std::span<const sim::Plan> plans) {
  std::string text = "No strategy finishes.";
  for (const sim::Plan& plan : plans)
    if (!plan.facts.hopeless.empty()) return text + " " + plan.name + ": " + plan.facts.hopeless;
  return text + " See the reasons below; a longer horizon, more frequent saves or steadier machines would help.";
}

}  // namespace

std::string headline(const RunSummary& summary, std::span<const sim::Plan> plans, const Style& style) {
  const int index = cheapest(summary.strategies);
  if (index < 0) return hopeless(plans);
  const StrategySummary& best = summary.strategies[static_cast<std::size_t>(index)];
  const std::string opening = summary.strategies.size() > 1 ? "Cheapest: " : "";
  return sentence(opening, summary, best, style) + second_sentence(summary, best, style);
}

}  // namespace fleetcast::analysis
