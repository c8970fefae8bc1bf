#include "models/market.hpp"

#include <algorithm>
#include <boost/math/constants/constants.hpp>
#include <boost/math/quadrature/gauss.hpp>
#include <cmath>

#include "models/errors.hpp"
#include "models/random/deterministic_math.hpp"
#include "models/units.hpp"

namespace fleetcast::models {
namespace {

/// Owen's T(h, a) for a in [0, 1], by its integral: the same bits on every machine, which Boost's own is not.
double owens_t(double h, double a) {
  const auto integrand = [h](double x) {
    const double square = 1.0 + x * x;
    return det::exp(-0.5 * h * h * square) / square;
  };
  return boost::math::quadrature::gauss<double, 30>::integrate(integrand, 0.0, a) /
         boost::math::constants::two_pi<double>();
}

/// sd of x with its climate.
double spread_of(const LayeredMarket& market) {
  return std::sqrt(1.0 + market.climate * market.climate);
}

const double& threshold_of(const LayeredMarket& market, int nodes) {
  require(nodes >= 1 && nodes <= static_cast<int>(market.thresholds.size()), "a market asked for nodes it has not");
  return market.thresholds[static_cast<std::size_t>(nodes) - 1];
}

}  // namespace

LayeredMarket pooled_market() {
  LayeredMarket market;
  market.layers = {{{0.20, 0.25 * seconds_per_hour},
                    {0.18, 1.8 * seconds_per_hour},
                    {0.36, 12.0 * seconds_per_hour},
                    {0.26, 72.0 * seconds_per_hour}}};
  market.climate = 0.6;
  market.regional = 0.95;
  return market;
}

std::vector<double> thresholds_of_shares(int nodes, double none, double some, double all) {
  require(nodes >= 1 && none > 0.0 && some >= 0.0 && all > 0.0, "shares of time that leave nothing to draw");
  const double sum = none + some + all;
  std::vector<double> thresholds;
  for (int k = 1; k <= nodes; ++k) {
    const double share = nodes == 1 ? some : some * (k - 1) / (nodes - 1);
    thresholds.push_back(det::normal_quantile((none + share) / sum));
  }
  return thresholds;
}

std::vector<double> thresholds_for(const std::vector<double>& thresholds, int nodes) {
  const auto known = static_cast<std::int64_t>(thresholds.size());
  require(nodes >= 1 && known >= 1, "a market without thresholds");
  std::vector<double> result;
  for (std::int64_t k = 1; k <= nodes; ++k) {
    const std::int64_t like = nodes <= known ? k : (k * known + nodes - 1) / nodes;
    result.push_back(thresholds[static_cast<std::size_t>(like) - 1]);
  }
  return result;
}

LevelForecast forecast_level(double observed, double of_class, double between_zones, double between_periods) {
  constexpr double variance_of_short_periods = 0.16;
  const double zones = between_zones * between_zones, periods = between_periods * between_periods;
  const double kept = zones / (zones + periods + variance_of_short_periods);
  return {of_class + kept * (observed - of_class), std::sqrt(periods + zones * (1.0 - kept))};
}

LevelForecast forecast_of_any_zone(double observed) {
  return forecast_level(observed, level_of_any_zone, spread_between_zones, spread_between_periods);
}

double mean_level(const LayeredMarket& market) {
  double share = 0.0;
  for (const double threshold : market.thresholds) share += det::normal_cdf(-threshold);
  return det::normal_quantile(share / static_cast<double>(market.thresholds.size()));
}

double share_at_least(const LayeredMarket& market, int nodes) {
  return det::normal_cdf(-threshold_of(market, nodes) / spread_of(market));
}

double falls_per_second(const LayeredMarket& market, int nodes) {
  const double spread = spread_of(market), threshold = threshold_of(market, nodes) / spread;
  double rate = 0.0;
  for (const MarketLayer& layer : market.layers) {
    // x before and after a new value are bivariate normal with this correlation; the chance that the threshold lies
    // between them is 2 T(z, sqrt((1 - r) / (1 + r))).
    const double r = 1.0 - layer.weight / (spread * spread);
    rate += 2.0 * owens_t(threshold, std::sqrt((1.0 - r) / (1.0 + r))) / layer.mean_gap_s;
  }
  return rate;
}

}  // namespace fleetcast::models
