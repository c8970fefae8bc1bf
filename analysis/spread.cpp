#include "analysis/spread.hpp"

#include <algorithm>

#include "analysis/moments.hpp"
#include "analysis/quantiles.hpp"
#include "models/errors.hpp"

namespace fleetcast::analysis {

namespace {

using Reasons = std::map<std::string, std::string>;

void fill_mean(Spread& spread, const CensoredSample& sample, const std::string& name, Reasons& why) {
  spread.mean_at_least = mean(sample.values);
  if (const auto censored = sample.unfinished(); censored > 0) {
    const std::string reason = std::to_string(censored) + " of " + std::to_string(sample.values.size()) +
                               " trials did not finish, so only a lower limit is known (mean_at_least)";
    why[name + ".mean"] = why[name + ".ci95"] = reason;
    return;
  }
  spread.mean = spread.mean_at_least;
  const MeanInterval interval = mean_interval(sample.values);
  spread.ci95 = interval.limits;
  if (!interval.limits) why[name + ".ci95"] = interval.why;
}

OrderedSample ordered(const CensoredSample& sample) {
  std::vector<double> finite;
  for (std::size_t i = 0; i < sample.values.size(); ++i)
    if (sample.finished[i]) finite.push_back(sample.values[i]);
  return {std::move(finite), sample.unfinished()};
}

void fill_quantile(Figure& figure, Interval& limits, const OrderedSample& sample, unsigned percent,
                   const std::string& key, Reasons& why) {
  if (sample.size() == 1 && percent != 50) {
    why[key] = why[key + "_limits"] = "not available: one trial has no spread";
    return;
  }
  figure = quantile(sample, percent);
  if (!figure) why[key] = "this quantile falls among the unfinished trials, which count as infinite";
  const QuantileLimits found = quantile_limits(sample, percent);
  limits = found.limits;
  if (!found.limits) why[key + "_limits"] = found.why;
}

}  // namespace

std::uint64_t CensoredSample::unfinished() const {
  return static_cast<std::uint64_t>(std::count(finished.begin(), finished.end(), false));
}

Spread spread_of(const CensoredSample& sample, const std::string& name, Reasons& why) {
  models::require(!sample.values.empty() && sample.values.size() == sample.finished.size(), "a spread needs trials");
  Spread spread;
  fill_mean(spread, sample, name, why);
  const OrderedSample sorted = ordered(sample);
  fill_quantile(spread.p5, spread.p5_limits, sorted, 5, name + ".p5", why);
  fill_quantile(spread.p50, spread.p50_limits, sorted, 50, name + ".p50", why);
  fill_quantile(spread.p95, spread.p95_limits, sorted, 95, name + ".p95", why);
  return spread;
}

PairedSpread paired_difference(const CensoredSample& of, const CensoredSample& to) {
  models::require(of.values.size() == to.values.size(), "paired strategies have the same trials");
  std::vector<double> differences;
  for (std::size_t i = 0; i < of.values.size(); ++i)
    if (of.finished[i] && to.finished[i]) differences.push_back(of.values[i] - to.values[i]);
  if (differences.empty()) return {std::nullopt, std::nullopt, "there is no trial in which both finished"};
  const MeanInterval interval = mean_interval(differences);
  return {mean(differences), interval.limits, interval.why};
}

double pairs_share(const CensoredSample& of, const CensoredSample& to) {
  std::uint64_t pairs = 0;
  for (std::size_t i = 0; i < of.finished.size(); ++i) pairs += of.finished[i] && to.finished[i];
  return static_cast<double>(pairs) / static_cast<double>(of.finished.size());
}

}  // namespace fleetcast::analysis
