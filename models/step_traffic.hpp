#pragma once
// Seconds of the traffic of a step. Used by the step model alone.
#include "models/throughput_parameters.hpp"
#include "models/workpiece.hpp"

namespace fleetcast::models::step {

using P = ThroughputParameters;

/// Of a micro-batch, what is not hidden by design.
double tensor_traffic(const Workpiece& work, const P& p);
double context_traffic(const Workpiece& work);
double expert_traffic(const Workpiece& work, const P& p);
double pipeline_traffic(const Workpiece& work, const P& p);
/// Weights gathered for a micro-batch, gradients scattered after each one if they are, before overlap.
double sharding_traffic(const Workpiece& work, const P& p);
/// Gradients and weights exchanged beside one micro-batch, and how many micro-batches of a step have such an exchange.
struct GradientTraffic {
  double seconds = 0.0;
  double times = 1.0;
  double last = 0.0;  ///< once more at the end of the step
};
GradientTraffic gradient_traffic(const Workpiece& work);

/// Optimiser state or everything in host memory: streams over the host link and the host's own update.
double offload_of_micro_batch(const Workpiece& work);
double offload_of_step(const Workpiece& work);

}  // namespace fleetcast::models::step
