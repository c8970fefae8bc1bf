#include "models/price.hpp"

#include <algorithm>
#include <vector>

namespace fleetcast::models {

namespace {

bool in_place(const PriceEntry& entry, std::string_view region, std::string_view zone) {
  return entry.region == region && (zone.empty() || entry.zone.empty() || entry.zone == zone);
}

/// An entry for the zone itself comes before one for its whole region.
bool closer(const PriceEntry& entry, const PriceEntry& other) {
  return !entry.zone.empty() && other.zone.empty();
}

PriceQuote quote(UsdPerNodeHour price, const PriceEntry& entry) {
  return {price, price.value(), price.value(), 1, entry.date, entry.source, entry.note};
}

std::vector<PriceEntry> entries_in(const InstanceSpec& instance, std::string_view region, std::string_view zone) {
  std::vector<PriceEntry> found;
  for (const PriceEntry& entry : instance.prices)
    if (in_place(entry, region, zone)) found.push_back(entry);
  std::stable_sort(found.begin(), found.end(), closer);
  return found;
}

/// Median of the sorted prices with the whole range; `entry` lends date and source.
PriceQuote median_quote(std::vector<PriceEntry> entries, const std::vector<double>& sorted) {
  const std::size_t middle = sorted.size() / 2;
  const double median = sorted.size() % 2 == 1 ? sorted[middle] : 0.5 * (sorted[middle - 1] + sorted[middle]);
  PriceQuote answer = quote(UsdPerNodeHour{median}, entries.front());
  answer.low = sorted.front();
  answer.high = sorted.back();
  answer.zones = static_cast<int>(sorted.size());
  return answer;
}

using Choice = std::optional<UsdPerNodeHour> PriceEntry::*;

/// Median over the places that state this price.
std::optional<PriceQuote> median_of(std::vector<PriceEntry> entries, Choice choice) {
  std::erase_if(entries, [&](const PriceEntry& entry) { return !(entry.*choice); });
  if (entries.empty()) return std::nullopt;
  std::vector<double> prices;
  for (const PriceEntry& entry : entries) prices.push_back((entry.*choice)->value());
  std::sort(prices.begin(), prices.end());
  return median_quote(std::move(entries), prices);
}

}  // namespace

std::optional<PriceQuote> on_demand_price(const InstanceSpec& instance, std::string_view region,
                                          std::string_view zone) {
  std::vector<PriceEntry> entries = entries_in(instance, region, zone);
  if (zone.empty()) return median_of(std::move(entries), &PriceEntry::on_demand);
  for (const PriceEntry& entry : entries)
    if (entry.on_demand) return quote(*entry.on_demand, entry);
  return std::nullopt;
}

std::optional<PriceQuote> spot_price(const InstanceSpec& instance, std::string_view region, std::string_view zone) {
  std::vector<PriceEntry> entries = entries_in(instance, region, zone);
  if (!zone.empty()) {
    for (const PriceEntry& entry : entries)
      if (entry.spot) return quote(*entry.spot, entry);
    return std::nullopt;
  }
  std::erase_if(entries, [](const PriceEntry& entry) { return !entry.spot_gives_discount; });
  return median_of(std::move(entries), &PriceEntry::spot);
}

}  // namespace fleetcast::models
