// E. L. Kaplan and P. Meier, "Nonparametric estimation from incomplete observations", Journal of the American
// Statistical Association 53 (1958).
#include <map>

#include "analysis/market/run_length_laws.hpp"

namespace fleetcast::analysis {

std::vector<SurvivalStep> kaplan_meier(const std::vector<SeenRun>& runs) {
  struct Count {
    double ended = 0.0, all = 0.0;
  };
  std::map<std::size_t, Count> counts;
  for (const SeenRun& run : runs) {
    counts[run.samples].ended += run.complete ? 1.0 : 0.0;
    counts[run.samples].all += 1.0;
  }
  double at_risk = static_cast<double>(runs.size()), survival = 1.0;
  std::vector<SurvivalStep> steps;
  for (const auto& [samples, count] : counts) {
    if (count.ended > 0.0) {
      survival *= 1.0 - count.ended / at_risk;
      steps.push_back({samples, survival});
    }
    at_risk -= count.all;
  }
  return steps;
}

}  // namespace fleetcast::analysis
