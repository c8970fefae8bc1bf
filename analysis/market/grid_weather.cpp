#include "analysis/market/grid_weather.hpp"

#include <algorithm>
#include <cmath>

#include "analysis/market/uniforms.hpp"
#include "models/errors.hpp"
#include "models/random/deterministic_math.hpp"
#include "models/units.hpp"

namespace fleetcast::analysis {

namespace {

constexpr double hours_of_day = 24.0, full_turn = 6.283185307179586;

void add_daily_swing(const models::LayeredMarket& market, const GridForm& form, std::vector<double>& x) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double hour = form.start_utc_h + static_cast<double>(i) * form.interval_h;
    x[i] += market.daily_swing * std::cos(full_turn * (hour - market.daily_peak_h) / hours_of_day);
  }
}

}  // namespace

GridWeather::GridWeather(std::uint64_t seed, std::size_t samples) {
  Uniforms uniforms{seed};
  for (Layer& layer : layers_) {
    layer.chance.resize(samples);
    layer.value.resize(samples);
    for (double& chance : layer.chance) chance = uniforms.next();
    for (double& value : layer.value) value = models::det::normal_quantile(uniforms.next());
    if (samples > 0) layer.chance[0] = 0.0;  // the first sample has a value of its own
  }
}

CapacitySeries GridWeather::draw(const models::LayeredMarket& market, const GridForm& form, double offset) const {
  models::require(form.samples <= layers_[0].value.size() && market.lone_loss_per_s == 0.0,
                  "a weather of this length, and a market that it knows");
  std::vector<double> x(form.samples, offset);
  const double shrink = std::sqrt(1.0 - 0.5 * market.daily_swing * market.daily_swing);
  for (std::size_t j = 0; j < layers_.size(); ++j) {
    const double scale = shrink * std::sqrt(market.layers[j].weight);
    const double renewed = -std::expm1(-form.interval_h * models::seconds_per_hour / market.layers[j].mean_gap_s);
    double value = 0.0;
    for (std::size_t i = 0; i < form.samples; ++i) {
      if (layers_[j].chance[i] < renewed) value = scale * layers_[j].value[i];
      x[i] += value;
    }
  }
  if (market.daily_swing > 0.0) add_daily_swing(market, form, x);
  const auto& z = market.thresholds;
  CapacitySeries series{static_cast<int>(z.size()), form.interval_h, std::vector<std::int16_t>(form.samples)};
  for (std::size_t i = 0; i < form.samples; ++i)
    series.capacity[i] = static_cast<std::int16_t>(std::upper_bound(z.begin(), z.end(), x[i]) - z.begin());
  return series;
}

}  // namespace fleetcast::analysis
