#pragma once
// Jobs played on draws of capacity, and on what really came.
#include <cstdint>
#include <functional>
#include <vector>

#include "analysis/market/capacity_series.hpp"
#include "analysis/market/forecast_score.hpp"
#include "analysis/market/market_draw.hpp"
#include "analysis/market/spot_job.hpp"

namespace fleetcast::analysis {

/// What one job came to, in many windows or draws.
struct JobSample {
  std::vector<double> hours, node_hours;
};
/// One per job.
using JobSamples = std::vector<JobSample>;

/// Jobs started at `windows` times spread evenly over the series, which goes on from its beginning after its end.
JobSamples play_windows(const CapacitySeries& series, const std::vector<SpotJob>& jobs, int windows);

using DrawCapacity = std::function<CapacitySeries(const GridForm& form, std::uint32_t draw)>;
/// Jobs started at the beginning of each draw, on the grid of `interval_h`.
JobSamples play_draws(const DrawCapacity& draw, double interval_h, const std::vector<SpotJob>& jobs, int draws);

/// Time is scored by its logarithm, cost in node-hours per node-hour of work.
struct JobForecastScore {
  ForecastScore time, cost;
};
/// Mean over the jobs.
JobForecastScore score_jobs(const JobSamples& forecast, const JobSamples& real, const std::vector<SpotJob>& jobs);

}  // namespace fleetcast::analysis
