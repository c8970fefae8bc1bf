#include "analysis/records/record_report.hpp"

#include <cmath>
#include <sstream>

#include "analysis/calibration/score_report.hpp"
#include "analysis/calibration/score_words.hpp"
#include "analysis/table.hpp"
#include "scenarios/decimal.hpp"

namespace fleetcast::analysis {

namespace {

Table parameter_table(const RecordReport& report, const Style& style) {
  Table table;
  table.corner = "parameter";
  Column value{"value", {}}, interval{"90 % interval", {}}, unit{"unit", {}, true}, about{"what", {}, true};
  for (const RecordParameter& parameter : report.parameters) {
    table.names.push_back(shown(parameter.name, style));
    value.cells.push_back(three_digits(parameter.value));
    interval.cells.push_back(interval_text(parameter));
    unit.cells.push_back(shown(parameter.unit, style));
    about.cells.push_back(shown(parameter.about, style));
  }
  table.groups = {{"", {value}}, {"", {interval}}, {"", {unit}}, {"", {about}}};
  return table;
}

void print_listing(std::ostream& out, const RecordListing& listing, const Style& style) {
  if (listing.rows.empty()) return;
  out << "\n" << emphasized(wrapped(shown(listing.title, style), style.width, "", ""), Emphasis::bold, style);
  if (!listing.about.empty()) out << wrapped(shown(listing.about, style), style.width, "", "");
  Table table;
  table.corner = listing.heads.front();
  for (const auto& row : listing.rows) table.names.push_back(shown(row.front(), style));
  for (std::size_t at = 1; at < listing.heads.size(); ++at) {
    Column column{listing.heads[at], {}};
    for (const auto& row : listing.rows) column.cells.push_back(shown(row[at], style));
    table.groups.push_back({"", {std::move(column)}});
  }
  print(out, table, style);
}

}  // namespace

double five_digits(double value) {
  if (value == 0.0 || !std::isfinite(value)) return 0.0;
  const double scale = std::pow(10.0, 4.0 - std::floor(std::log10(std::abs(value))));
  return std::round(value * scale) / scale;
}

std::string three_digits(double value) {
  constexpr double grouped_from = 1e-6;
  const double size = std::abs(value);
  return size > 0.0 && size < grouped_from ? scenarios::format_rounded(value, 3) : short_figure(value);
}

std::string interval_text(const RecordParameter& parameter) {
  if (parameter.low && parameter.high) return three_digits(*parameter.low) + " to " + three_digits(*parameter.high);
  if (parameter.low) return "above " + three_digits(*parameter.low);
  return parameter.high ? "below " + three_digits(*parameter.high) : "not bounded";
}

void print_records(std::ostream& out, const RecordReport& report, const Style& style) {
  out << emphasized(wrapped(shown(report.headline, style), style.width, "", ""), Emphasis::bold, style);
  if (!report.about.empty()) out << wrapped(shown(report.about, style), style.width, "", "");
  if (!report.parameters.empty()) {
    out << "\n";
    print(out, parameter_table(report, style), style);
  }
  for (const RecordListing& listing : report.listings) print_listing(out, listing, style);
  if (!report.findings.empty()) out << "\n";
  for (const auto& [name, text] : report.findings)
    out << wrapped(shown(name + ": " + text, style), style.width, "", "  ");
  if (!report.ready.empty()) {
    out << "\n" << emphasized("For a scenario, " + report.ready_for + ":", Emphasis::bold, style) << "\n";
    std::istringstream lines{report.ready};  // to be copied: nothing is wrapped or replaced but control characters
    for (std::string line; std::getline(lines, line);) out << shown(line, {style.width, true, false}) << "\n";
  }
  print_skipped(out, report.skipped, style);
}

}  // namespace fleetcast::analysis
