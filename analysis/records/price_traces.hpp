#pragma once
// Recorded prices with what their heads say.
#include <optional>
#include <string>
#include <vector>

#include "models/recording.hpp"

namespace fleetcast::analysis {

struct PriceTrace {
  std::string name;  ///< of the file, without its folder
  std::string provider, instance,
      zone;                         ///< "" where the head does not say; an instance without what stands in brackets
  std::optional<double> on_demand;  ///< USD per hour, > 0
  models::Recording recording;      ///< USD per hour, all above 0
  std::vector<std::string> notes;
};

/// Throws InputError with line and column for prices that are not above 0, and as `scenarios::read_recording`.
PriceTrace read_price_trace(const std::string& path);

}  // namespace fleetcast::analysis
