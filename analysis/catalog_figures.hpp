#pragma once
// The figures of one entry of each kind, from its record and, for its check and its dates, from what is written.
#include <optional>
#include <string>
#include <vector>

#include "analysis/catalog_view.hpp"

namespace fleetcast::analysis {

using CatalogFigures = std::vector<CatalogFigure>;

CatalogFigures figures_of(const models::GpuSpec& gpu, const scenarios::Node& written);
CatalogFigures figures_of(const models::InstanceSpec& instance, const scenarios::Node& written);
CatalogFigures figures_of(const models::TransformerShape& shape, const scenarios::Node& written);
CatalogFigures figures_of(const models::ProviderSpec& provider, const scenarios::Node& written);
CatalogFigures figures_of(const models::StoreSpec& store, const scenarios::Node& written);
CatalogFigures figures_of(const models::TypicalFailures& failures, const scenarios::Node& written);

/// The text at that member, or "".
std::string written_text(const scenarios::Node& written, std::string_view key);

/// A figure in `scale` SI units per shown unit; nothing, and what is not finite, is not known.
CatalogFigure amount(std::string key, std::string label, std::optional<double> value, double scale, std::string unit,
                     int digits = 4);
CatalogFigure words(std::string key, std::string label, const std::string& text);
CatalogFigure truth(std::string key, std::string label, bool value);

/// Lowest and highest price over all places, USD per machine and hour.
struct PriceRange {
  double low = 0.0, high = 0.0;
  int places = 0;
};
/// Nothing where no price is known. Spot: only where it is below on-demand.
std::optional<PriceRange> on_demand_range(const models::InstanceSpec& instance);
std::optional<PriceRange> spot_range(const models::InstanceSpec& instance);
/// Of all price lists of an instance: the oldest date as year and month, and the weakest check.
std::string oldest_price_date(const scenarios::Node& instance);
std::string weakest_price_check(const scenarios::Node& instance);

}  // namespace fleetcast::analysis
