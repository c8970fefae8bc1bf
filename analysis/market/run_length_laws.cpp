#include "analysis/market/run_length_laws.hpp"

#include <algorithm>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>
#include <functional>
#include <map>

#include "analysis/market/nelder_mead.hpp"
#include "models/normal90.hpp"
#include "models/random/deterministic_math.hpp"

namespace fleetcast::analysis {

namespace {

constexpr std::size_t fewest_complete = 5;
constexpr double least_chance = 1e-300;
/// Half-width of a 90 % interval of a normal law, in its sd.

RunLaw law_at(LawForm form, const std::vector<double>& at) {
  return {form, std::exp(at[0]), at.size() > 1 ? std::exp(at[1]) : 1.0};
}

/// Runs of one length, counted.
struct Tally {
  double complete = 0.0, censored = 0.0;
};
using Tallies = std::map<std::size_t, Tally>;

Tallies tallied(const std::vector<SeenRun>& runs) {
  Tallies tallies;
  for (const SeenRun& run : runs) (run.complete ? tallies[run.samples].complete : tallies[run.samples].censored) += 1.0;
  return tallies;
}

double log_likelihood(const RunLaw& law, const Tallies& tallies, double interval_h) {
  const double seen = seen_for(law, interval_h, 1.0);
  double sum = 0.0;
  for (const auto& [samples, tally] : tallies) {
    const double n = static_cast<double>(samples);
    const double reached = seen_for(law, interval_h, n), passed = seen_for(law, interval_h, n + 1.0);
    sum += tally.complete * std::log(std::max((reached - passed) / seen, least_chance));
    sum += tally.censored * std::log(std::max(reached / seen, least_chance));
  }
  return sum;
}

/// sd of each coordinate, from second differences of the log likelihood at its top.
std::vector<double> spreads(const std::function<double(const std::vector<double>&)>& height,
                            const std::vector<double>& top) {
  constexpr double step = 0.02;
  const auto moved = [&](double by_scale, double by_shape) {
    std::vector<double> at = top;
    at[0] += by_scale * step;
    if (at.size() > 1) at[1] += by_shape * step;
    return height(at);
  };
  const double middle = moved(0, 0), square = step * step;
  const double a = -(moved(1, 0) - 2.0 * middle + moved(-1, 0)) / square;
  if (top.size() == 1) return {1.0 / std::sqrt(std::max(a, least_chance))};
  const double b = -(moved(0, 1) - 2.0 * middle + moved(0, -1)) / square;
  const double c = -(moved(1, 1) - moved(1, -1) - moved(-1, 1) + moved(-1, -1)) / (4.0 * square);
  const double determinant = std::max(a * b - c * c, least_chance);
  return {std::sqrt(std::max(0.0, b / determinant)), std::sqrt(std::max(0.0, a / determinant))};
}

double distance_to(const RunLaw& law, const std::vector<SurvivalStep>& steps, double interval_h) {
  const double seen = seen_for(law, interval_h, 1.0);
  double largest = 0.0, before = 1.0;
  for (const SurvivalStep& step : steps) {
    const double n = static_cast<double>(step.samples);
    largest = std::max({largest, std::abs(seen_for(law, interval_h, n + 1.0) / seen - step.survival),
                        std::abs(seen_for(law, interval_h, n) / seen - before)});
    before = step.survival;
  }
  return largest;
}

FittedLaw fit(LawForm form, const std::vector<SeenRun>& runs, double interval_h, double start_h) {
  const Tallies tallies = tallied(runs);
  const auto height = [&](const std::vector<double>& at) {
    return log_likelihood(law_at(form, at), tallies, interval_h);
  };
  std::vector<double> start{std::log(start_h)};
  if (form != LawForm::exponential) start.push_back(0.0);
  const Minimum found =
      minimize([&](const std::vector<double>& at) { return -height(at); }, start, {0.5, 400, 1e-5, 1e-7});
  const std::vector<double> sd = spreads(height, found.at);
  FittedLaw fitted;
  fitted.law = law_at(form, found.at);
  fitted.scale_low_h = fitted.law.scale_h * std::exp(-models::normal90 * sd[0]);
  fitted.scale_high_h = fitted.law.scale_h * std::exp(models::normal90 * sd[0]);
  const double shape_spread = sd.size() > 1 ? models::normal90 * sd[1] : 0.0;
  fitted.shape_low = fitted.law.shape * std::exp(-shape_spread);
  fitted.shape_high = fitted.law.shape * std::exp(shape_spread);
  fitted.log_likelihood = -found.value;
  fitted.information_criterion = 2.0 * static_cast<double>(start.size()) + 2.0 * found.value;
  fitted.distance = distance_to(fitted.law, kaplan_meier(runs), interval_h);
  return fitted;
}

}  // namespace

std::string name_of(LawForm form) {
  switch (form) {
    case LawForm::exponential:
      return "exponential";
    case LawForm::weibull:
      return "weibull";
    case LawForm::lognormal:
      break;
  }
  return "lognormal";
}

double survival(const RunLaw& law, double hours) {
  if (hours <= 0.0) return 1.0;
  switch (law.form) {
    case LawForm::exponential:
      return std::exp(-hours / law.scale_h);
    case LawForm::weibull:
      return std::exp(-std::pow(hours / law.scale_h, law.shape));
    case LawForm::lognormal:
      break;
  }
  return models::det::normal_cdf(-std::log(hours / law.scale_h) / law.shape);
}

double seen_for(const RunLaw& law, double interval_h, double samples) {
  const auto at = [&](double hours) { return survival(law, hours); };
  const double from_h = (samples - 1.0) * interval_h;
  return boost::math::quadrature::gauss<double, 7>::integrate(at, from_h, from_h + interval_h) / interval_h;
}

RunLaws fit_run_laws(const std::vector<SeenRun>& runs, double interval_h) {
  RunLaws laws{runs.size(), 0, 0.0, {}};
  double samples = 0.0;
  for (const SeenRun& run : runs) {
    laws.complete += run.complete ? 1 : 0;
    samples += static_cast<double>(run.samples);
  }
  if (laws.complete < fewest_complete) return laws;
  constexpr double five_percent = 1.36;
  laws.distance_limit = five_percent / std::sqrt(static_cast<double>(runs.size()));
  for (const LawForm form : law_forms)
    laws.fits.push_back(fit(form, runs, interval_h, samples * interval_h / static_cast<double>(laws.complete)));
  std::stable_sort(laws.fits.begin(), laws.fits.end(), [](const FittedLaw& a, const FittedLaw& b) {
    return a.information_criterion < b.information_criterion;
  });
  return laws;
}

}  // namespace fleetcast::analysis
