#include "analysis/market/layered_forecast.hpp"

#include <algorithm>

#include "analysis/market/layered_fit.hpp"
#include "analysis/market/samples.hpp"
#include "models/random/deterministic_math.hpp"

namespace fleetcast::analysis {

namespace {

constexpr std::uint64_t forecast_seed = 7;
// Share of a zone's difference from others that lasts, and sd of what is new in a period: from 36 public traces by
// components of variance (between zones 0.55, between halves 0.19, of a sample of a half 0.16 square units) 0.61 and
// 0.64; leaving out one group of traces at a time 0.54 to 0.69 and 0.52 to 0.73.
constexpr double lasting_share = 0.6, forecast_climate = 0.6;
constexpr std::size_t fewest_others = 2;

template <class Condition>
std::vector<double> levels_where(const std::vector<KnownLevel>& levels, const Condition& condition) {
  std::vector<double> found;
  for (const KnownLevel& each : levels)
    if (condition(each)) found.push_back(each.level);
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

double level_of(const CapacitySeries& series) {
  constexpr double half_a_sample = 0.5;
  const double samples = static_cast<double>(series.capacity.size());
  return models::det::normal_quantile((mean_share(series) * samples + half_a_sample) / (samples + 1.0));
}

KnownLevel known_level(const MarketTrace& trace, const CapacitySeries& known) {
  const std::string type =
      trace.provider + " " + trace.instance + " x" + std::to_string(trace.series.nodes) + " " + name_of(trace.kind);
  return {group_of(trace), type, trace.zone + " " + type, level_of(known)};
}

double prior_level(const std::vector<KnownLevel>& levels, const KnownLevel& from, const KnownLevel& to) {
  const auto other = [&](const KnownLevel& each) { return each.zone != from.zone && each.zone != to.zone; };
  const auto of_group = [&](const KnownLevel& each) { return other(each) && each.group == from.group; };
  const auto of_type = [&](const KnownLevel& each) { return other(each) && each.type == from.type; };
  for (const std::vector<double>& found :
       {levels_where(levels, of_group), levels_where(levels, of_type), levels_where(levels, other)})
    if (found.size() >= fewest_others) return quantile_of_sorted(found, 0.5);
  return models::level_of_any_zone;
}

models::LayeredMarket forecast_market(const CapacitySeries& known, TraceKind kind, double prior) {
  models::LayeredMarket market = fit_layers({known, kind == TraceKind::held && known.nodes > 1}).market;
  const double shift = (1.0 - lasting_share) * (prior - level_of(known));
  for (double& threshold : market.thresholds) threshold -= shift;
  market.climate = forecast_climate;
  return market;
}

CapacitySeries draw_forecast(const models::LayeredMarket& market, const GridForm& form, std::uint32_t draw) {
  const models::MarketKey key{forecast_seed, draw, 0, 0};
  return draw_quickly(market, key, form, models::MarketPath::climate(key, market.climate, market.regional));
}

}  // namespace fleetcast::analysis
