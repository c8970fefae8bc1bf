#pragma once
// The layered market fitted to one series, by simulated moments: draws of the series' own length, on its grid, with
// the same random numbers for every trial of the parameters, and a pull towards the pooled dynamics where the series
// says little. The level needs no search: the thresholds follow from the shares of time.
// Method: McFadden, "A method of simulated moments", Econometrica 57 (1989).
#include <vector>

#include "analysis/market/capacity_series.hpp"
#include "models/market.hpp"

namespace fleetcast::analysis {

struct FitQuestion {
  CapacitySeries series;
  bool lone_losses = false;  ///< of kept machines only: a probe that fails alone is no loss
  double start_utc_h = 0.0;  ///< matters with a daily swing only
  double daily_swing = 0.0;  ///< as `daily_swing_of` found it, 0 to leave it out
  double daily_peak_h = 0.0;
};

struct LayeredFit {
  models::LayeredMarket market;  ///< without climate and regional part
  std::vector<double> at;        ///< the point found, see layered_parameters.hpp
  double misfit = 0.0;           ///< weighted squares of the moments' differences, the pull included
  int evaluations = 0;           ///< 0 where the series tells nothing; the dynamics are the pooled ones then
};

/// Thresholds of 1..N nodes from the shares of time, half a sample added at both ends.
std::vector<double> level_thresholds(const CapacitySeries& series);

LayeredFit fit_layers(const FitQuestion& question);

/// 90 %.
struct FigureInterval {
  double low = 0.0, high = 0.0;
};
/// Of `dynamics_figures(fit.market)`, in their order. Moments of one draw scatter by V; the fit passes that on by its
/// derivative G and its weights W as (G'WG + pull)^-1 (G'WVWG + pull V0 pull) (...)^-1, where V0 is how far zones
/// differ in what it is pulled to.
std::vector<FigureInterval> figure_intervals(const FitQuestion& question, const LayeredFit& fit);

}  // namespace fleetcast::analysis
