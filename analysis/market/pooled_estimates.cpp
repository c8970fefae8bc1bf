#include "analysis/market/pooled_estimates.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/market/samples.hpp"
#include "analysis/market/uniforms.hpp"
#include "models/normal90.hpp"
#include "models/units.hpp"

namespace fleetcast::analysis {

namespace {

/// Keeps logarithms finite.
constexpr double least_figure = 1e-9;
constexpr std::size_t fewest_for_climate = 6, fewest_pairs_for_interval = 3;

Estimate logarithm(const Estimate& figure) {
  const auto log = [](double value) { return std::log(std::max(value, least_figure)); };
  return {log(figure.value), log(figure.low), log(figure.high), figure.fitted};
}

Estimate exponential(const Estimate& figure) {
  return {std::exp(figure.value), std::exp(figure.low), std::exp(figure.high), figure.fitted};
}

double spread_of(const Estimate& figure) {
  constexpr double least = 1e-6;
  return std::max(least, (figure.high - figure.low) / (2.0 * models::normal90));
}

/// Figure number `at` of the traces that have it.
Estimate pooled_figure(const std::vector<TraceCalibration>& traces, const std::string& name) {
  std::vector<Estimate> figures;
  for (const TraceCalibration& trace : traces) {
    const std::vector<MarketFigure> own = dynamics_figures(trace.fit.market);
    for (std::size_t i = 0; i < own.size(); ++i)
      if (own[i].name == name)
        figures.push_back(logarithm({own[i].value, trace.intervals[i].low, trace.intervals[i].high, true}));
  }
  return exponential(pooled_estimate(figures));
}

std::vector<double> mean_thresholds(const std::vector<TraceCalibration>& traces) {
  int nodes = 1;
  for (const TraceCalibration& trace : traces) nodes = std::max(nodes, trace.trace.series.nodes);
  std::vector<double> mean(static_cast<std::size_t>(nodes), 0.0);
  for (const TraceCalibration& trace : traces) {
    const std::vector<double> own = models::thresholds_for(trace.fit.market.thresholds, nodes);
    for (std::size_t k = 0; k < mean.size(); ++k) mean[k] += own[k] / static_cast<double>(traces.size());
  }
  return mean;
}

void pool_dynamics(MarketCalibration& calibration) {
  models::LayeredMarket& market = calibration.market;
  std::vector<std::string> names;
  for (const TraceCalibration& trace : calibration.traces)
    for (const MarketFigure& figure : dynamics_figures(trace.fit.market))
      if (std::ranges::find(names, figure.name) == names.end()) names.push_back(figure.name);
  for (const std::string& name : names) calibration.dynamics.push_back(pooled_figure(calibration.traces, name));
  std::vector<Estimate>& found = calibration.dynamics;
  double sum = 0.0;
  for (std::size_t i = 0; i < models::market_layer_count; ++i) sum += found[i].value;
  for (std::size_t i = 0; i < models::market_layer_count; ++i) {
    found[i] = {found[i].value / sum, std::min(1.0, found[i].low / sum), std::min(1.0, found[i].high / sum), true};
    market.layers[i].weight = found[i].value;
    market.layers[i].mean_gap_s = found[i + models::market_layer_count].value * models::seconds_per_hour;
  }
  if (found.size() == 2 * models::market_layer_count) return;
  market.lone_loss_per_s = found[2 * models::market_layer_count].value / models::seconds_per_hour;
  market.lone_return_s = found[2 * models::market_layer_count + 1].value * models::seconds_per_hour;
}

/// Mean of the waves of traces that state a calendar; those without a significant one count as none.
void pool_daily_swing(MarketCalibration& calibration) {
  constexpr double full_turn = 6.283185307179586, hours_of_day = 24.0;
  double x = 0.0, y = 0.0, square = 0.0;
  const auto dated =
      std::ranges::count_if(calibration.traces, [](const TraceCalibration& each) { return each.trace.has_calendar; });
  const double count = static_cast<double>(dated);
  bool any = false;
  for (const TraceCalibration& trace : calibration.traces) {
    if (!trace.trace.has_calendar) continue;
    const double amplitude = trace.daily.significant() ? trace.daily.amplitude : 0.0;
    any = any || amplitude > 0.0;
    x += amplitude * std::cos(full_turn * trace.daily.peak_h / hours_of_day) / count;
    y += amplitude * std::sin(full_turn * trace.daily.peak_h / hours_of_day) / count;
    const double half = (trace.daily.amplitude_high - trace.daily.amplitude_low) / 2.0;
    square += half * half / (count * count);
  }
  if (!any) return;
  const double swing = std::hypot(x, y), half = std::sqrt(square);
  calibration.daily_swing = {swing, std::max(0.0, swing - half), std::min(1.0, swing + half), true};
  const double peak = std::fmod(std::atan2(y, x) * hours_of_day / full_turn + hours_of_day, hours_of_day);
  const double late = std::asin(std::min(1.0, half / std::max(swing, half))) * hours_of_day / full_turn;
  calibration.daily_peak_h = {peak, peak - late, peak + late, true};
  calibration.market.daily_swing = swing;
  calibration.market.daily_peak_h = peak;
}

double climate_of(const std::vector<double>& excess) {
  return std::sqrt(std::max(0.0, mean_of(excess)));
}

}  // namespace

Estimate pooled_estimate(const std::vector<Estimate>& figures) {
  if (figures.size() == 1) return figures[0];
  double weights = 0.0, squares = 0.0, sum = 0.0;
  for (const Estimate& each : figures) {
    const double weight = 1.0 / (spread_of(each) * spread_of(each));
    weights += weight;
    squares += weight * weight;
    sum += weight * each.value;
  }
  double excess = 1.0 - static_cast<double>(figures.size());
  for (const Estimate& each : figures)
    excess += (each.value - sum / weights) * (each.value - sum / weights) / (spread_of(each) * spread_of(each));
  const double between = std::max(0.0, excess / (weights - squares / weights));
  double all = 0.0, mean = 0.0;
  for (const Estimate& each : figures) {
    const double weight = 1.0 / (spread_of(each) * spread_of(each) + between);
    all += weight;
    mean += weight * each.value;
  }
  const double half = models::normal90 * std::sqrt(between + 1.0 / all);
  return {mean / all, mean / all - half, mean / all + half, true};
}

Estimate climate_estimate(const std::vector<TraceCalibration>& traces) {
  const double pooled = models::pooled_market().climate;
  std::vector<double> excess;
  for (const TraceCalibration& trace : traces)
    if (why_too_little(trace.trace.series).empty())
      excess.push_back(trace.level_difference * trace.level_difference - trace.expected_square);
  if (excess.size() < fewest_for_climate) return {pooled, pooled, pooled, false};
  constexpr int resamples = 1000;
  Uniforms uniforms{1};
  std::vector<double> drawn;
  for (int each = 0; each < resamples; ++each) {
    std::vector<double> sample;
    for (std::size_t i = 0; i < excess.size(); ++i)
      sample.push_back(excess[static_cast<std::size_t>(uniforms.next() * static_cast<double>(excess.size()))]);
    drawn.push_back(climate_of(sample));
  }
  std::sort(drawn.begin(), drawn.end());
  return {climate_of(excess), quantile_of_sorted(drawn, 0.05), quantile_of_sorted(drawn, 0.95), true};
}

Estimate regional_estimate(const std::vector<ZonePair>& pairs, const models::LayeredMarket& market) {
  double slow = 0.0;
  for (std::size_t i = models::first_regional_layer; i < models::market_layer_count; ++i)
    slow += market.layers[i].weight;
  // Sheppard's formula turns the correlation of two halves of normals into that of the normals: sin(pi r / 2).
  constexpr double quarter_turn = 1.5707963267948966;
  std::vector<double> found;
  for (const ZonePair& pair : pairs)
    if (pair.same_region) found.push_back(std::clamp(std::sin(quarter_turn * pair.correlation) / slow, 0.0, 1.0));
  const double pooled = models::pooled_market().regional;
  if (found.empty()) return {pooled, pooled, pooled, false};
  const double mean = mean_of(found);
  if (found.size() < fewest_pairs_for_interval) return {mean, 0.0, 1.0, true};
  const double half = models::normal90 * std::sqrt(variance_of(found) / static_cast<double>(found.size() - 1));
  return {mean, std::max(0.0, mean - half), std::min(1.0, mean + half), true};
}

void pool_traces(MarketCalibration& calibration) {
  pool_dynamics(calibration);
  calibration.market.thresholds = mean_thresholds(calibration.traces);
  pool_daily_swing(calibration);
  calibration.climate = climate_estimate(calibration.traces);
  calibration.market.climate = calibration.climate.value;
  calibration.regional = regional_estimate(calibration.pairs, calibration.market);
  calibration.market.regional = calibration.regional.value;
}

}  // namespace fleetcast::analysis
