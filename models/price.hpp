#pragma once
// Which price of the catalog holds for a place.
#include <optional>
#include <string>
#include <string_view>

#include "models/hardware.hpp"

namespace fleetcast::models {

struct PriceQuote {
  UsdPerNodeHour price;
  double low = 0.0, high = 0.0;  ///< range over the zones that were looked at, USD per node-hour
  int zones = 0;                 ///< how many gave this price
  std::string date, source, note;
};

/// On-demand price of the region (and zone, if given). Nothing if the catalog does not know it.
std::optional<PriceQuote> on_demand_price(const InstanceSpec& instance, std::string_view region, std::string_view zone);
/// Spot price: of the zone, or the median of the region's zones that give a discount, with their range.
std::optional<PriceQuote> spot_price(const InstanceSpec& instance, std::string_view region, std::string_view zone);

}  // namespace fleetcast::models
