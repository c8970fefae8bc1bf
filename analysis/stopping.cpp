#include "analysis/stopping.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "analysis/moments.hpp"
#include "models/errors.hpp"
#include "models/units.hpp"

namespace fleetcast::analysis {

namespace {

using scenarios::RuleFigure;
using scenarios::Until;

/// A strategy that costs nothing at all is known exactly.
std::optional<double> relative_width(double half, double centre) {
  if (half == 0.0) return 0.0;
  if (centre == 0.0) return std::nullopt;
  return half / std::abs(centre);
}

WidthReached width_of(const Until& rule, const FigureSample& sample) {
  if (sample.finished() == 0) return {WidthReached::Of::nothing, std::nullopt, true};
  const std::vector<double>& values = sample.values();
  const bool complete = sample.finished() == values.size();
  WidthReached reached{complete ? WidthReached::Of::mean : WidthReached::Of::mean_at_least, std::nullopt, false};
  const MeanInterval interval = mean_interval(values);
  if (!interval.limits) return reached;
  reached.relative_width = relative_width((interval.limits->second - interval.limits->first) / 2.0, mean(values));
  reached.narrow = reached.relative_width && *reached.relative_width <= rule.half_width;
  return reached;
}

std::uint32_t most_trials(const Until& rule) {
  return static_cast<std::uint32_t>(rule.at_most);
}

std::uint32_t doubled(std::uint32_t trials, const Until& rule) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(std::uint64_t{trials} * 2, most_trials(rule)));
}

/// The error of a mean falls with the square root of the number of trials. Unknown: one doubling more.
double trials_needed(const Until& rule, const WidthReached& width, std::uint32_t trials) {
  if (width.narrow) return 0.0;
  if (!width.relative_width) return trials + 1.0;
  const double ratio = *width.relative_width / rule.half_width;
  return trials * ratio * ratio;
}

}  // namespace

void FigureSample::add(double value, bool finished) {
  values_.push_back(value);
  finished_ += finished ? 1 : 0;
}

void FigureSample::add(RuleFigure figure, const sim::Outcome& outcome) {
  add(value_of(figure, outcome), outcome.status == sim::Status::finished);
}

double value_of(RuleFigure figure, const sim::Outcome& outcome) {
  switch (figure) {
    case RuleFigure::time_s:
      return outcome.time_s;
    case RuleFigure::gpu_hours:
      return outcome.held_gpu_s / models::seconds_per_hour;
    default:
      return outcome.cost_usd;
  }
}

Look look_at(const Until& rule, std::span<const FigureSample> samples) {
  models::require(!samples.empty() && !samples[0].values().empty(), "a stopping rule looks at trials");
  Look look{static_cast<std::uint32_t>(samples[0].values().size()), {}, false};
  for (const FigureSample& sample : samples) {
    models::require(sample.values().size() == look.trials, "all strategies have the same number of trials");
    look.widths.push_back(width_of(rule, sample));
  }
  look.met = look.trials >= fewest_to_judge && std::ranges::all_of(look.widths, &WidthReached::narrow);
  return look;
}

std::uint32_t expected_trials(const Until& rule, const Look& look) {
  double needed = fewest_to_judge;
  for (const WidthReached& width : look.widths) needed = std::max(needed, trials_needed(rule, width, look.trials));
  std::uint32_t trials = look.trials;
  while (trials < needed && trials < most_trials(rule)) trials = doubled(trials, rule);
  return trials;
}

std::optional<Stopping> play_until(const Until& rule, std::uint32_t first_look, const TrialSource& source) {
  models::require(first_look >= 1 && first_look <= most_trials(rule), "the first look is within the rule");
  Stopping stopping{rule, first_look, 0, {}};
  std::uint32_t begin = 0, end = first_look, expected = first_look;
  while (source.play(begin, end, expected)) {
    stopping.last = look_at(rule, source.samples());
    ++stopping.looks;
    if (stopping.last.met || end >= most_trials(rule)) return stopping;
    expected = expected_trials(rule, stopping.last);
    begin = end;
    end = doubled(end, rule);
  }
  return std::nullopt;
}

std::string rule_text(const Until& rule) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, rule.half_width).ptr;
  return std::string{name_of(rule.figure)} + " within " + std::string{digits, end} + " of its mean, at most " +
         std::to_string(rule.at_most) + " trials";
}

}  // namespace fleetcast::analysis
