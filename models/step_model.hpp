#pragma once
// The calibrated step model: from work and fitted constants to the seconds of a step, by part.
#include "models/throughput_parameters.hpp"
#include "models/workpiece.hpp"

namespace fleetcast::models {

/// Seconds of one step by part, all at least 0; they sum to total(). Exposed traffic only: what hides is not here.
struct StepBreakdown {
  double matrix = 0;   ///< products of the layers, recomputation included
  double experts = 0;  ///< products of routed experts
  double output_layer = 0;
  double attention = 0;
  double memory_bound = 0;  ///< norms, activations, casts, permutation
  double launch = 0;        ///< waiting for the host's kernel launches
  double tensor_traffic = 0, context_traffic = 0, expert_traffic = 0, pipeline_traffic = 0;
  double weight_traffic = 0;    ///< gathers and reduce-scatters of sharded weights
  double gradient_traffic = 0;  ///< exchange of a step
  double host_traffic = 0;      ///< offload: over the host's link, and the update there
  double bubble = 0;
  double optimizer = 0;
  double constant = 0;  ///< once a step
  double waiting = 0;   ///< for the slowest node
  double hidden = 0;    ///< traffic of weights and gradients that costs no time; not in the total
  [[nodiscard]] double total() const;
  [[nodiscard]] double exposed_communication() const;
};

/// Part by part.
StepBreakdown mean_of(const StepBreakdown& a, const StepBreakdown& b);

StepBreakdown step_breakdown(const Workpiece& work, const ThroughputParameters& parameters);

}  // namespace fleetcast::models
