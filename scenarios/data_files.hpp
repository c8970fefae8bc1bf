#pragma once
// The data files that one scenario names, each read once however many strategies and trials use it. Several threads may
// ask at once.
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

#include "scenarios/market_file.hpp"
#include "scenarios/recording_file.hpp"

namespace fleetcast::scenarios {

class DataFiles {
 public:
  /// Paths are relative to the folder of this scenario file.
  explicit DataFiles(std::string scenario_path) : scenario_path_{std::move(scenario_path)} {}

  using Values = std::shared_ptr<const std::vector<double>>;
  struct Recorded {
    std::shared_ptr<const models::Recording> recording;
    std::vector<std::string> notes;
  };

  /// All of these throw InputError with the place in the data file.
  Recorded recording(const std::string& file, const RecordingForm& form);
  /// A calibration of the spot market.
  std::shared_ptr<const MarketFile> market(const std::string& file);
  /// A column of times, ascending, in seconds. Its name ends with the unit: _s, _min, _h or _d.
  Values times(const std::string& file, const std::string& column);

 private:
  std::string scenario_path_;
  std::mutex mutex_;
  std::map<std::tuple<std::string, std::string, Gaps>, Recorded> recordings_;
  std::map<std::pair<std::string, std::string>, Values> times_;
  std::map<std::string, std::shared_ptr<const MarketFile>> markets_;
};

}  // namespace fleetcast::scenarios
