#include "tests/bench/collector.hpp"

#include <algorithm>
#include <limits>

namespace fleetcast::tests {

void Collector::ReportRuns(const std::vector<Run>& runs) {
  for (const Run& run : runs) {
    if (run.run_type != Run::RT_Iteration) continue;
    const std::string& arguments = run.run_name.args;
    const std::string name = run.run_name.function_name + (arguments.empty() ? "" : "/" + arguments);
    for (const auto& [counter, value] : run.counters) values_[name + " " + counter].push_back(value);
  }
  ConsoleReporter::ReportRuns(runs);
}

double Collector::median(const std::string& name, const std::string& counter) {
  std::vector<double>& values = values_[name + " " + counter];
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace fleetcast::tests
