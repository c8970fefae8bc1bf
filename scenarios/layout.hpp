#pragma once
// Arithmetic of how a gang is divided.
#include <cstdint>
#include <string>

#include "scenarios/scenario.hpp"

namespace fleetcast::scenarios {

/// GPUs of all pools that have nodes.
std::int64_t gpus_of_gang(const Scenario& scenario);
/// Ranks that hold one copy of the model: tensor x pipeline x context.
std::int64_t model_parallel_size(const Parallelism& layout);
/// "tensor 8 x pipeline 8", for messages.
std::string layout_arithmetic(const Parallelism& layout);

}  // namespace fleetcast::scenarios
