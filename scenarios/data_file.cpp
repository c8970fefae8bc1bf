#include "scenarios/data_file.hpp"

#include <algorithm>
#include <filesystem>

#include "models/errors.hpp"
#include "scenarios/document.hpp"
#include "scenarios/nearest_name.hpp"
#include "scenarios/values.hpp"

namespace fleetcast::scenarios {
namespace {

namespace fs = std::filesystem;

}  // namespace

DataFile::DataFile(const std::string& path) : path_{path} {
  std::error_code error;
  if (!fs::exists(path, error)) refuse("there is no such file", "");
  if (!fs::is_regular_file(path, error)) refuse("this is not an ordinary file", "");
  in_.open(path, std::ios::binary);
  if (!in_) refuse("the file cannot be read", "");
  read_head();
}

bool DataFile::read_line() {
  while (std::getline(in_, text_)) {
    ++line_;
    if (!text_.empty() && text_.back() == '\r') text_.pop_back();
    if (!trimmed(text_).empty()) return true;
  }
  return false;
}

void DataFile::read_head() {
  while (read_line()) {
    std::string_view text = text_;
    if (line_ == 1 && text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    if (!text.starts_with('#')) {
      for (const std::string_view name : split_at_commas(text)) columns_.emplace_back(name);
      return;
    }
    text.remove_prefix(1);
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) continue;
    head_.emplace(trimmed(text.substr(0, colon)), trimmed(text.substr(colon + 1)));
  }
  refuse("the file has no rows", "a header such as time_s,capacity and rows below it");
}

bool DataFile::next() {
  do {
    if (!read_line()) return false;
  } while (text_.starts_with('#'));
  fields_ = split_at_commas(text_);
  if (fields_.size() != columns_.size()) {
    refuse("found " + std::to_string(fields_.size()) + " fields",
           std::to_string(columns_.size()) + " fields as in the header");
  }
  return true;
}

std::optional<std::size_t> DataFile::find_column(std::string_view name) const {
  const auto at = std::find(columns_.begin(), columns_.end(), name);
  if (at == columns_.end()) return std::nullopt;
  return static_cast<std::size_t>(at - columns_.begin());
}

std::optional<std::string> DataFile::head(const std::string& key) const {
  const auto at = head_.find(key);
  if (at == head_.end()) return std::nullopt;
  return at->second;
}

void DataFile::refuse(std::string problem, std::string allowed, std::string nearest) const {
  throw models::InputError{{{path_, line_, 0, "", std::move(problem), std::move(allowed), std::move(nearest)}}};
}

double DataFile::number(std::size_t column) const {
  const std::optional<Decimal> decimal = parse_decimal(fields_[column]);
  const std::optional<double> value = decimal ? to_double(*decimal) : std::nullopt;
  if (!value) refuse(columns_[column] + " is " + in_quotes(fields_[column]), "a number");
  return *value;
}

std::string data_path(const std::string& scenario_path, const std::string& file) {
  const fs::path path{file};
  return path.is_absolute() ? file : (fs::path{scenario_path}.parent_path() / path).string();
}

}  // namespace fleetcast::scenarios
