#pragma once
// The parts of a GPU's memory by name.
#include <string_view>
#include <utility>
#include <vector>

#include "models/memory.hpp"

namespace fleetcast::analysis {

constexpr double bytes_per_gib = 1024.0 * 1024.0 * 1024.0;

struct MemoryPart {
  std::string_view key;    ///< "master_weights"
  std::string_view label;  ///< "master weights"
  double bytes = 0.0;
};

/// All of them; they sum to the total.
std::vector<MemoryPart> memory_parts(const models::MemoryParts& parts);

/// The same in GiB for answers, with "total", "available", "host" and "stage" (the fullest).
std::vector<std::pair<std::string_view, double>> memory_figures(const models::MemoryEstimate& memory);

/// "fits", "at risk", "does not fit"
std::string_view verdict_name(models::MemoryEstimate::Verdict verdict);

}  // namespace fleetcast::analysis
