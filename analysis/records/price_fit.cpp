#include "analysis/records/price_fit.hpp"

#include <algorithm>
#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numbers>

#include "analysis/format.hpp"
#include "analysis/records/price_likelihood.hpp"
#include "models/errors.hpp"
#include "scenarios/decimal.hpp"

namespace fleetcast::analysis {

namespace {

constexpr double least_discount = 0.01;   // less is none
constexpr double most_sigma = 3.0;        // that a scenario takes
constexpr std::size_t fewest_values = 6;  // for a memory: below, mean reversion has more parameters than the rows carry

/// Share-of-time weighted variance of the logarithm of one trace.
double time_variance(const models::Recording& recording) {
  const auto& changes = recording.changes;
  double mean = 0.0, squares = 0.0;
  for (std::size_t at = 0; at < changes.size(); ++at) {
    const double until = at + 1 < changes.size() ? changes[at + 1].at_s : recording.length_s;
    const double weight = (until - changes[at].at_s) / recording.length_s, x = std::log(changes[at].value);
    mean += weight * x;
    squares += weight * x * x;
  }
  return std::max(0.0, squares - mean * mean);
}

double share_at_lowest(const models::Recording& recording) {
  const auto lowest = std::ranges::min_element(recording.changes, {}, &models::RecordedChange::value)->value;
  return 1.0 - models::share_at_least(recording, std::nextafter(lowest, 2.0 * lowest));
}

double variation_of_gaps(std::span<const PriceTrace> traces) {
  std::vector<double> gaps;
  for (const PriceTrace& trace : traces)
    for (std::size_t at = 1; at < trace.recording.changes.size(); ++at)
      gaps.push_back(trace.recording.changes[at].at_s - trace.recording.changes[at - 1].at_s);
  if (gaps.size() < 3) return 0.0;
  double mean = 0.0, squares = 0.0;
  for (const double gap : gaps) mean += gap / static_cast<double>(gaps.size());
  for (const double gap : gaps) squares += (gap - mean) * (gap - mean);
  return std::sqrt(squares / static_cast<double>(gaps.size() - 1)) / mean;
}

void note_facts(std::span<const PriceTrace> traces, PriceFit& fit) {
  const auto count = static_cast<double>(traces.size());
  double variance = 0.0;
  for (const PriceTrace& trace : traces) {
    fit.time_means.push_back(models::mean_value(trace.recording));
    fit.changes += trace.recording.changes.size() - 1;
    fit.length_s += trace.recording.length_s;
    fit.at_lowest += share_at_lowest(trace.recording) / count;
    variance += time_variance(trace.recording) / count;
  }
  fit.time_log_sd = std::sqrt(variance);
  fit.gap_variation = variation_of_gaps(traces);
}

void fit_gap(PriceFit& fit) {
  if (fit.changes == 0) return;
  const auto changes = static_cast<double>(fit.changes);
  const Estimate rate = jeffreys({changes, fit.length_s});
  fit.mean_gap_s = {fit.length_s / changes, 1.0 / rate.high, 1.0 / rate.low};
}

/// Logarithms of the levels that count: of traces that cost less than on demand, as a region's price in the catalog; of
/// all if none does.
std::vector<double> levels_of(std::span<const PriceTrace> traces, PriceFit& fit) {
  const double correction = fit.form == PriceForm::constant ? 0.0 : 0.5 * fit.sigma.value * fit.sigma.value;
  std::vector<double> all, cheaper;
  for (std::size_t at = 0; at < traces.size(); ++at) {
    all.push_back(std::log(fit.time_means[at]) - correction);
    const auto& on_demand = traces[at].on_demand;
    if (!on_demand || fit.time_means[at] < (1.0 - least_discount) * *on_demand) cheaper.push_back(all.back());
  }
  fit.without_discount = cheaper.empty() ? 0 : all.size() - cheaper.size();
  std::vector<double>& levels = cheaper.empty() ? all : cheaper;
  std::ranges::sort(levels);
  return levels;
}

double middle_of(const std::vector<double>& sorted) {
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : 0.5 * (sorted[half - 1] + sorted[half]);
}

double sd_of(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  double mean = 0.0, squares = 0.0;
  for (const double value : values) mean += value / count;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return values.size() > 1 ? std::sqrt(squares / (count - 1.0)) : 0.0;
}

/// The middle level, and its error: from the spread of several, else that of the one trace.
void fit_level(std::span<const PriceTrace> traces, const PriceLikelihood& likelihood, PriceFit& fit) {
  constexpr double of_a_median = 1.2533;  // standard error of a normal median over that of the mean: sqrt(pi / 2)
  const std::vector<double> levels = levels_of(traces, fit);
  const auto count = static_cast<double>(levels.size());
  const double median = std::exp(middle_of(levels));
  double error = 0.0, freedom = std::max(1.0, likelihood.values() - 1.0);
  if (count > 1.0) {
    fit.between_log_sd = sd_of(levels);
    error = of_a_median * fit.between_log_sd / std::sqrt(count);
    freedom = count - 1.0;
  } else if (fit.form != PriceForm::constant) {
    error = fit.sigma.value / std::sqrt(likelihood.information(fit.memory));
  }
  const double t = boost::math::quantile(boost::math::students_t{freedom}, 0.95);
  fit.median = {median, median * std::exp(-t * error), median * std::exp(t * error)};
}

void fit_list(const PriceLikelihood& likelihood, PriceFit& fit) {
  fit.form = PriceForm::list_changes;
  const double freedom = std::max(1.0, likelihood.values() - likelihood.traces()), squares = likelihood.squares(0.0);
  const auto limit = [&](double p) {  // a chi-squared quantile is twice a gamma one
    return std::sqrt(squares /
                     (2.0 * boost::math::quantile(boost::math::gamma_distribution<double>{0.5 * freedom}, p)));
  };
  fit.sigma = {std::sqrt(squares / freedom), limit(0.95), limit(0.05)};
}

double half_life(double memory, double gap_s) {
  return memory > 0.0 ? -std::numbers::ln2 * gap_s / std::log(memory) : 0.0;
}

void fit_reverting(const PriceLikelihood& likelihood, const Peak& memory, PriceFit& fit) {
  fit.form = PriceForm::mean_reverting;
  fit.memory = std::tanh(memory.at);
  const double sigma = std::sqrt(likelihood.squares(fit.memory) / likelihood.values());
  const auto profile = [&](double y) { return likelihood.profile(std::tanh(y)); };
  const Range90 range = range_within(profile, memory, 0.0, PriceLikelihood::most_memory);
  const double gap = fit.mean_gap_s.value;
  fit.half_life_s = {half_life(fit.memory, gap), half_life(std::tanh(range.low), gap),
                     half_life(std::tanh(range.high), gap)};
  fit.half_life_open = range.open_high;
  const Curve of_sigma = [&](double log_sigma) {
    const double each = std::exp(log_sigma);
    return largest([&](double y) { return likelihood.at(std::tanh(y), each); }, 0.0, PriceLikelihood::most_memory)
        .value;
  };
  const double middle = std::log(sigma), reach = std::log(100.0);
  const Range90 sigmas = range_within(of_sigma, {middle, of_sigma(middle)}, middle - reach, middle + reach, drop90, 60);
  fit.sigma = {sigma, std::exp(sigmas.low), std::exp(sigmas.high)};
  fit.sigma_open = sigmas.open_high;
}

std::string time_text(double seconds) {
  const TimeUnit unit = unit_for(seconds);
  return scenarios::format_rounded(seconds / unit.seconds, 3) + " " + unit.name;
}

}  // namespace

PriceFit fit_price(std::span<const PriceTrace> traces) {
  models::require(!traces.empty(), "a price is fitted to traces");
  PriceFit fit;
  note_facts(traces, fit);
  fit_gap(fit);
  const PriceLikelihood likelihood{traces};
  if (fit.time_log_sd < still || likelihood.values() < 2.0) {
    fit_level(traces, likelihood, fit);
    return fit;
  }
  const Peak memory = likelihood.best_memory();
  const bool enough = likelihood.values() - likelihood.traces() + 1.0 >= static_cast<double>(fewest_values);
  fit.gain =
      enough ? likelihood.criterion(likelihood.profile(0.0), 1.0) - likelihood.criterion(memory.value, 2.0) : 0.0;
  if (fit.gain > 0.0)
    fit_reverting(likelihood, memory, fit);
  else
    fit_list(likelihood, fit);
  fit_level(traces, likelihood, fit);
  return fit;
}

std::string price_text(const PriceFit& fit) {
  const std::string median = scenarios::format_rounded(fit.median.value, 4) + " USD/node-h";
  if (fit.form == PriceForm::constant) return median;
  const std::string inside = "(median " + median + ", sigma " +
                             scenarios::format_rounded(std::min(fit.sigma.value, most_sigma), 3) + ", every " +
                             time_text(fit.mean_gap_s.value);
  if (fit.form == PriceForm::list_changes) return "list-changes" + inside + ")";
  return "mean-reverting" + inside + ", half-life " + time_text(fit.half_life_s.value) + ")";
}

}  // namespace fleetcast::analysis
