#include "analysis/market/job_forecast.hpp"

#include <algorithm>
#include <cmath>

namespace fleetcast::analysis {

namespace {

void play_all(const std::vector<SpotJob>& jobs, const std::vector<CapacityStretch>& course, double start_h,
              JobSamples& samples) {
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    const SpotJobOutcome outcome = play(jobs[j], course, start_h);
    samples[j].hours.push_back(outcome.hours);
    samples[j].node_hours.push_back(outcome.node_hours);
  }
}

std::vector<double> logarithms(std::vector<double> values) {
  for (double& value : values) value = std::log(value);
  return values;
}

std::vector<double> per(std::vector<double> values, double unit) {
  for (double& value : values) value /= unit;
  return values;
}

}  // namespace

JobSamples play_windows(const CapacitySeries& series, const std::vector<SpotJob>& jobs, int windows) {
  const std::vector<CapacityStretch> course = stretches_of(series);
  JobSamples samples(jobs.size());
  for (int window = 0; window < windows; ++window) {
    const double place = static_cast<double>(window) / windows * static_cast<double>(series.capacity.size());
    play_all(jobs, course, std::floor(place) * series.interval_h, samples);
  }
  return samples;
}

JobSamples play_draws(const DrawCapacity& draw, double interval_h, const std::vector<SpotJob>& jobs, int draws) {
  double longest_h = 0.0;
  for (const SpotJob& job : jobs) longest_h = std::max(longest_h, limit_of(job));
  const GridForm form{interval_h, static_cast<std::size_t>(std::ceil(longest_h / interval_h)) + 1, 0.0};
  JobSamples samples(jobs.size());
  for (int each = 0; each < draws; ++each)
    play_all(jobs, stretches_of(draw(form, static_cast<std::uint32_t>(each))), 0.0, samples);
  return samples;
}

JobForecastScore score_jobs(const JobSamples& forecast, const JobSamples& real, const std::vector<SpotJob>& jobs) {
  JobForecastScore mean;
  const double weight = 1.0 / static_cast<double>(jobs.size());
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    const double work = jobs[j].work_h * jobs[j].nodes;
    add(mean.time, score_forecast(logarithms(forecast[j].hours), logarithms(real[j].hours)), weight);
    add(mean.cost, score_forecast(per(forecast[j].node_hours, work), per(real[j].node_hours, work)), weight);
  }
  return mean;
}

}  // namespace fleetcast::analysis
