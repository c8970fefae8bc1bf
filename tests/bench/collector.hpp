#pragma once
#include <benchmark/benchmark.h>

#include <map>
#include <string>
#include <vector>

namespace fleetcast::tests {

/// Prints what is measured, and keeps the counters of every repetition by name.
class Collector final : public benchmark::ConsoleReporter {
 public:
  Collector() : ConsoleReporter{OO_Tabular} {}
  void ReportRuns(const std::vector<Run>& runs) override;
  /// Of the repetitions of `name` (its arguments with it: "bare/16"); NaN if there are none.
  [[nodiscard]] double median(const std::string& name, const std::string& counter);
  /// median(name) over median(other).
  [[nodiscard]] double ratio(const std::string& name, const std::string& other, const std::string& counter) {
    return median(name, counter) / median(other, counter);
  }

 private:
  std::map<std::string, std::vector<double>> values_;
};

}  // namespace fleetcast::tests
