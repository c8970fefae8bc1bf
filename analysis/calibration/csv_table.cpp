#include "analysis/calibration/csv_table.hpp"

#include <boost/tokenizer.hpp>
#include <fstream>
#include <string_view>

#include "models/errors.hpp"

namespace fleetcast::analysis {

namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";  // spreadsheets write one

std::vector<std::string> fields_of(const std::string& line) {
  // '\0' never occurs in a text line: backslashes stay what they are.
  using Separator = boost::escaped_list_separator<char>;
  const boost::tokenizer<Separator> fields{line, Separator{'\0', ',', '"'}};
  return {fields.begin(), fields.end()};
}

bool next_line(std::ifstream& file, std::string& line) {
  if (!std::getline(file, line)) return false;
  if (!line.empty() && line.back() == '\r') line.pop_back();
  return true;
}

[[noreturn]] void fail(const std::string& path, std::size_t line, const std::string& problem) {
  throw models::InputError{{{path, line, 0, "", problem, "a CSV file with a header", ""}}};
}

}  // namespace

std::vector<CsvLine> read_csv(const std::string& path) {
  std::ifstream file{path};
  std::string text;
  if (!next_line(file, text)) fail(path, 0, "cannot be read");
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  const std::vector<std::string> names = fields_of(text);
  std::vector<CsvLine> lines;
  for (std::size_t number = 2; next_line(file, text); ++number) {
    if (text.empty()) continue;
    const std::vector<std::string> fields = fields_of(text);
    if (fields.size() != names.size()) fail(path, number, "has " + std::to_string(fields.size()) + " fields");
    CsvLine& line = lines.emplace_back();
    line.number = number;
    for (std::size_t at = 0; at < names.size(); ++at) line.fields[names[at]] = fields[at];
  }
  return lines;
}

}  // namespace fleetcast::analysis
