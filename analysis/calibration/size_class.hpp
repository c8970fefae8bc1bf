#pragma once
// Classes of model size in tables of errors.
#include <string>

namespace fleetcast::analysis {

/// "below 1B", "1-10B", "10-50B", "50-200B", "above 200B"
inline std::string size_class(double parameters) {
  if (parameters < 1e9) return "below 1B";
  if (parameters < 10e9) return "1-10B";
  if (parameters < 50e9) return "10-50B";
  return parameters < 200e9 ? "50-200B" : "above 200B";
}

}  // namespace fleetcast::analysis
