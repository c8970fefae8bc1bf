#include "analysis/calibration/error_table.hpp"

#include <algorithm>

#include "analysis/calibration/score_words.hpp"

namespace fleetcast::analysis {

namespace {

/// Names of sources may be whole references: they get what the figures leave of the width.
std::size_t widest_name(const Style& style) {
  constexpr int figures = 58, least = 20, most = 60;
  return static_cast<std::size_t>(std::clamp(style.width - figures, least, most));
}

std::string name_cell(const std::string& name, const Style& style) {
  const std::string safe = shown(name, style);
  const std::size_t widest = widest_name(style);
  if (columns_of(safe) <= widest) return safe;
  std::string cut;
  for (const char c : safe) {
    const bool begins = (static_cast<unsigned char>(c) & 0xc0) != 0x80;
    if (begins && columns_of(cut) == widest - 3) break;
    cut += c;
  }
  return cut + "...";
}

template <class Figure>
Column column(const std::string& head, const NamedErrors& errors, Figure&& figure) {
  Column made{head, {}};
  for (const auto& [name, statistics] : errors) made.cells.push_back(figure(statistics));
  return made;
}

Column percent_column(const std::string& head, const NamedErrors& errors, double ErrorStatistics::*member) {
  return column(head, errors, [member](const ErrorStatistics& each) { return percent_error(each.*member); });
}

}  // namespace

Table error_table(const std::string& corner, const NamedErrors& errors, const Style& style) {
  Table table;
  table.corner = corner;
  for (const auto& [name, statistics] : errors) table.names.push_back(name_cell(name, style));
  table.groups = {
      {"", {column("rows", errors, [](const ErrorStatistics& each) { return std::to_string(each.rows); })}},
      {"error, %",
       {percent_column("median", errors, &ErrorStatistics::median),
        percent_column("mean", errors, &ErrorStatistics::mean),
        percent_column("9 in 10", errors, &ErrorStatistics::p90),
        percent_column("largest", errors, &ErrorStatistics::max),
        column("bias", errors, [](const ErrorStatistics& each) { return signed_percent_error(each.bias); })}},
      {"inside", {column("90 %", errors, [](const ErrorStatistics& each) { return percent_share(each.coverage90); })}}};
  return table;
}

}  // namespace fleetcast::analysis
