#pragma once
// One quantity over the trials of one strategy, and over pairs of trials of two strategies.
#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "analysis/summary.hpp"

namespace fleetcast::analysis {

/// Figures of one quantity, one per trial and in trial order; for an unfinished trial the figure is a lower limit.
struct CensoredSample {
  std::vector<double> values;
  std::vector<bool> finished;
  [[nodiscard]] std::uint64_t unfinished() const;
};

/// The spread; the reason for each missing figure goes to `why` under "name.figure". Requires a trial.
Spread spread_of(const CensoredSample& sample, const std::string& name, std::map<std::string, std::string>& why);

/// Mean and interval of `of` - `to` over the trials in which both finished.
PairedSpread paired_difference(const CensoredSample& of, const CensoredSample& to);

/// Share of all trials in which both finished.
double pairs_share(const CensoredSample& of, const CensoredSample& to);

}  // namespace fleetcast::analysis
