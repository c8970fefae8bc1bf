#pragma once
// The random part of a draw on a grid, apart from what the parameters of the market make of it: many markets can be
// drawn under one weather, fast and with differences that come from the parameters alone. From sample to sample a layer
// keeps its value with chance exp(-interval / gap), so the grid sees exactly the law of `models::MarketPath`.
#include <array>
#include <cstdint>
#include <vector>

#include "analysis/market/market_draw.hpp"

namespace fleetcast::analysis {

class GridWeather {
 public:
  GridWeather(std::uint64_t seed, std::size_t samples);

  /// A market without lone losses; `form.samples` at most those of the weather.
  [[nodiscard]] CapacitySeries draw(const models::LayeredMarket& market, const GridForm& form,
                                    double offset = 0.0) const;

 private:
  struct Layer {
    std::vector<double> chance, value;  ///< uniform and normal, one a sample
  };
  std::array<Layer, models::market_layer_count> layers_;
};

}  // namespace fleetcast::analysis
