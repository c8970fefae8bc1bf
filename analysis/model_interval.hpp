#pragma once
// The interval of a mean when what is unknown but fixed is counted too: calibration, rates, markets, and how much of
// a market a recording has seen.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace fleetcast::analysis {

/// What the trials of one strategy have drawn once each.
struct TrialUnknowns {
  std::vector<std::string> names;           ///< of the columns
  std::vector<std::vector<double>> values;  ///< [unknown][trial]
  std::vector<double> window_shares;        ///< per trial, in [0, 1); empty without a recording
  double recording_s = 0.0;                 ///< its length
};

struct ModelInterval {
  std::optional<std::pair<double, double>> limits;
  std::optional<double> share;  ///< of the variance between trials that what is unknown explains, [0, 1]
  std::string why;              ///< reason where limits are missing
};

/// `values` per trial, all finished; `ci95` is the Monte Carlo interval of their mean, `mean_time_s` the mean length of
/// a trial. Each trial drew its unknowns anew, so that E[value | unknowns] is a quadratic fitted to the trials (law of
/// total variance); the 2.5 and 97.5 % points of what it predicts are the interval, widened by the Monte Carlo error
/// in quadrature. Of a recording, blocks as long as a trial are drawn with replacement around its circle (Politis and
/// Romano 1992, "A circular block-resampling procedure for stationary data") and corrected for the variance that such
/// short blocks miss; fewer than four of them give none.
ModelInterval model_interval(std::span<const double> values, const std::pair<double, double>& ci95,
                             const TrialUnknowns& unknowns, double mean_time_s);

/// How many windows as long as a trial the recording holds; at least 1.
double independent_windows(double recording_s, double mean_time_s);

}  // namespace fleetcast::analysis
