#pragma once
// How the gang is divided, what that needs of the memory, and the question to the step model that follows.
#include <vector>

#include "models/catalog.hpp"
#include "models/step_question.hpp"
#include "scenarios/scenario.hpp"
#include "sim/plan.hpp"

namespace fleetcast::sim {

/// The layout as given, or the fastest that fits; with its memory in the facts. Throws InfeasibleError where nothing
/// fits, naming the shortfall, the parts and what would fit. Needs the batch and a model.
models::Layout plan_layout(const scenarios::Scenario& scenario, const models::Catalog& catalog, Plan& plan);

/// The step of that layout on the GPUs of a pool.
models::StepQuestion question_for(const scenarios::Scenario& scenario, const scenarios::Pool& pool,
                                  const models::Layout& layout);

/// Links of a pool's machines, one direction, per GPU.
models::Links links_of(const scenarios::Pool& pool);

}  // namespace fleetcast::sim
