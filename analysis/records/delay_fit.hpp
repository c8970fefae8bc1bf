#pragma once
// Times of detection and repair: a log-normal law, and a share that takes no time at all.
#include <optional>
#include <span>

#include "analysis/records/failure_rate.hpp"
#include "models/random/distribution.hpp"

namespace fleetcast::analysis {

struct DelayFit {
  std::size_t times = 0, zeros = 0;  ///< given in all, of these 0 s
  Estimate median_s;                 ///< of those above 0; Student's interval of the mean logarithm
  Estimate sigma;                    ///< sd of the logarithm (divided by n - 1); chi-squared interval
  bool spread_known = false;         ///< at least three times: else the law is the one value (or geometric mean)
  models::Distribution law;
};

/// Nothing for no times. Seconds, not negative.
std::optional<DelayFit> fit_delay(std::span<const double> seconds);

}  // namespace fleetcast::analysis
