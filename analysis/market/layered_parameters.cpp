#include "analysis/market/layered_parameters.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "models/units.hpp"

namespace fleetcast::analysis {

namespace {

/// Pooled over the kept fleets of several nodes among the public traces: 4 V100 in two zones of AWS, August 2023.
constexpr double pooled_lone_loss_per_h = 0.04, pooled_lone_return_h = 0.35;
/// How far the search may go, each way: beyond, draws of a trace's length do not tell a difference.
constexpr double widest = 6.0;
struct Range {
  double low, high;
};
constexpr Range first_gap{-2.5, 2.0}, second_gap{-1.5, 1.5}, loss_range{-4.0, 3.0}, return_range{-2.0, 2.0};

double factor(double at, const Range& range) {
  return std::exp(std::clamp(at, range.low, range.high));
}

void set_weights(models::LayeredMarket& market, const std::vector<double>& at) {
  const models::LayeredMarket pooled = models::pooled_market();
  double sum = 0.0;
  for (std::size_t i = 0; i < models::market_layer_count; ++i) {
    const double logit = i == 0 ? 0.0 : std::clamp(at[i - 1], -widest, widest);
    market.layers[i].weight = pooled.layers[i].weight * std::exp(logit);
    sum += market.layers[i].weight;
  }
  for (models::MarketLayer& layer : market.layers) layer.weight /= sum;
}

}  // namespace

void set_dynamics(models::LayeredMarket& market, const std::vector<double>& at) {
  const models::LayeredMarket pooled = models::pooled_market();
  set_weights(market, at);
  for (std::size_t i = 0; i < models::market_layer_count; ++i)
    market.layers[i].mean_gap_s = pooled.layers[i].mean_gap_s;
  market.layers[0].mean_gap_s *= factor(at[3], first_gap);
  market.layers[1].mean_gap_s *= factor(at[4], second_gap);
  market.lone_loss_per_s = 0.0;
  if (at.size() == layer_coordinates) return;
  market.lone_loss_per_s = pooled_lone_loss_per_h / models::seconds_per_hour * factor(at[5], loss_range);
  market.lone_return_s = pooled_lone_return_h * models::seconds_per_hour * factor(at[6], return_range);
}

std::vector<MarketFigure> dynamics_figures(const models::LayeredMarket& market) {
  std::vector<MarketFigure> figures;
  for (std::size_t i = 0; i < models::market_layer_count; ++i)
    figures.push_back({"weight_" + std::to_string(i + 1), market.layers[i].weight});
  for (std::size_t i = 0; i < models::market_layer_count; ++i)
    figures.push_back(
        {"mean_gap_" + std::to_string(i + 1) + "_h", market.layers[i].mean_gap_s / models::seconds_per_hour});
  if (market.lone_loss_per_s <= 0.0) return figures;
  figures.push_back({"lone_loss_per_h", market.lone_loss_per_s * models::seconds_per_hour});
  figures.push_back({"lone_return_h", market.lone_return_s / models::seconds_per_hour});
  return figures;
}

}  // namespace fleetcast::analysis
