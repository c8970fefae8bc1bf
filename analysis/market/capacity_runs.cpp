#include "analysis/market/capacity_runs.hpp"

namespace fleetcast::analysis {

std::vector<CapacityRun> runs_of(const CapacitySeries& series, int level) {
  std::vector<CapacityRun> runs;
  for (const std::int16_t value : series.capacity) {
    const bool up = value >= level;
    if (runs.empty() || runs.back().up != up) runs.push_back({0, up, true});
    ++runs.back().samples;
  }
  if (!runs.empty()) runs.front().complete = runs.back().complete = false;
  return runs;
}

std::vector<SeenRun> seen_runs(const CapacitySeries& series, int level, bool up) {
  std::vector<SeenRun> seen;
  for (const CapacityRun& run : runs_of(series, level))
    if (run.up == up) seen.push_back({run.samples, run.complete});
  return seen;
}

std::vector<double> complete_lengths_h(const CapacitySeries& series, int level, bool up) {
  std::vector<double> lengths;
  for (const CapacityRun& run : runs_of(series, level))
    if (run.up == up && run.complete) lengths.push_back(static_cast<double>(run.samples) * series.interval_h);
  return lengths;
}

}  // namespace fleetcast::analysis
