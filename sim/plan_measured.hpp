#pragma once
// The step of a workload that is known by measurements.
#include <string>

#include "scenarios/scenario.hpp"
#include "sim/plan.hpp"

namespace fleetcast::sim {

/// Mean seconds of the parts of an undisturbed gang step; straggler waits are inside compute.
struct StepTime {
  double compute = 0.0, exposed_communication = 0.0, bubble = 0.0;
  bool jitter_is_extra = false;  ///< compute is one node's, before the wait for the slowest
};

/// A step measured as a whole.
StepTime whole_step(double seconds, std::string basis, PlanFacts& facts);

/// A measured step time or row of the scenario, scaled to this fleet as the scenario allows.
StepTime measured_step(const scenarios::Scenario& scenario, Plan& plan);

/// Throws InputError with this one fault.
[[noreturn]] void refuse(const std::string& pointer, const std::string& problem, const std::string& allowed);

}  // namespace fleetcast::sim
