#pragma once
#include <string>
namespace fleetcast::analysis {
struct SkippedRow {
  std::string id, reason;
};
}  // namespace fleetcast::analysis
