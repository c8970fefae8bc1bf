#include "analysis/records/failure_fit.hpp"

#include <algorithm>
#include <cmath>

namespace fleetcast::analysis {

namespace {

constexpr double most_draws = 2e8;  // for the chance among equal nodes: a few seconds
constexpr double usual_resamples = 999.0;

FittedCause fit_cause(const RecordedCause& recorded) {
  FittedCause cause;
  cause.name = recorded.name;
  cause.all = {0.0, 0.0};
  std::vector<Counted> counts;
  for (const FailureSource& source : recorded.sources) {
    cause.sources.push_back({source, jeffreys(source.counted)});
    cause.all.events += source.counted.events;
    cause.all.exposure += source.counted.exposure;
    counts.push_back(source.counted);
  }
  cause.pooled = jeffreys(cause.all);
  cause.between = between_sources(counts);
  cause.detect = fit_delay(recorded.detect_s);
  cause.repair = fit_delay(recorded.repair_s);
  cause.ready = cause.between ? as_events(cause.between->new_shape, cause.between->mean.value)
                              : EventsAndExposure{static_cast<std::uint64_t>(cause.all.events), cause.all.exposure};
  return cause;
}

/// Of several causes that were counted in the same exposure.
std::optional<Estimate> total_of(const std::vector<FittedCause>& causes) {
  Counted all{0.0, causes.empty() ? 0.0 : causes.front().all.exposure};
  for (const FittedCause& cause : causes) {
    if (cause.sources.size() != 1 || cause.all.exposure != all.exposure) return std::nullopt;
    all.events += cause.all.events;
  }
  return causes.size() > 1 ? std::optional{jeffreys(all)} : std::nullopt;
}

double laplace_trend(const FailureRecords& records) {
  const auto n = static_cast<double>(records.times_h.size());
  double mean = 0.0;
  for (const double time : records.times_h) mean += time / n;
  return (mean / records.span_h - 0.5) * std::sqrt(12.0 * n);
}

std::uint32_t resamples_for(const FailureRecords& records) {
  const double draws = static_cast<double>(records.times_h.size() + records.per_node.size());
  return static_cast<std::uint32_t>(std::max(99.0, std::min(usual_resamples, most_draws / draws)));
}

}  // namespace

FailureFit fit_failures(const FailureRecords& records) {
  FailureFit fit;
  for (const RecordedCause& recorded : records.causes) fit.causes.push_back(fit_cause(recorded));
  fit.total = total_of(fit.causes);
  if (!records.is_log || records.causes.empty()) return fit;
  if (records.per_node.size() > 1) fit.bad_nodes = fit_bad_nodes(records.per_node, resamples_for(records));
  fit.trend = laplace_trend(records);
  return fit;
}

}  // namespace fleetcast::analysis
