#pragma once
// Failures as fitted from records.
#include <optional>
#include <string>
#include <vector>

#include "analysis/records/bad_nodes.hpp"
#include "analysis/records/delay_fit.hpp"
#include "analysis/records/failure_records.hpp"

namespace fleetcast::analysis {

struct FittedSource {
  FailureSource source;
  Estimate rate;  ///< per GPU-hour, Jeffreys
};

struct FittedCause {
  std::string name;
  std::vector<FittedSource> sources;
  Counted all;                            ///< of all sources
  Estimate pooled;                        ///< as if all sources had one rate
  std::optional<BetweenSources> between;  ///< with two sources or more
  std::optional<DelayFit> detect, repair;
  EventsAndExposure ready;  ///< what a scenario says: one source as it is; several: a new source's rate

  /// Of the rate to expect, per GPU-hour.
  [[nodiscard]] const Estimate& rate() const { return between ? between->new_source : pooled; }
};

struct FailureFit {
  std::vector<FittedCause> causes;
  std::optional<Estimate> total;  ///< of several causes in one exposure, per GPU-hour
  std::optional<BadNodesFit> bad_nodes;
  double trend = 0.0;  ///< of a log: Laplace's statistic, standard normal for a constant rate
};

FailureFit fit_failures(const FailureRecords& records);

/// Per 1,000 days of a node of 8 GPUs, from per GPU-hour: how failure rates are published.
constexpr double per_1000_node_days = 8.0 * 24.0 * 1000.0;

/// The `failures` object of a scenario, as JSON text over several lines.
std::string failures_object(const FailureFit& fit);
/// The calibration file. `origin`: name of the data.
std::string failures_file(const FailureFit& fit, const FailureRecords& records, const std::string& origin);

}  // namespace fleetcast::analysis
