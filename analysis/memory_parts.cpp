#include "analysis/memory_parts.hpp"

namespace fleetcast::analysis {

std::vector<MemoryPart> memory_parts(const models::MemoryParts& parts) {
  return {{"weights", "weights", parts.weights},
          {"gradients", "gradients", parts.gradients},
          {"master_weights", "master weights", parts.master_weights},
          {"optimizer", "optimiser", parts.optimizer},
          {"activations", "activations", parts.activations},
          {"logits", "logits", parts.logits},
          {"communication_buffers", "communication buffers", parts.communication_buffers},
          {"workspace", "workspace", parts.workspace},
          {"runtime", "runtime", parts.runtime},
          {"fragmentation", "fragmentation", parts.fragmentation}};
}

std::vector<std::pair<std::string_view, double>> memory_figures(const models::MemoryEstimate& memory) {
  std::vector<std::pair<std::string_view, double>> figures;
  for (const MemoryPart& part : memory_parts(memory.parts)) figures.emplace_back(part.key, part.bytes / bytes_per_gib);
  figures.emplace_back("total", memory.total / bytes_per_gib);
  figures.emplace_back("available", memory.available / bytes_per_gib);
  figures.emplace_back("host", memory.host_bytes / bytes_per_gib);
  figures.emplace_back("stage", memory.stage);
  return figures;
}

std::string_view verdict_name(models::MemoryEstimate::Verdict verdict) {
  constexpr std::string_view names[] = {"fits", "at risk", "does not fit"};
  return names[static_cast<int>(verdict)];
}

}  // namespace fleetcast::analysis
