#include "analysis/market/moment_distance.hpp"

#include <algorithm>
#include <numeric>

#include "analysis/market/layered_parameters.hpp"
#include "analysis/market/market_draw.hpp"

namespace fleetcast::analysis {

namespace {

constexpr std::uint64_t fit_seed = 1, scatter_seed = 2;
/// Draws enough that their noise is small against that of one trace, within seconds.
constexpr double samples_drawn = 60000.0;
constexpr std::size_t fewest_rows = 6, most_rows = 40;
constexpr double most_square = 2.0;

}  // namespace

MomentDistance::MomentDistance(const FitQuestion& question)
    : question_{question},
      form_{form_of(question.series, question.start_utc_h)},
      thresholds_{level_thresholds(question.series)},
      target_{market_moments(std::span{&question.series, 1})} {
  const double wanted = samples_drawn / static_cast<double>(question.series.capacity.size());
  rows_ = std::clamp(static_cast<std::size_t>(wanted), fewest_rows, most_rows);
  if (question.lone_losses) return;
  for (std::size_t row = 0; row < rows_; ++row) weather_.emplace_back(fit_seed + row, form_.samples);
}

bool MomentDistance::tells_something() const {
  return std::accumulate(target_.weight.begin(), target_.weight.end(), 0.0) > 0.0;
}

models::LayeredMarket MomentDistance::market_at(const std::vector<double>& at) const {
  models::LayeredMarket market;
  set_dynamics(market, at);
  market.thresholds = thresholds_;
  market.daily_swing = question_.daily_swing;
  market.daily_peak_h = question_.daily_peak_h;
  return market;
}

MarketMoments MomentDistance::moments_at(const std::vector<double>& at) const {
  const models::LayeredMarket market = market_at(at);
  if (weather_.empty()) return market_moments(draw_rows(market, fit_seed, form_, rows_));
  std::vector<CapacitySeries> rows;
  for (const GridWeather& weather : weather_) rows.push_back(weather.draw(market, form_));
  return market_moments(rows);
}

std::vector<MarketMoments> MomentDistance::moments_of_each(const std::vector<double>& at, std::size_t draws) const {
  std::vector<MarketMoments> each;
  for (const CapacitySeries& series : draw_rows(market_at(at), scatter_seed, form_, draws))
    each.push_back(market_moments(std::span{&series, 1}));
  return each;
}

double MomentDistance::misfit(const std::vector<double>& at) const {
  const MarketMoments drawn = moments_at(at);
  double sum = 0.0;
  for (std::size_t i = 0; i < target_.value.size(); ++i) {
    const double difference = drawn.value[i] - target_.value[i];
    sum += target_.weight[i] * std::min(difference * difference, most_square);
  }
  for (const double coordinate : at) sum += pull * coordinate * coordinate;
  return sum;
}

}  // namespace fleetcast::analysis
