#include "analysis/stopping_report.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "analysis/format.hpp"
#include "analysis/moments.hpp"
#include "models/errors.hpp"

namespace fleetcast::analysis {

namespace {

using Of = WidthReached::Of;

/// As it was reached: three digits.
std::string reached(double share) {
  return significant(100.0 * share, 3) + " %";
}

/// As it was asked for: 0.007 is "0.7 %", not what the computer makes of it.
std::string asked(double share) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, rounded_to_12_digits(100.0 * share)).ptr;
  return std::string{digits, end} + " %";
}

std::string half_interval(scenarios::RuleFigure figure) {
  return "half of the 95 % interval of the mean of " + std::string{name_of(figure)};
}

/// Index of the strategy that is known least; those without an interval come first, those not judged last.
std::size_t widest(const Look& look) {
  const auto rank = [](const WidthReached& width) {
    if (width.of == Of::nothing) return -1.0;
    return width.relative_width.value_or(std::numeric_limits<double>::infinity());
  };
  const auto found = std::ranges::max_element(look.widths, {}, rank);
  return static_cast<std::size_t>(found - look.widths.begin());
}

std::string widest_text(const RunSummary& summary, const Stopping& stopping) {
  const std::size_t index = widest(stopping.last);
  const WidthReached& width = stopping.last.widths[index];
  const std::string name = summary.strategies[index].name;
  if (width.of == Of::nothing) return "no strategy can be judged";
  if (!width.relative_width) return half_interval(stopping.rule.figure) + " is not known (" + name + ")";
  return half_interval(stopping.rule.figure) + " is " + reached(*width.relative_width) + " of it at the widest (" +
         name + "), asked for: " + asked(stopping.rule.half_width);
}

/// ", at 4,000 trials" with the doublings before it.
std::string when(const Stopping& stopping) {
  const std::string trials = grouped(stopping.last.trials, 0) + " trials";
  const unsigned doublings = stopping.looks - 1;
  if (doublings == 0) return "at the first look, at " + trials;
  return "after " + std::to_string(doublings) + (doublings == 1 ? " doubling, at " : " doublings, at ") + trials;
}

std::string names_of(const RunSummary& summary, const Look& look, Of of) {
  std::string names;
  for (std::size_t i = 0; i < look.widths.size(); ++i)
    if (look.widths[i].of == of) names += (names.empty() ? "" : ", ") + summary.strategies[i].name;
  return names;
}

std::string exceptions(const RunSummary& summary, const Look& look) {
  std::string text;
  if (const std::string names = names_of(summary, look, Of::mean_at_least); !names.empty())
    text += " Judged by mean_at_least, since some trials did not finish: " + names + ".";
  if (const std::string names = names_of(summary, look, Of::nothing); !names.empty())
    text += " Not judged, since no trial finished: " + names + ".";
  return text;
}

std::string warning(const RunSummary& summary, const Stopping& stopping) {
  const std::string text =
      "montecarlo.until is not met with the " + grouped(stopping.last.trials, 0) + " trials that at_most allows: ";
  const bool narrow = std::ranges::all_of(stopping.last.widths, &WidthReached::narrow);
  if (narrow) return text + "fewer than " + std::to_string(fewest_to_judge) + " are never enough";
  return text + widest_text(summary, stopping);
}

}  // namespace

void tell(RunSummary& summary, const Stopping& stopping) {
  models::require(stopping.last.widths.size() == summary.strategies.size(), "the rule looks at every strategy");
  summary.stopping = stopping;
  if (!stopping.last.met) summary.warnings.push_back(warning(summary, stopping));
}

std::string stopping_line(const RunSummary& summary) {
  if (!summary.stopping) return "";
  const Stopping& stopping = *summary.stopping;
  return std::string{"Stopping rule: "} + (stopping.last.met ? "met " : "not met ") + when(stopping) + ": " +
         widest_text(summary, stopping) + "." + exceptions(summary, stopping.last);
}

std::string rule_sentence(const scenarios::MonteCarlo& montecarlo) {
  if (!montecarlo.until) return "";
  const scenarios::Until& rule = *montecarlo.until;
  return "Trials: " + grouped(static_cast<double>(montecarlo.replicates), 0) +
         " per strategy, doubled until in every strategy " + half_interval(rule.figure) + " is at most " +
         asked(rule.half_width) + " of it; at most " + grouped(static_cast<double>(rule.at_most), 0);
}

}  // namespace fleetcast::analysis
