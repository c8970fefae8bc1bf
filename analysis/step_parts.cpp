#include "analysis/step_parts.hpp"

namespace fleetcast::analysis {

std::vector<StepPart> step_parts(const models::StepBreakdown& parts) {
  return {{"matrix_products", "matrix products", parts.matrix, false},
          {"experts", "routed experts", parts.experts, false},
          {"output_layer", "output layer", parts.output_layer, false},
          {"attention", "attention", parts.attention, false},
          {"memory_bound", "memory-bound work", parts.memory_bound, false},
          {"launch", "kernel launches", parts.launch, false},
          {"optimizer", "optimiser", parts.optimizer, false},
          {"constant", "once a step", parts.constant, false},
          {"waiting", "waiting for the slowest", parts.waiting, false},
          {"tensor_traffic", "tensor parallel", parts.tensor_traffic, true},
          {"context_traffic", "context parallel", parts.context_traffic, true},
          {"expert_traffic", "expert all-to-all", parts.expert_traffic, true},
          {"pipeline_traffic", "pipeline, point to point", parts.pipeline_traffic, true},
          {"weight_traffic", "sharded weights", parts.weight_traffic, true},
          {"gradient_traffic", "gradients", parts.gradient_traffic, true},
          {"host_traffic", "host memory", parts.host_traffic, true},
          {"bubble", "pipeline bubble", parts.bubble, false}};
}

}  // namespace fleetcast::analysis
