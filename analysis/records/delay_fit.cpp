#include "analysis/records/delay_fit.hpp"

#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <vector>

namespace fleetcast::analysis {

namespace {

constexpr std::size_t fewest_for_a_spread = 3;

/// Four digits in a scenario are more than a log knows.
double short_number(double value) {
  if (!(value > 0.0)) return 0.0;
  const double scale = std::pow(10.0, 3.0 - std::floor(std::log10(value)));
  return std::round(value * scale) / scale;
}

void fit_positive(std::span<const double> logarithms, DelayFit& fit) {
  const auto n = static_cast<double>(logarithms.size());
  double mean = 0.0, squares = 0.0;
  for (const double x : logarithms) mean += x / n;
  for (const double x : logarithms) squares += (x - mean) * (x - mean);
  const double median = std::exp(mean);
  fit.median_s = {median, median, median};
  fit.spread_known = logarithms.size() >= fewest_for_a_spread;
  if (!fit.spread_known) return;
  const double sigma = std::sqrt(squares / (n - 1.0));
  const double t = boost::math::quantile(boost::math::students_t{n - 1.0}, 0.95) * sigma / std::sqrt(n);
  const boost::math::chi_squared law{n - 1.0};
  fit.median_s = {median, median * std::exp(-t), median * std::exp(t)};
  fit.sigma = {sigma, std::sqrt(squares / boost::math::quantile(law, 0.95)),
               std::sqrt(squares / boost::math::quantile(law, 0.05))};
}

}  // namespace

std::optional<DelayFit> fit_delay(std::span<const double> seconds) {
  if (seconds.empty()) return std::nullopt;
  DelayFit fit;
  std::vector<double> logarithms;
  for (const double time : seconds)
    if (time > 0.0) logarithms.push_back(std::log(time));
  fit.times = seconds.size();
  fit.zeros = fit.times - logarithms.size();
  if (logarithms.empty()) {
    fit.law = models::Constant{0.0};
    return fit;
  }
  fit_positive(logarithms, fit);
  const double sigma = short_number(fit.sigma.value), median = short_number(fit.median_s.value);
  const models::Distribution positive = sigma > 0.0 ? models::Distribution{models::LogNormal{median, sigma}}
                                                    : models::Distribution{models::Constant{median}};
  fit.law = positive;
  if (fit.zeros == 0) return fit;
  const double share = std::round(1e4 * static_cast<double>(fit.zeros) / static_cast<double>(fit.times)) / 1e4;
  fit.law = models::Mixture{{{share, models::Constant{0.0}}, {1.0 - share, positive}}};
  return fit;
}

}  // namespace fleetcast::analysis
