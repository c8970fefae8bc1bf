#pragma once
// What is expected of a zone in a period to come, from a series of it or of a neighbour. One period differs from the
// next by more than its own length can show: the level is drawn towards that of other zones, and a climate is added.
#include <cstdint>
#include <vector>

#include "analysis/market/market_draw.hpp"
#include "analysis/market/market_trace.hpp"
#include "models/market.hpp"

namespace fleetcast::analysis {

/// Level of a series in normal units: the normal quantile of its mean share, half a sample added at both ends.
double level_of(const CapacitySeries& series);

/// A zone's level as others may take it for a prior.
struct KnownLevel {
  std::string group, type, zone;  ///< zone together with its machine
  double level = 0.0;
};
KnownLevel known_level(const MarketTrace& trace, const CapacitySeries& known);

/// Median level of the other zones of the group, if there are two; else of those of the same type; else of all; else of
/// the public traces. Levels of `from` and `to` (zones) are left out.
double prior_level(const std::vector<KnownLevel>& levels, const KnownLevel& from, const KnownLevel& to);

/// The fit of the series, its level drawn towards the prior, with the climate of a period that is not the fitted one.
models::LayeredMarket forecast_market(const CapacitySeries& known, TraceKind kind, double prior);

/// Draw number `draw`, with its own climate.
CapacitySeries draw_forecast(const models::LayeredMarket& market, const GridForm& form, std::uint32_t draw);

}  // namespace fleetcast::analysis
