#pragma once
// A file of measurements that a scenario names: "# key: value" lines, a header, then rows of fields between commas.
// Read row by row, so that a recording of a year in seconds needs no memory of its own.
#include <cstddef>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fleetcast::scenarios {

class DataFile {
 public:
  /// Opens the file and reads head and header. Throws InputError if that is not possible.
  explicit DataFile(const std::string& path);

  /// The next row, or false at the end. Throws InputError for a row with another number of fields than the header.
  bool next();
  /// Field of the present row, without blanks around it.
  [[nodiscard]] std::string_view field(std::size_t column) const { return fields_[column]; }
  /// Line of the present row, 1 is the first.
  [[nodiscard]] std::size_t line() const { return line_; }

  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }
  [[nodiscard]] std::optional<std::size_t> find_column(std::string_view name) const;
  /// Value of "# key: value" before the header.
  [[nodiscard]] std::optional<std::string> head(const std::string& key) const;

  /// Throws InputError about the present line.
  [[noreturn]] void refuse(std::string problem, std::string allowed, std::string nearest = {}) const;
  /// The field as a finite number; else refuses.
  [[nodiscard]] double number(std::size_t column) const;

 private:
  bool read_line();
  void read_head();

  std::string path_;
  std::ifstream in_;
  std::string text_;
  std::size_t line_ = 0;
  std::map<std::string, std::string> head_;
  std::vector<std::string> columns_;
  std::vector<std::string_view> fields_;
};

/// Path of a file that a scenario names: relative to the scenario's own folder.
std::string data_path(const std::string& scenario_path, const std::string& file);

}  // namespace fleetcast::scenarios
