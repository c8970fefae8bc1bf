#include "analysis/calibration/calibration_report.hpp"

#include <algorithm>

#include "analysis/calibration/error_table.hpp"
#include "analysis/calibration/score_report.hpp"
#include "analysis/calibration/score_words.hpp"

namespace fleetcast::analysis {

namespace {

template <class Text>
Column column(const std::string& head, const CalibrationReport& report, Text&& text, bool left = false) {
  Column made{head, {}, left};
  for (const FittedParameter& parameter : report.parameters) made.cells.push_back(text(parameter));
  return made;
}

Table parameter_table(const CalibrationReport& report, const Style& style) {
  const std::string dash = signs_of(style).dash;
  const auto interval = [&](double low, double high) { return short_figure(low) + dash + short_figure(high); };
  Table table;
  table.corner = "parameter";
  for (const FittedParameter& parameter : report.parameters) table.names.push_back(shown(parameter.name, style));
  table.groups = {
      {"", {column("value", report, [](const FittedParameter& each) { return short_figure(each.value); })}},
      {"",
       {column("90 % interval", report,
               [&](const FittedParameter& each) { return each.fixed ? "fixed" : interval(each.low, each.high); })}},
      {"",
       {column(
           "unit", report, [&](const FittedParameter& each) { return shown(each.unit, style); }, true)}},
      {"before the fit",
       {column("value", report, [](const FittedParameter& each) { return short_figure(each.prior); }),
        column(
            "interval", report,
            [&](const FittedParameter& each) { return each.fixed ? "" : interval(each.prior_low, each.prior_high); })}},
      {"",
       {column("learnt, %", report,
               [](const FittedParameter& each) { return each.fixed ? "" : percent_share(each.information); })}},
      {"",
       {column(
           "what", report, [&](const FittedParameter& each) { return shown(each.about, style); }, true)}}};
  return table;
}

void print_findings(std::ostream& out, const CalibrationReport& report, const Style& style) {
  if (!report.findings.empty()) out << "\n";
  for (const auto& [name, text] : report.findings)
    out << wrapped(shown(name + ": " + text, style), style.width, "", "  ");
}

}  // namespace

std::size_t fitted_parameters(const CalibrationReport& report) {
  return static_cast<std::size_t>(std::ranges::count(report.parameters, false, &FittedParameter::fixed));
}

std::string headline_of(const CalibrationReport& report) {
  if (report.cross_validation.empty()) return headline_of(report.in_sample, " that were fitted");
  const auto& [left_out, score] = report.cross_validation.front();
  return headline_of(score, " that were not fitted (" + left_out + ")");
}

const Score& judged_score(const CalibrationReport& report) {
  return report.cross_validation.empty() ? report.in_sample : report.cross_validation.front().second;
}

std::vector<std::pair<std::string, ErrorStatistics>> validation_errors(const CalibrationReport& report) {
  NamedErrors errors;
  for (const auto& [left_out, score] : report.cross_validation)
    if (const auto statistics = error_statistics(score.scored)) errors.emplace_back(left_out, *statistics);
  if (const auto statistics = error_statistics(report.in_sample.scored))
    errors.emplace_back("nothing (the fit itself)", *statistics);
  return errors;
}

void print_calibration(std::ostream& out, const CalibrationReport& report, const Style& style) {
  out << emphasized(wrapped(shown(headline_of(report), style), style.width, "", ""), Emphasis::bold, style);
  out << wrapped(counted(report.rows, "row") + " in " + counted(report.groups, "group") + " fitted with " +
                     counted(fitted_parameters(report), "parameter") + ".",
                 style.width, "", "");
  if (!report.in_sample.about.empty()) out << wrapped(shown(report.in_sample.about, style), style.width, "", "");
  out << "\n";
  print(out, error_table("left out", validation_errors(report), style), style);
  if (!report.parameters.empty()) {
    out << "\n";
    print(out, parameter_table(report, style), style);
  }
  print_findings(out, report, style);
  const Score& judged = judged_score(report);
  print_error_groups(out, judged, style);
  print_worst_rows(out, judged, style);
  print_skipped(out, report.skipped, style);
}

}  // namespace fleetcast::analysis
