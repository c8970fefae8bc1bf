#pragma once
// What each trial of a strategy has drawn once.
#include "analysis/model_interval.hpp"
#include "scenarios/scenario.hpp"
#include "sim/plan.hpp"

namespace fleetcast::analysis {

/// Of the trials 0 to `trials` - 1: a pure function of plan, seed and trial, so that nothing needs to be stored.
TrialUnknowns unknowns_of(const scenarios::ScenarioFile& file, const sim::Plan& plan, std::size_t trials);

}  // namespace fleetcast::analysis
