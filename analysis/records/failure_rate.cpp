#include "analysis/records/failure_rate.hpp"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/special_functions/trigamma.hpp>
#include <cmath>

#include "models/errors.hpp"
#include "models/normal90.hpp"

namespace fleetcast::analysis {

namespace {

/// Shapes that are looked at: a log-sd from 0.001 to about 20.
constexpr double least_shape = 0.05, most_shape = 1e6;

/// Log-likelihood of the counts, without terms that have neither shape nor mean.
double likelihood(std::span<const Counted> sources, double shape, double mean) {
  double sum = 0.0;
  for (const auto& [events, exposure] : sources) {
    const double expected = mean * exposure;
    sum += std::lgamma(shape + events) - std::lgamma(shape) - events * std::log(shape) + events * std::log(mean) -
           (shape + events) * std::log1p(expected / shape);
  }
  return sum;
}

/// The mean that suits a shape best: the root of the score, which falls with the mean.
double best_mean(std::span<const Counted> sources, double shape) {
  double low = std::numeric_limits<double>::infinity(), high = 0.0;
  for (const auto& [events, exposure] : sources) {
    low = std::min(low, std::max(events, 0.01) / exposure);
    high = std::max(high, std::max(events, 0.01) / exposure);
  }
  const auto score = [&](double mean) {
    double sum = 0.0;
    for (const auto& [events, exposure] : sources)
      sum += events - (shape + events) * mean * exposure / (shape + mean * exposure);
    return sum;
  };
  for (int i = 0; i < 200 && high / low > 1.0 + 1e-13; ++i) {
    const double middle = std::sqrt(low * high);
    (score(middle) > 0.0 ? low : high) = middle;
  }
  return std::sqrt(low * high);
}

double log_sd_of(double shape) {
  return std::sqrt(boost::math::trigamma(shape));
}

double standard_error_of_log_mean(std::span<const Counted> sources, double shape, double mean) {
  double information = 0.0;
  for (const Counted& source : sources) {
    const double expected = mean * source.exposure;
    information += expected / (1.0 + expected / shape);
  }
  return 1.0 / std::sqrt(information);
}

/// Log-likelihood if all rates are equal, same terms left out.
double equal_likelihood(std::span<const Counted> sources) {
  double events = 0.0, exposure = 0.0;
  for (const Counted& source : sources) {
    events += source.events;
    exposure += source.exposure;
  }
  return events * std::log(events / exposure) - events;
}

double chance_of_ratio(double ratio) {
  // no spread lies at the border of what is possible: half of the chi-squared law (Self and Liang 1987)
  if (!(ratio > 0.0)) return 1.0;
  return 0.5 * boost::math::cdf(boost::math::complement(boost::math::chi_squared{1.0}, ratio));
}

}  // namespace

Estimate gamma_estimate(double shape, double exposure) {
  const boost::math::gamma_distribution<double> law{shape, 1.0 / exposure};
  return {shape / exposure, boost::math::quantile(law, 0.05), boost::math::quantile(law, 0.95)};
}

Estimate jeffreys(const Counted& counted) {
  models::require(counted.exposure > 0.0 && counted.events >= 0.0, "a count has an exposure");
  return gamma_estimate(counted.events + 0.5, counted.exposure);
}

double shape_of(double log_sd) {
  models::require(log_sd > 0.0, "a spread is positive");
  double low = std::log(1e-3), high = std::log(1e12);
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    (boost::math::trigamma(std::exp(middle)) > log_sd * log_sd ? low : high) = middle;
  }
  return std::exp(low);
}

std::optional<BetweenSources> between_sources(std::span<const Counted> sources) {
  const bool any = std::ranges::any_of(sources, [](const Counted& source) { return source.events > 0.0; });
  if (sources.size() < 2 || !any) return std::nullopt;
  const Curve profile = [&](double log_shape) {
    const double shape = std::exp(log_shape);
    return likelihood(sources, shape, best_mean(sources, shape));
  };
  const double low = std::log(least_shape), high = std::log(most_shape);
  const Peak peak = largest(profile, low, high, 80);
  const Range90 range = range_within(profile, peak, low, high);
  BetweenSources result;
  const double ratio = 2.0 * (peak.value - equal_likelihood(sources));
  const bool spread = ratio > 1e-6;
  const double shape = spread ? std::exp(peak.at) : most_shape, mean = best_mean(sources, shape);
  result.log_sd = spread ? log_sd_of(shape) : 0.0;
  result.log_sd_low = range.open_high ? 0.0 : log_sd_of(std::exp(range.high));
  result.log_sd_high = log_sd_of(std::exp(range.low));
  result.open_high = range.open_low;
  result.p_equal = chance_of_ratio(ratio);
  const double error = standard_error_of_log_mean(sources, shape, mean);
  const boost::math::students_t student{static_cast<double>(sources.size() - 1)};
  const double t = boost::math::quantile(student, 0.95);
  result.mean = {mean, mean * std::exp(-t * error), mean * std::exp(t * error)};
  // as Student's prediction of one more: few sources tell neither the mean nor the spread well
  result.new_shape = shape_of(std::hypot(result.log_sd, error) * t / models::normal90);
  result.new_source = gamma_estimate(result.new_shape, result.new_shape / mean);
  return result;
}

EventsAndExposure as_events(double shape, double mean) {
  models::require(mean > 0.0, "a rate is positive");
  const double events = std::max(0.0, std::round(shape - 0.5));
  return {static_cast<std::uint64_t>(events), (events + 0.5) / mean};
}

}  // namespace fleetcast::analysis
