#pragma once
// Evidence grades: how well a figure is known.
#include <string>
#include <string_view>

namespace fleetcast::models {

/// From best to worst.
enum class Grade {
  measured,      ///< a case like this was measured
  fitted,        ///< inside the range of a calibrated model
  extrapolated,  ///< outside that range; the nearest measured point is named
  assumed        ///< a documented default without data
};

constexpr std::string_view name_of(Grade grade) {
  switch (grade) {
    case Grade::measured:
      return "measured";
    case Grade::fitted:
      return "fitted";
    case Grade::extrapolated:
      return "extrapolated";
    case Grade::assumed:
      return "assumed";
  }
  return "assumed";
}

/// A figure that was not given in the scenario, as `fleetcast check` prints it.
struct Assumption {
  std::string pointer;  ///< JSON pointer of the field that would set it, e.g. "/fleet/main/wait"
  std::string value;    ///< in the notation of the scenario language, e.g. "lognormal(median 5 min, sigma 0.5)"
  Grade grade = Grade::assumed;
  std::string source;  ///< where it comes from, in a few words
};

}  // namespace fleetcast::models
