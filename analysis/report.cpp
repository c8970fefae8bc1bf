#include "analysis/report.hpp"

#include <algorithm>

#include "analysis/headline.hpp"
#include "analysis/report_tables.hpp"
#include "analysis/stopping_report.hpp"

namespace fleetcast::analysis {

namespace {

void print_titled(std::ostream& out, const std::string& title, const Table& table, const Style& style) {
  if (table.names.empty() || table.groups.empty()) return;
  out << "\n" << emphasized(wrapped(title, style.width, "", ""), Emphasis::bold, style);
  print(out, table, style);
}

void print_notes(std::ostream& out, const RunSummary& summary, const Style& style) {
  const Signs signs = signs_of(style);
  std::string note =
      "95%: of the mean, Monte Carlo error only. Figures are rounded to what it supports; --json has all.";
  const bool censored =
      std::ranges::any_of(summary.strategies, [](const auto& each) { return each.finished < each.replicates; });
  if (censored) note += " " + signs.at_least + ": lower limit, since some trials did not finish.";
  out << "\n" << emphasized(wrapped(note, style.width, "", ""), Emphasis::dim, style);
  if (summary.stopping)
    out << emphasized(wrapped(shown(stopping_line(summary), style), style.width, "", ""), Emphasis::dim, style);
}

}  // namespace

void print_warnings(std::ostream& out, const std::vector<std::string>& warnings, const Style& style) {
  for (const std::string& warning : warnings)
    out << emphasized(wrapped("warning: " + shown(warning, style), style.width, "", "  "), Emphasis::warning, style);
  if (!warnings.empty()) out << "\n";
}

void print_run(std::ostream& out, const RunSummary& summary, std::span<const sim::Plan> plans, const Style& style) {
  print_warnings(out, summary.warnings, style);
  out << emphasized(wrapped(shown(headline(summary, plans, style), style), style.width, "", ""), Emphasis::bold, style);
  print_titled(out, shown(summary.scenario, style) + ", seed " + std::to_string(summary.seed),
               answer_table(summary, style), style);
  out << "\n";
  print(out, efficiency_table(summary, style), style);
  print_titled(out, "Where the GPU-hours went", account_table(summary, style), style);
  print_titled(out, "The bill", bill_table(summary, style), style);
  print_titled(out, "Stops and saves", stop_table(summary, style), style);
  print_titled(out, "Paired differences: the same luck for both", difference_table(summary, style), style);
  print_titled(out, "With what is unknown but fixed (speed, rates, lifetimes, how much was recorded), 95 %",
               unknowns_table(summary, style), style);
  print_notes(out, summary, style);
}

}  // namespace fleetcast::analysis
