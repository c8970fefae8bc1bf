#pragma once
// Draws of a market as a collector would have recorded them: at equal intervals, so that short changes are missed in a
// draw as they are in a trace.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "analysis/market/capacity_series.hpp"
#include "models/market_path.hpp"

namespace fleetcast::analysis {

struct GridForm {
  double interval_h = 0.1;
  std::size_t samples = 100;
  double start_utc_h = 0.0;  ///< hour of the day of the first
};
GridForm form_of(const CapacitySeries& series, double start_utc_h = 0.0);

/// The course that a simulation would see. `offset` is the climate of this draw, in normal units.
CapacitySeries draw_series(const models::LayeredMarket& market, const models::MarketKey& key, const GridForm& form,
                           double offset = 0.0);

/// The same law at a cost of the samples alone, however many changes lie between them; of a market with lone losses the
/// same draw.
CapacitySeries draw_quickly(const models::LayeredMarket& market, const models::MarketKey& key, const GridForm& form,
                            double offset);

/// Quick draws of trial 0, 1 ... without climate.
std::vector<CapacitySeries> draw_rows(const models::LayeredMarket& market, std::uint64_t seed, const GridForm& form,
                                      std::size_t rows);

}  // namespace fleetcast::analysis
