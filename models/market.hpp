#pragma once
// Spot capacity of one zone for one kind of machine: how many nodes it can give, over time.
//
//     x(t)        = sum of layers + climate + daily swing
//     level(t)    = number of k in 1..N with threshold_k <= x(t)
//     capacity(t) = level(t) - nodes lost alone and not yet back
//
// Each layer is a normal value that is drawn anew at the events of a Poisson process: its autocorrelation is
// exp(-t / mean gap), in continuous time. A new value that crosses several thresholds takes or gives several nodes at
// once, so losses in bulk need no law of their own. The sum is standard normal, so the thresholds are the normal
// quantiles of the share of time below each count. Form and evidence: README.md, "Spot market".
#include <array>
#include <cstddef>
#include <vector>

namespace fleetcast::models {

struct MarketLayer {
  double weight = 0.0;      ///< share of the variance; those of a market sum to 1
  double mean_gap_s = 1.0;  ///< between new values, > 0
};

constexpr std::size_t market_layer_count = 4;
/// The layers from this one on are slow and mostly those of the region.
constexpr std::size_t first_regional_layer = 2;

struct LayeredMarket {
  std::array<MarketLayer, market_layer_count> layers;  ///< fast ones first
  std::vector<double> thresholds;                      ///< of 1, 2 ... N nodes, in normal units, ascending; N >= 1
  double lone_loss_per_s = 0.0;                        ///< rate at which a held node goes alone, >= 0
  double lone_return_s = 1800.0;                       ///< mean time until it is replaced, > 0
  double daily_swing = 0.0;   ///< amplitude over 24 h in normal units, [0, 1]; the layers give way to it
  double daily_peak_h = 0.0;  ///< hour (UTC) of most capacity, [0, 24)
  double climate = 0.0;       ///< sd, in normal units, of what one period differs from the fitted one
  double regional = 0.0;      ///< correlation of the slow layers between zones of a region, [0, 1]
};

/// Dynamics pooled over 36 traces of AWS and GCP, 2020 to 2025; no thresholds.
LayeredMarket pooled_market();

/// Thresholds of n nodes if the shares of time with none, some and all of them are these (> 0 for the first and last,
/// summing to 1). "Some" is spread evenly over 1 .. n - 1 nodes; where n is 1 the shares of "none" and "some" add up.
std::vector<double> thresholds_of_shares(int nodes, double none, double some, double all);

/// The thresholds for a pool of `nodes` >= 1: the first of a larger market; of a smaller one the threshold of the same
/// share of all its nodes.
std::vector<double> thresholds_for(const std::vector<double>& thresholds, int nodes);

/// What the level of a zone, the normal quantile of its mean share of capacity, will be in a period to come.
struct LevelForecast {
  double level = 0.0;
  double climate = 0.0;  ///< sd of what it will differ
};

/// From the level seen in a past period of about two weeks and that of the class: observed levels are drawn towards the
/// class, since a period is short for its slow layers (variance 0.16) and differs from the next (`between_periods`),
/// and zones differ by `between_zones` (both sd). With the sd of the traces (0.44 and 0.75) six tenths of the way
/// remain and the climate is 0.6: on later halves that lowers the error of completion times by 15 % (CRPS 0.38 to
/// 0.32).
LevelForecast forecast_level(double observed, double of_class, double between_zones, double between_periods);
/// Levels of 36 traces: median, sd between zones, sd between periods of a zone.
constexpr double level_of_any_zone = 0.40, spread_between_zones = 0.75, spread_between_periods = 0.44;
/// The same for a zone of no known class.
LevelForecast forecast_of_any_zone(double observed);

/// The level of a market: the normal quantile of its mean share of capacity without climate and lone losses.
double mean_level(const LayeredMarket& market);

/// Share of time with at least k nodes (1..N) in the mean over climates, lone losses left out.
double share_at_least(const LayeredMarket& market, int nodes);

/// Falls of the level below `nodes` per second, in the mean over climates; lone losses left out.
double falls_per_second(const LayeredMarket& market, int nodes);

}  // namespace fleetcast::models
