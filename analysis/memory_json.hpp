#pragma once
// The memory of a plan in answers: GiB by part on the fullest stage, null where no layout is known.
#include <nlohmann/json.hpp>
#include <optional>

#include "models/memory.hpp"

namespace fleetcast::analysis {

nlohmann::ordered_json memory_json(const std::optional<models::MemoryEstimate>& memory);

}  // namespace fleetcast::analysis
