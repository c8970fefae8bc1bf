#include "analysis/market/market_draw.hpp"

#include "analysis/market/grid_weather.hpp"
#include "models/units.hpp"

namespace fleetcast::analysis {

GridForm form_of(const CapacitySeries& series, double start_utc_h) {
  return {series.interval_h, series.capacity.size(), start_utc_h};
}

CapacitySeries draw_series(const models::LayeredMarket& market, const models::MarketKey& key, const GridForm& form,
                           double offset) {
  models::MarketPath path{market, key, form.start_utc_h, offset};
  CapacitySeries series{static_cast<int>(market.thresholds.size()), form.interval_h, {}};
  series.capacity.reserve(form.samples);
  const double interval_s = form.interval_h * models::seconds_per_hour;
  for (std::size_t i = 0; i < form.samples; ++i) {
    while (path.next_s() <= static_cast<double>(i) * interval_s) path.advance();
    series.capacity.push_back(static_cast<std::int16_t>(path.capacity()));
  }
  return series;
}

CapacitySeries draw_quickly(const models::LayeredMarket& market, const models::MarketKey& key, const GridForm& form,
                            double offset) {
  if (market.lone_loss_per_s > 0.0) return draw_series(market, key, form, offset);
  constexpr std::uint64_t scatter = 0x9E3779B97F4A7C15ULL;  // the golden ratio of 2^64
  return GridWeather{key.seed + scatter * (key.trial + 1), form.samples}.draw(market, form, offset);
}

std::vector<CapacitySeries> draw_rows(const models::LayeredMarket& market, std::uint64_t seed, const GridForm& form,
                                      std::size_t rows) {
  std::vector<CapacitySeries> drawn;
  drawn.reserve(rows);
  for (std::size_t row = 0; row < rows; ++row)
    drawn.push_back(draw_quickly(market, {seed, static_cast<std::uint32_t>(row), 0, 0}, form, 0.0));
  return drawn;
}

}  // namespace fleetcast::analysis
