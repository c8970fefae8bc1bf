#pragma once
// Pictures for the pages of calibrations from records: figures of inline SVG.
#include <string>
#include <vector>

namespace fleetcast::analysis {

struct IntervalBar {
  std::string name, details;                  ///< details: shown when pointing at it
  double value = 1.0, low = 1.0, high = 1.0;  ///< positive
  bool emphasized = false;                    ///< what the others lead to
};
/// One below the other on a logarithmic axis. "" for none.
std::string interval_figure(const std::string& caption, const std::string& about, const std::string& unit,
                            const std::vector<IntervalBar>& bars);

/// A quantity that keeps its value until the next change.
struct Course {
  std::string name;
  std::vector<double> at_d, values;  ///< days; values > 0
  double until_d = 0.0;
};
/// Steps over time on a logarithmic axis, with a band if low < high. "" for none.
std::string course_figure(const std::string& caption, const std::string& about, const std::string& unit,
                          const std::vector<Course>& courses, double band_low, double band_high);

}  // namespace fleetcast::analysis
