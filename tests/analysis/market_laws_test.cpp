#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "analysis/market/nelder_mead.hpp"
#include "analysis/market/run_length_laws.hpp"

using namespace fleetcast::analysis;

namespace {

/// Runs of this law as a collector sees them: begun anywhere within an interval, unseen if they fall between samples,
/// cut after `most` samples.
template <class Draw>
std::vector<SeenRun> seen(std::size_t runs, double interval_h, std::size_t most, const Draw& draw) {
  std::mt19937_64 engine{42};
  std::uniform_real_distribution<double> uniform;
  std::vector<SeenRun> result;
  while (result.size() < runs) {
    const double begin = uniform(engine), end = begin + draw(engine) / interval_h;
    const auto samples = static_cast<std::size_t>(std::floor(end)) - static_cast<std::size_t>(std::floor(begin));
    if (samples == 0) continue;
    result.push_back({std::min(samples, most), samples < most});
  }
  return result;
}

FittedLaw fit_of(const RunLaws& laws, LawForm form) {
  for (const FittedLaw& fit : laws.fits)
    if (fit.law.form == form) return fit;
  return laws.fits.front();
}

}  // namespace

TEST_CASE("Nelder and Mead find the bottom of Rosenbrock's valley") {
  const auto valley = [](const std::vector<double>& at) {
    return 100.0 * std::pow(at[1] - at[0] * at[0], 2) + std::pow(1.0 - at[0], 2);
  };
  const Minimum found = minimize(valley, {-1.2, 1.0}, {0.5, 1000, 1e-6, 1e-10});
  CHECK(std::abs(found.at[0] - 1.0) < 1e-3);
  CHECK(std::abs(found.at[1] - 1.0) < 1e-3);
  CHECK(found.evaluations < 1000);
}

TEST_CASE("Kaplan and Meier by hand: ends at 1, 3, 3 and a run cut at 2") {
  const std::vector<SurvivalStep> steps = kaplan_meier({{1, true}, {2, false}, {3, true}, {3, true}});
  REQUIRE(steps.size() == 2);
  CHECK(steps[0].samples == 1);
  CHECK(steps[0].survival == 0.75);
  CHECK(steps[1].survival == 0.0);
}

TEST_CASE("the chance to be seen for n samples is the exact one of an exponential law") {
  const RunLaw law{LawForm::exponential, 2.0, 1.0};
  const double d = 0.5, mean = (1.0 - std::exp(-d / 2.0)) * 2.0 / d;  // of exp(-h / 2) over the first interval
  CHECK(std::abs(seen_for(law, d, 1.0) / mean - 1.0) < 1e-9);
  CHECK(std::abs(seen_for(law, d, 4.0) / (mean * std::exp(-3.0 * d / 2.0)) - 1.0) < 1e-9);
}

TEST_CASE("an exponential law is recovered although runs are cut and short ones are missed") {
  const auto runs = seen(4000, 0.5, 6, [](auto& engine) { return std::exponential_distribution<double>{1.0}(engine); });
  const FittedLaw fit = fit_of(fit_run_laws(runs, 0.5), LawForm::exponential);
  // 1 / sqrt(about 3500 ends) is 1.7 %.
  CHECK(std::abs(fit.law.scale_h - 1.0) < 0.06);
  CHECK(fit.scale_low_h < 1.0);
  CHECK(fit.scale_high_h > 1.0);
  CHECK(fit.scale_high_h / fit.scale_low_h < 1.15);
}

TEST_CASE("the criterion finds the law that made the runs, and its shape") {
  const auto lognormal = seen(2000, 0.1, 2000, [](auto& engine) {
    return std::lognormal_distribution<double>{0.0, 1.5}(engine);
  });
  const RunLaws of_lognormal = fit_run_laws(lognormal, 0.1);
  CHECK(of_lognormal.fits.front().law.form == LawForm::lognormal);
  CHECK(std::abs(of_lognormal.fits.front().law.shape - 1.5) < 0.12);
  CHECK(of_lognormal.fits.front().distance < of_lognormal.distance_limit);
  CHECK(fit_of(of_lognormal, LawForm::exponential).distance > of_lognormal.distance_limit);
  const auto weibull = seen(2000, 0.1, 2000, [](auto& engine) {
    return std::weibull_distribution<double>{0.6, 2.0}(engine);
  });
  const RunLaws of_weibull = fit_run_laws(weibull, 0.1);
  CHECK(of_weibull.fits.front().law.form == LawForm::weibull);
  CHECK(std::abs(of_weibull.fits.front().law.shape - 0.6) < 0.05);
}

TEST_CASE("too few runs give no law") {
  CHECK(fit_run_laws({{3, false}, {1, true}, {2, true}, {5, false}}, 0.5).fits.empty());
  CHECK(fit_run_laws({}, 0.5).fits.empty());
}
