#include "analysis/memory_json.hpp"

#include "analysis/memory_parts.hpp"

namespace fleetcast::analysis {

nlohmann::ordered_json memory_json(const std::optional<models::MemoryEstimate>& memory) {
  if (!memory) return nullptr;
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  for (const MemoryPart& part : memory_parts(memory->parts)) json[part.key] = part.bytes / bytes_per_gib;
  json["total"] = memory->total / bytes_per_gib;
  json["available"] = memory->available / bytes_per_gib;
  json["host"] = memory->host_bytes / bytes_per_gib;
  json["stage"] = memory->stage;
  json["verdict"] = verdict_name(memory->verdict);
  return json;
}

}  // namespace fleetcast::analysis
