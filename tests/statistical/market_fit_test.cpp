// Parameters recovered from draws of a known market, and the public traces, if they are there.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "analysis/market/jobs_study.hpp"
#include "analysis/market/layered_fit.hpp"
#include "analysis/market/layered_parameters.hpp"
#include "analysis/market/market_calibration.hpp"
#include "analysis/market/market_draw.hpp"

using namespace fleetcast::analysis;
namespace models = fleetcast::models;

namespace {

std::vector<std::string> public_traces() {
  const std::filesystem::path folder = std::filesystem::path{FLEETCAST_SOURCE_DIR} / "../shared/data/spot/traces";
  std::vector<std::string> paths;
  if (!std::filesystem::exists(folder)) return paths;
  for (const auto& entry : std::filesystem::directory_iterator{folder}) {
    const std::string path = entry.path().string();
    if (entry.path().filename().string().starts_with("avail_") &&
        why_too_little(read_market_trace(path).series).empty())
      paths.push_back(path);
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

}  // namespace

TEST_CASE("the parameters of a market are recovered from draws of 800 h, mostly within their intervals") {
  models::LayeredMarket market;
  set_dynamics(market, {0.4, 0.3, -0.3, 0.6, 0.5});  // away from the pooled dynamics, which pull
  market.thresholds = models::thresholds_of_shares(4, 0.3, 0.1, 0.6);
  const std::vector<MarketFigure> truth = dynamics_figures(market);
  constexpr std::uint64_t draws = 8;
  constexpr std::size_t figures = 6;  // four weights and the two fast gaps
  int inside = 0;
  double away = 0.0;
  for (std::uint64_t seed = 21; seed < 21 + draws; ++seed) {
    const FitQuestion question{draw_quickly(market, {seed, 0, 0, 0}, {0.1, 8000, 0.0}, 0.0)};
    const LayeredFit fit = fit_layers(question);
    const std::vector<FigureInterval> intervals = figure_intervals(question, fit);
    for (std::size_t i = 0; i < figures; ++i)
      inside += truth[i].value >= intervals[i].low && truth[i].value <= intervals[i].high ? 1 : 0;
    away += std::log(dynamics_figures(fit.market)[4].value / truth[4].value) / static_cast<double>(draws);
  }
  CHECK(std::abs(away) < 0.2);  // of the fast gap; one draw is off by 0.1
  // 16 other draws: 85 % of the figures inside; the figures of one draw depend on each other.
  CHECK(inside > 0.7 * static_cast<double>(draws * figures));
}

TEST_CASE("a series that tells nothing gets the pooled dynamics") {
  const LayeredFit fit = fit_layers({CapacitySeries{2, 0.1, std::vector<std::int16_t>(500, 2)}});
  CHECK(fit.evaluations == 0);
  CHECK(std::abs(fit.market.layers[0].weight - models::pooled_market().layers[0].weight) < 1e-12);
}

TEST_CASE("threads never change a calibration, and public traces are met as well as can be asked for") {
  const std::vector<std::string> paths = public_traces();
  if (paths.empty()) {
    MESSAGE("skipped: ../shared/data/spot/traces is not there");
    return;
  }
  const MarketCalibration calibration = calibrate_market(paths, 0);
  const std::vector<AgreedShare> shares = agreed_shares(calibration);
  CHECK(shares[0].share > 0.99);       // up fraction
  CHECK(shares[1].share > 2.0 / 3.0);  // p50
  CHECK(shares[2].share > 0.5);        // p90
  CHECK(shares[3].share > 0.8);        // losses in groups
  CHECK(shares[4].share > 0.9);        // hourly dispersion
  const std::vector<std::string> few(paths.begin(), paths.begin() + 2);
  CHECK(market_file_json(calibrate_market(few, 1)) == market_file_json(calibrate_market(few, 3)));
}

TEST_CASE("jobs on public traces: intervals hold, the score beats the controls, and these fail") {
  const std::vector<std::string> paths = public_traces();
  if (paths.empty()) {
    MESSAGE("skipped: ../shared/data/spot/traces is not there");
    return;
  }
  const JobsStudy study = study_jobs(read_market_traces(paths), 0);
  for (const auto* pairs : {&study.later, &study.neighbour}) {
    const ForecastSummary all = summarize(*pairs).back();
    const JobForecastScore& own = all.mean[0];
    for (const double coverage : {own.time.coverage, own.cost.coverage}) {
      CHECK(coverage > 0.80);
      CHECK(coverage < 0.97);
    }
    for (std::size_t control = 1; control < forecast_models.size(); ++control) {
      CAPTURE(name_of(forecast_models[control]));
      CHECK(own.time.crps < all.mean[control].time.crps);
      CHECK(own.cost.crps < all.mean[control].cost.crps);
      CHECK(all.mean[control].time.coverage < 0.80);
    }
  }
  const ForecastSummary later = summarize(study.later).back();
  CHECK(later.well_covered[0].first >= 0.8);
  CHECK(later.well_covered[0].second >= 0.8);
}
