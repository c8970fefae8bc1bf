#include "analysis/market/layered_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "analysis/market/layered_parameters.hpp"
#include "analysis/market/market_draw.hpp"
#include "analysis/market/moment_distance.hpp"
#include "analysis/market/nelder_mead.hpp"
#include "models/random/deterministic_math.hpp"

namespace fleetcast::analysis {

namespace {

/// Two searches from opposite sides: the second leaves a corner in which the first may have stopped.
constexpr std::array<double, 2> first_steps{0.8, -0.4};
constexpr int evaluations_each = 110;

constexpr std::uint64_t level_seed = 11;
constexpr int level_rounds = 4;
constexpr double level_hours = 6000.0, level_step = 0.5;
constexpr std::size_t level_rows = 12;

std::vector<double> counts_below(std::span<const CapacitySeries> rows) {
  std::vector<double> at(static_cast<std::size_t>(rows[0].nodes) + 1, 0.0);
  for (const CapacitySeries& series : rows)
    for (const std::int16_t value : series.capacity) at[static_cast<std::size_t>(value)] += 1.0;
  std::partial_sum(at.begin(), at.end(), at.begin());
  return at;
}

std::vector<double> thresholds_of_rows(std::span<const CapacitySeries> rows) {
  constexpr double pseudo_sample = 0.5;
  const std::vector<double> below = counts_below(rows);
  std::vector<double> thresholds;
  for (std::size_t k = 0; k + 1 < below.size(); ++k)
    thresholds.push_back(
        models::det::normal_quantile((below[k] + pseudo_sample) / (below.back() + 2.0 * pseudo_sample)));
  return thresholds;
}

/// Nodes lost alone lower the level: raise it until the shares of time are those of the series again.
void make_up_for_lone_losses(models::LayeredMarket& market, const std::vector<double>& wanted, double interval_h) {
  const GridForm form{interval_h, static_cast<std::size_t>(level_hours / interval_h), 0.0};
  for (int round = 0; round < level_rounds; ++round) {
    const std::vector<double> got = thresholds_of_rows(draw_rows(market, level_seed, form, level_rows));
    for (std::size_t k = 0; k < wanted.size(); ++k)
      market.thresholds[k] += std::clamp(wanted[k] - got[k], -level_step, level_step);
    for (std::size_t k = 1; k < wanted.size(); ++k)
      market.thresholds[k] = std::max(market.thresholds[k], market.thresholds[k - 1]);
  }
}

}  // namespace

std::vector<double> level_thresholds(const CapacitySeries& series) {
  return thresholds_of_rows(std::span{&series, 1});
}

LayeredFit fit_layers(const FitQuestion& question) {
  const MomentDistance distance{question};
  LayeredFit fit;
  fit.at.assign(layer_coordinates + (question.lone_losses ? lone_coordinates : 0), 0.0);
  if (distance.tells_something()) {
    for (const double step : first_steps) {
      const Minimum found = minimize([&](const std::vector<double>& at) { return distance.misfit(at); }, fit.at,
                                     {step, evaluations_each, 1e-2, 1e-3});
      fit.at = found.at;
      fit.misfit = found.value;
      fit.evaluations += found.evaluations;
    }
  }
  fit.market = distance.market_at(fit.at);
  if (question.lone_losses)
    make_up_for_lone_losses(fit.market, level_thresholds(question.series), question.series.interval_h);
  return fit;
}

}  // namespace fleetcast::analysis
