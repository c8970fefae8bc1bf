#include "analysis/records/record_table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>

#include "scenarios/decimal.hpp"
#include "scenarios/document.hpp"
#include "scenarios/nearest_name.hpp"
#include "scenarios/values.hpp"

namespace fleetcast::analysis {

namespace {

constexpr std::size_t most_faults = 50;  // more help nobody

std::string range_text(double low, double high) {
  const std::string from = scenarios::format_number(low);
  if (high == std::numeric_limits<double>::infinity())
    return low > 0.0 ? "a number above 0" : "a number of at least " + from;
  return "a number from " + from + " to " + scenarios::format_number(high);
}

std::optional<double> number_in(const std::string& text) {
  double value = 0.0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

}  // namespace

RecordTable::RecordTable(const std::string& path) : path_{path} {
  std::error_code error;
  const auto refuse = [&](const char* problem) { throw models::InputError{{{path_, 0, 0, "", problem, "", ""}}}; };
  if (!std::filesystem::exists(path, error)) refuse("there is no such file");
  if (!std::filesystem::is_regular_file(path, error)) refuse("this is not an ordinary file");
  std::ifstream file{path, std::ios::binary};
  if (!file) refuse("the file cannot be read");
  std::string text;
  for (std::size_t line = 1; std::getline(file, text); ++line) {
    if (!text.empty() && text.back() == '\r') text.pop_back();
    std::string_view rest = text;
    if (line == 1 && rest.starts_with("\xEF\xBB\xBF")) rest.remove_prefix(3);
    take_line(rest, line);
  }
  if (columns_.empty()) refuse("the file has no header");
  throw_if_any();
  if (rows_.empty())
    throw models::InputError{{{path_, header_line_, 0, "", "there are no rows below the header", "", ""}}};
}

/// Blanks around a field do not belong to it.
std::vector<RecordTable::Cell> RecordTable::cells_of(std::string_view line) {
  std::vector<Cell> cells;
  std::size_t begin = 0;
  bool quoted = false;
  std::string text;
  const auto close = [&](std::size_t end) {
    const std::size_t blanks = line.substr(begin, end - begin).find_first_not_of(" \t");
    cells.push_back(
        {std::string{scenarios::trimmed(text)}, begin + (blanks == std::string_view::npos ? 0 : blanks) + 1});
    text.clear();
    begin = end + 1;
  };
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] == '"') {
      if (quoted && at + 1 < line.size() && line[at + 1] == '"') {
        text += line[++at];
      } else {
        quoted = !quoted;
      }
    } else if (line[at] == ',' && !quoted) {
      close(at);
    } else {
      text += line[at];
    }
  }
  close(line.size());
  return cells;
}

void RecordTable::take_head(std::string_view text, std::size_t line) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return;
  const std::string_view value = scenarios::trimmed(text.substr(colon + 1));
  const auto column = static_cast<std::size_t>(value.data() - text.data()) + 1;
  head_.emplace(scenarios::trimmed(text.substr(1, colon - 1)), Head{std::string{value}, line, column});
}

void RecordTable::take_line(std::string_view text, std::size_t line) {
  if (scenarios::trimmed(text).empty()) return;
  if (text.starts_with('#')) {
    if (columns_.empty()) take_head(text, line);
    return;
  }
  std::vector<Cell> cells = cells_of(text);
  if (columns_.empty()) {
    columns_ = std::move(cells);
    header_line_ = line;
  } else if (cells.size() == columns_.size()) {
    rows_.push_back({std::move(cells), line});
  } else if (faults_.size() < most_faults) {
    faults_.push_back({path_, line, 1, "", "found " + std::to_string(cells.size()) + " fields",
                       std::to_string(columns_.size()) + " fields as in the header", ""});
  }
}

std::optional<std::size_t> RecordTable::find(std::initializer_list<std::string_view> names) const {
  for (const std::string_view name : names) {
    const auto at = std::ranges::find(columns_, name, &Cell::text);
    if (at != columns_.end()) return static_cast<std::size_t>(at - columns_.begin());
  }
  return std::nullopt;
}

std::size_t RecordTable::need(std::initializer_list<std::string_view> names) const {
  if (const auto column = find(names)) return *column;
  std::string wanted;
  for (const std::string_view name : names) wanted += (wanted.empty() ? "" : " or ") + std::string{name};
  std::vector<std::string> there;
  for (const Cell& cell : columns_) there.push_back(cell.text);
  const std::string first{*names.begin()};
  throw models::InputError{
      {{path_, header_line_, 1, "", "there is no column " + wanted, "found " + scenarios::nearest_first(first, there),
        scenarios::nearest_name(first, there)}}};
}

const std::string& RecordTable::text(std::size_t row, std::size_t column) const {
  return rows_[row].cells[column].text;
}

std::string RecordTable::text(std::size_t row, const std::optional<std::size_t>& column) const {
  return column ? text(row, *column) : std::string{};
}

std::optional<double> RecordTable::checked(const std::string& text, double low, double high,
                                           std::string& allowed) const {
  const std::optional<double> value = number_in(text);
  if (value && *value >= low && *value <= high) return value;
  allowed = range_text(low, high);
  return std::nullopt;
}

std::optional<double> RecordTable::number(std::size_t row, const std::optional<std::size_t>& column, double low,
                                          double high) {
  if (!column || text(row, *column).empty()) return std::nullopt;
  std::string allowed;
  const auto value = checked(text(row, *column), low, high, allowed);
  if (!value) fault(row, *column, columns_[*column].text + " is " + scenarios::in_quotes(text(row, *column)), allowed);
  return value;
}

std::optional<double> RecordTable::need_number(std::size_t row, std::size_t column, double low, double high) {
  if (text(row, column).empty()) fault(row, column, columns_[column].text + " is blank", range_text(low, high));
  return number(row, column, low, high);
}

std::optional<std::string> RecordTable::head(const std::string& key) const {
  const auto at = head_.find(key);
  if (at == head_.end()) return std::nullopt;
  return at->second.text;
}

std::optional<double> RecordTable::head_number(const std::string& key, double low, double high) {
  const auto text = head(key);
  if (!text) return std::nullopt;
  std::string allowed;
  const auto value = checked(*text, low, high, allowed);
  if (!value) head_fault(key, key + " is " + scenarios::in_quotes(*text), allowed);
  return value;
}

void RecordTable::fault(std::size_t row, std::size_t column, std::string problem, std::string allowed) {
  if (faults_.size() >= most_faults) return;
  faults_.push_back(
      {path_, rows_[row].line, rows_[row].cells[column].column, "", std::move(problem), std::move(allowed), ""});
}

void RecordTable::head_fault(const std::string& key, std::string problem, std::string allowed) {
  const auto at = head_.find(key);
  const Head place = at == head_.end() ? Head{"", 1, 1} : at->second;
  faults_.push_back({path_, place.line, place.column, "", std::move(problem), std::move(allowed), ""});
}

void RecordTable::throw_if_any() const {
  if (!faults_.empty()) throw models::InputError{faults_};
}

}  // namespace fleetcast::analysis
