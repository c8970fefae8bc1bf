#pragma once
// A CSV file of records: "# key: value" lines, a header, rows. Every field knows its line and column, and all faults of
// a file are told together.
#include <cstddef>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/errors.hpp"

namespace fleetcast::analysis {

class RecordTable {
 public:
  /// Quoted fields may hold commas, "" in them is a quote. Throws InputError with the place for a file that cannot be
  /// read, has no header or no row, or has rows with another number of fields than the header.
  explicit RecordTable(const std::string& path);

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::size_t rows() const { return rows_.size(); }
  /// Line of a row in the file, 1 is the first.
  [[nodiscard]] std::size_t line(std::size_t row) const { return rows_[row].line; }

  /// The first of these columns that is there.
  [[nodiscard]] std::optional<std::size_t> find(std::initializer_list<std::string_view> names) const;
  /// The same; without any of them throws InputError that shows the columns there are.
  [[nodiscard]] std::size_t need(std::initializer_list<std::string_view> names) const;

  [[nodiscard]] const std::string& text(std::size_t row, std::size_t column) const;
  /// "" where there is no such column.
  [[nodiscard]] std::string text(std::size_t row, const std::optional<std::size_t>& column) const;
  /// Nothing for a blank field. What is no number or lies outside of [low, high] is noted as a fault.
  std::optional<double> number(std::size_t row, const std::optional<std::size_t>& column, double low, double high);
  /// The same, but a blank field is a fault, too.
  std::optional<double> need_number(std::size_t row, std::size_t column, double low, double high);

  /// Value of "# key: value".
  [[nodiscard]] std::optional<std::string> head(const std::string& key) const;
  /// Nothing if the head does not say it; a fault as for `number`.
  std::optional<double> head_number(const std::string& key, double low, double high);

  void fault(std::size_t row, std::size_t column, std::string problem, std::string allowed);
  /// About the whole file; the place is that of the head line if there is one.
  void head_fault(const std::string& key, std::string problem, std::string allowed);
  void throw_if_any() const;

 private:
  struct Cell {
    std::string text;
    std::size_t column = 1;  ///< of its first character in the line
  };
  struct Row {
    std::vector<Cell> cells;
    std::size_t line = 0;
  };
  struct Head {
    std::string text;
    std::size_t line = 0, column = 0;
  };
  static std::vector<Cell> cells_of(std::string_view line);
  void take_line(std::string_view text, std::size_t line);
  void take_head(std::string_view text, std::size_t line);
  [[nodiscard]] std::optional<double> checked(const std::string& text, double low, double high,
                                              std::string& allowed) const;

  std::string path_;
  std::map<std::string, Head> head_;
  std::vector<Cell> columns_;
  std::size_t header_line_ = 0;
  std::vector<Row> rows_;
  std::vector<models::Fault> faults_;
};

}  // namespace fleetcast::analysis
