#pragma once
// Laws of run lengths by maximum likelihood. Two things are missing from what a collector sees: the ends of the first
// and the last run (they are censored), and where between two samples a run began and ended. A run of length L that
// begins anywhere within an interval d is seen in n samples with chance max(0, 1 - |L/d - n|), so with the survival
// function S
//     P(seen in n or more) = H(n) = mean of S over ((n - 1) d, n d),   P(n) = H(n) - H(n + 1),
// given that it is seen at all, H(1). What is missed within another run is not put back.
#include <array>
#include <string>
#include <vector>

#include "analysis/market/capacity_runs.hpp"

namespace fleetcast::analysis {

enum class LawForm { exponential, weibull, lognormal };
constexpr std::array<LawForm, 3> law_forms{LawForm::exponential, LawForm::weibull, LawForm::lognormal};
std::string name_of(LawForm form);

struct RunLaw {
  LawForm form = LawForm::exponential;
  double scale_h = 1.0;  ///< mean of the exponential, scale of the Weibull, median of the lognormal law
  double shape = 1.0;    ///< 1; shape; sigma of ln h
};
double survival(const RunLaw& law, double hours);
/// H(n) above. n >= 1.
double seen_for(const RunLaw& law, double interval_h, double samples);

struct FittedLaw {
  RunLaw law;
  double scale_low_h = 0.0, scale_high_h = 0.0, shape_low = 0.0, shape_high = 0.0;  ///< 90 %, from the curvature
  double log_likelihood = 0.0;
  double information_criterion = 0.0;  ///< Akaike's: 2 x parameters - 2 x log likelihood
  double distance = 0.0;               ///< largest, to the Kaplan-Meier estimate
};

struct RunLaws {
  std::size_t runs = 0, complete = 0;
  double distance_limit = 0.0;  ///< 1.36 / sqrt(runs): 5 %, were nothing fitted and the runs independent
  std::vector<FittedLaw> fits;  ///< the best first; empty for fewer than 5 complete runs
};
RunLaws fit_run_laws(const std::vector<SeenRun>& runs, double interval_h);

/// Kaplan-Meier estimate: chance to be seen in more than so many samples, a step after each length that occurs.
struct SurvivalStep {
  std::size_t samples = 0;
  double survival = 1.0;
};
std::vector<SurvivalStep> kaplan_meier(const std::vector<SeenRun>& runs);

}  // namespace fleetcast::analysis
