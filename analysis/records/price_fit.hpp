#pragma once
// The law of a recorded price (models/price_law.hpp), by maximum likelihood: at the changes the logarithm is an
// autoregression of first order around the level of its trace; the changes are a Poisson process.
#include <span>
#include <string>
#include <vector>

#include "analysis/records/failure_rate.hpp"
#include "analysis/records/price_traces.hpp"

namespace fleetcast::analysis {

enum class PriceForm { constant, list_changes, mean_reverting };

struct PriceFit {
  PriceForm form = PriceForm::constant;
  /// USD per hour. Set so that the mean of the law is the mean over time of the trace, which is what a bill follows.
  /// Of several traces: the middle one of those that cost less than on demand.
  Estimate median;
  Estimate sigma;                                   ///< sd of the logarithm in the long run, within one trace
  Estimate mean_gap_s;                              ///< between changes
  Estimate half_life_s;                             ///< of mean_reverting
  bool sigma_open = false, half_life_open = false;  ///< not bounded from above
  double memory = 0.0;                              ///< from change to change
  double gain = 0.0;                 ///< corrected Akaike criterion of list changes - that of mean reversion
  double time_log_sd = 0.0;          ///< sd of the logarithm over time, within a trace
  double gap_variation = 0.0;        ///< sd over mean of the gaps; 1 for a Poisson process; 0: fewer than three gaps
  double between_log_sd = 0.0;       ///< of the levels of several traces
  std::vector<double> time_means;    ///< USD per hour, of each trace
  std::size_t changes = 0;           ///< in all
  double length_s = 0.0;             ///< in all
  std::size_t without_discount = 0;  ///< traces left out of the level: they cost as much as on demand
  double at_lowest = 0.0;            ///< share of the time at the lowest price of the trace (mean over traces)
};

/// A price that over time has a smaller sd of the logarithm than this is constant: no bill tells the difference.
constexpr double still = 0.005;

/// Together: one sigma, gap and half-life, each trace around its own level. At least one trace.
PriceFit fit_price(std::span<const PriceTrace> traces);

/// In the notation of a scenario: "0.918 USD/node-h", "list-changes(...)", "mean-reverting(...)".
std::string price_text(const PriceFit& fit);

}  // namespace fleetcast::analysis
