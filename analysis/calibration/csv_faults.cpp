#include "analysis/calibration/csv_faults.hpp"

namespace fleetcast::analysis {

void require_columns(const std::string& path, const std::vector<CsvLine>& lines,
                     std::span<const std::string_view> needed) {
  std::vector<models::Fault> faults;
  for (const std::string_view name : needed)
    if (!lines.empty() && !lines.front().fields.contains(std::string{name}))
      faults.push_back({path, 1, 0, "", "the column " + std::string{name} + " is missing", "", ""});
  if (!faults.empty()) throw models::InputError{std::move(faults)};
}

[[noreturn]] void rethrow_at(const std::string& path, std::size_t line, const models::InputError& error) {
  std::vector<models::Fault> faults = error.faults();
  for (models::Fault& fault : faults) {
    fault.file = path;
    fault.line = line;
  }
  throw models::InputError{std::move(faults)};
}

}  // namespace fleetcast::analysis
