#pragma once
// The parameters of a layered market as a fit sees them: numbers without bounds, all 0 for the pooled dynamics.
#include <cstddef>
#include <string>
#include <vector>

#include "models/market.hpp"

namespace fleetcast::analysis {

/// Three logits of weights, ln of the two fast gaps; with lone losses also ln of their rate and of their return.
constexpr std::size_t layer_coordinates = 5, lone_coordinates = 2;

/// Dynamics of this point; the thresholds, swing and climate of `market` stay. The two slow gaps are fixed.
void set_dynamics(models::LayeredMarket& market, const std::vector<double>& at);

/// A figure of the market for people: name, unit, value.
struct MarketFigure {
  std::string name;
  double value = 0.0;
};
/// Of the dynamics, in the order weight_1..4, mean_gap_1..4 (h), then lone_loss (per h), lone_return (h) if
/// there are lone losses.
std::vector<MarketFigure> dynamics_figures(const models::LayeredMarket& market);

}  // namespace fleetcast::analysis
