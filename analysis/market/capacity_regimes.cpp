#include "analysis/market/capacity_regimes.hpp"

#include <numeric>
#include <vector>

namespace fleetcast::analysis {

namespace {

struct Stay {
  std::size_t regime = 0;
  SeenRun run;
};

std::vector<Stay> stays_of(const CapacitySeries& series) {
  std::vector<Stay> stays;
  for (const std::int16_t value : series.capacity) {
    const std::size_t regime = value <= 0 ? 0 : value >= series.nodes ? 2 : 1;
    if (stays.empty() || stays.back().regime != regime) stays.push_back({regime, {0, true}});
    ++stays.back().run.samples;
  }
  stays.front().run.complete = stays.back().run.complete = false;
  return stays;
}

}  // namespace

CapacityRegimes find_regimes(const CapacitySeries& series) {
  CapacityRegimes regimes;
  const std::vector<Stay> stays = stays_of(series);
  std::array<std::vector<SeenRun>, regime_count> runs;
  for (std::size_t i = 0; i < stays.size(); ++i) {
    runs[stays[i].regime].push_back(stays[i].run);
    regimes.share[stays[i].regime] +=
        static_cast<double>(stays[i].run.samples) / static_cast<double>(series.capacity.size());
    if (i > 0) regimes.next[stays[i - 1].regime][stays[i].regime] += 1.0;
  }
  for (std::size_t r = 0; r < regime_count; ++r) {
    regimes.stays[r] = fit_run_laws(runs[r], series.interval_h);
    const double left = std::accumulate(regimes.next[r].begin(), regimes.next[r].end(), 0.0);
    if (left > 0.0)
      for (double& chance : regimes.next[r]) chance /= left;
  }
  return regimes;
}

}  // namespace fleetcast::analysis
