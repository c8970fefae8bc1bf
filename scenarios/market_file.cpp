#include "scenarios/market_file.hpp"

#include <cmath>

#include "models/units.hpp"
#include "scenarios/catalog_lists.hpp"
#include "scenarios/read_file.hpp"

namespace fleetcast::scenarios {
namespace {

using catalog::Entry;

constexpr std::string_view market_format = "fleetcast-market-1";
constexpr std::size_t most_bytes = 64 << 20;
/// Weights are written with a few digits.
constexpr double weights_tolerance = 1e-3;

/// The value of {"value", "low", "high"}.
double fitted(Entry& parent, const std::string& key, double least, double most) {
  Entry entry = parent.object(key);
  const double value = entry.number("value");
  if (value < least || value > most)
    parent.fault(key, "must be from " + format_number(least) + " to " + format_number(most));
  return value;
}

void read_layers(Entry& root, models::LayeredMarket& market) {
  std::size_t count = 0;
  double sum = 0.0;
  for (Entry& layer : root.list("layers")) {
    if (count >= market.layers.size()) break;
    models::MarketLayer& target = market.layers[count++];
    target.weight = fitted(layer, "weight", 0.0, 1.0);
    target.mean_gap_s = fitted(layer, "mean_gap_h", 1e-3, 1e5) * models::seconds_per_hour;
    sum += target.weight;
  }
  if (count != market.layers.size()) root.fault("layers", "must be four, the fast ones first");
  if (std::abs(sum - 1.0) > weights_tolerance) root.fault("layers", "the weights do not sum to 1");
  if (market.layers[0].weight <= 0.0) root.fault("layers", "the first needs some weight");
  for (models::MarketLayer& layer : market.layers) layer.weight /= sum;
}

void read_thresholds(Entry& root, models::LayeredMarket& market) {
  market.thresholds = root.number_list("thresholds");
  if (market.thresholds.empty()) root.fault("thresholds", "needs one for each node");
  for (std::size_t i = 1; i < market.thresholds.size(); ++i)
    if (market.thresholds[i] < market.thresholds[i - 1]) return root.fault("thresholds", "must not fall");
}

/// What was seen is not what is expected: capacity moves by the difference of the levels.
void read_level(Entry& root, models::LayeredMarket& market) {
  if (!root.has("level")) return;
  Entry level = root.object("level");
  const double shift = level.number("expected") - level.number("seen");
  for (double& threshold : market.thresholds) threshold -= shift;
}

}  // namespace

MarketFile read_market_file(const std::string& path) {
  const std::string text = read_whole_file(path, most_bytes);
  catalog::Faults faults;
  const catalog::File file{path, text};
  MarketFile result;
  if (const std::optional<Node> document = catalog::parse_object(file, faults)) {
    Entry root{*document, path, "", faults};
    catalog::check_format(root, market_format);
    if (!faults.empty()) throw models::InputError{std::move(faults)};
    result.about = root.text("about");
    result.kind = root.text("kind");
    read_layers(root, result.market);
    read_thresholds(root, result.market);
    read_level(root, result.market);
    result.market.lone_loss_per_s = fitted(root, "lone_loss_per_h", 0.0, 1e4) / models::seconds_per_hour;
    result.market.lone_return_s = fitted(root, "lone_return_h", 1e-3, 1e4) * models::seconds_per_hour;
    result.market.daily_swing = fitted(root, "daily_swing", 0.0, 1.0);
    result.market.daily_peak_h = fitted(root, "daily_peak_utc_h", 0.0, 24.0);
    result.market.climate = fitted(root, "climate", 0.0, 10.0);
    result.market.regional = fitted(root, "regional", 0.0, 1.0);
  }
  if (!faults.empty()) throw models::InputError{std::move(faults)};
  return result;
}

}  // namespace fleetcast::scenarios
