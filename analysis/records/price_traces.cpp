#include "analysis/records/price_traces.hpp"

#include <filesystem>
#include <limits>

#include "analysis/records/record_table.hpp"
#include "scenarios/recording_file.hpp"
#include "scenarios/values.hpp"

namespace fleetcast::analysis {

namespace {

constexpr double least_price = 1e-6, most_price = 1e6;  // USD per hour

void check_prices(RecordTable& table) {
  const std::size_t column = table.need({"usd_per_hour"});
  (void)table.need_number(0, column, least_price, most_price);
  for (std::size_t row = 1; row < table.rows(); ++row)
    if (const std::string& text = table.text(row, column); text != "unknown" && text != "nan" && text != "NaN")
      (void)table.number(row, column, least_price, most_price);
}

std::string without_brackets(const std::string& text) {
  return std::string{scenarios::trimmed(std::string_view{text}.substr(0, text.find('(')))};
}

}  // namespace

PriceTrace read_price_trace(const std::string& path) {
  RecordTable table{path};
  PriceTrace trace;
  trace.name = std::filesystem::path{path}.filename().string();
  trace.provider = table.head("provider").value_or("");
  trace.instance = without_brackets(table.head("instance").value_or(""));
  trace.zone = table.head("zone").value_or("");
  trace.on_demand = table.head_number("on_demand_usd_per_hour", least_price, most_price);
  check_prices(table);
  table.throw_if_any();
  scenarios::RecordingFile file = scenarios::read_recording(path, scenarios::price_form("usd_per_hour"));
  trace.recording = std::move(file.recording);
  for (std::string& note : file.notes)  // rows of prices stand for changes: between them is no gap
    if (note.find(" gaps, ") == std::string::npos) trace.notes.push_back(std::move(note));
  return trace;
}

}  // namespace fleetcast::analysis
