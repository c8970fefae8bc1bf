#include "scenarios/data_files.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "models/units.hpp"
#include "scenarios/data_file.hpp"
#include "scenarios/document.hpp"
#include "scenarios/nearest_name.hpp"

namespace fleetcast::scenarios {
namespace {

constexpr std::size_t most_values = 10'000'000;

/// Seconds of the unit that the name of a column ends with.
std::optional<double> unit_of(const std::string& column) {
  struct Unit {
    const char* ending;
    double seconds;
  };
  constexpr std::array<Unit, 4> units{
      {{"_s", 1.0}, {"_min", 60.0}, {"_h", models::seconds_per_hour}, {"_d", models::seconds_per_day}}};
  for (const Unit& unit : units) {
    if (column.ends_with(unit.ending)) return unit.seconds;
  }
  return std::nullopt;
}

std::vector<double> read_times(const std::string& path, const std::string& column) {
  DataFile file{path};
  const std::optional<std::size_t> at = file.find_column(column);
  if (!at) {
    file.refuse("there is no column " + in_quotes(column), nearest_first(column, file.columns()),
                nearest_name(column, file.columns()));
  }
  const std::optional<double> unit = unit_of(column);
  if (!unit)
    file.refuse("the column " + in_quotes(column) + " does not say its unit", "a name with _s, _min, _h or _d");
  std::vector<double> values;
  while (file.next()) {
    const double value = file.number(*at) * *unit;
    if (value < 0.0) file.refuse(column + " is " + in_quotes(file.field(*at)), "at least 0");
    if (values.size() == most_values) file.refuse("more than 10 million values", "a sample of them");
    values.push_back(value);
  }
  if (values.empty()) file.refuse("there are no rows below the header", "at least one value");
  std::sort(values.begin(), values.end());
  return values;
}

}  // namespace

DataFiles::Recorded DataFiles::recording(const std::string& file, const RecordingForm& form) {
  const std::scoped_lock lock{mutex_};
  const auto key = std::tuple{file, form.column, form.gaps};
  if (const auto found = recordings_.find(key); found != recordings_.end()) return found->second;
  RecordingFile read = read_recording(data_path(scenario_path_, file), form);
  read.recording.name = file;
  Recorded recorded{std::make_shared<const models::Recording>(std::move(read.recording)), std::move(read.notes)};
  return recordings_.emplace(key, std::move(recorded)).first->second;
}

std::shared_ptr<const MarketFile> DataFiles::market(const std::string& file) {
  const std::scoped_lock lock{mutex_};
  if (const auto found = markets_.find(file); found != markets_.end()) return found->second;
  const auto market = std::make_shared<const MarketFile>(read_market_file(data_path(scenario_path_, file)));
  return markets_.emplace(file, market).first->second;
}

DataFiles::Values DataFiles::times(const std::string& file, const std::string& column) {
  const std::scoped_lock lock{mutex_};
  const auto key = std::pair{file, column};
  if (const auto found = times_.find(key); found != times_.end()) return found->second;
  const auto values = std::make_shared<const std::vector<double>>(read_times(data_path(scenario_path_, file), column));
  return times_.emplace(key, values).first->second;
}

}  // namespace fleetcast::scenarios
