#include "analysis/cli/market_commands.hpp"

#include <iostream>
#include <sstream>

#include "analysis/cli/answer.hpp"
#include "analysis/cli/measured.hpp"
#include "analysis/cli/output_place.hpp"
#include "analysis/market/jobs_report.hpp"
#include "analysis/market/market_score.hpp"

namespace fleetcast::cli {
namespace {

void check_place(const std::string& option, const std::optional<std::string>& path, const MeasuredOptions& measured) {
  if (!path) return;
  for (const std::string& trace : measured.traces)
    check_output_place({option, *path, measured.force}, {"recorded trace", trace});
}

template <class Print>
void answer(const MeasuredOptions& measured, const std::string& json, const Print& print) {
  if (measured.json) {
    write_answer(json);
    return;
  }
  std::ostringstream out;
  print(out, answer_style(inspect_terminal(), measured.color));
  write_answer(out.str());
}

/// What is odd about the traces, to standard error.
void tell_notes(const std::vector<analysis::MarketTrace>& traces, const MeasuredOptions& measured) {
  if (measured.quiet) return;
  for (const analysis::MarketTrace& trace : traces)
    for (const std::string& note : trace.notes) std::cerr << "fleetcast: " << trace.file << ": " << note << '\n';
}

std::vector<analysis::MarketTrace> traces_of(const analysis::MarketCalibration& calibration) {
  std::vector<analysis::MarketTrace> traces;
  for (const analysis::TraceCalibration& each : calibration.traces) traces.push_back(each.trace);
  return traces;
}

ExitCode score_jobs(const ScoreOptions& options) {
  const MeasuredOptions& measured = options.measured;
  const analysis::JobsStudy study =
      analysis::study_jobs(analysis::read_market_traces(measured.traces), options.threads);
  if (measured.html)
    write_file(*measured.html, analysis::jobs_study_html(study, origin_of(measured)), "the page", measured);
  answer(measured, analysis::jobs_study_json(study),
         [&](std::ostream& out, const analysis::Style& style) { analysis::print_jobs_study(out, study, style); });
  return study.later.empty() ? ExitCode::infeasible : ExitCode::answered;
}

}  // namespace

ExitCode score_market(const ScoreOptions& options) {
  const MeasuredOptions& measured = options.measured;
  check_place("--html", measured.html, measured);
  if (options.jobs) return score_jobs(options);
  const analysis::MarketCalibration calibration = analysis::calibrate_market(measured.traces, options.threads);
  tell_notes(traces_of(calibration), measured);
  if (measured.html)
    write_file(*measured.html, analysis::market_html(calibration, "score market", origin_of(measured)), "the page",
               measured);
  answer(measured, analysis::market_score_json(calibration), [&](std::ostream& out, const analysis::Style& style) {
    analysis::print_market_score(out, calibration, style);
  });
  return ExitCode::answered;
}

ExitCode calibrate_market(const CalibrateOptions& options) {
  const MeasuredOptions& measured = options.measured;
  check_place("--out", options.out, measured);
  check_place("--html", measured.html, measured);
  const analysis::MarketCalibration calibration = analysis::calibrate_market(measured.traces, options.threads);
  tell_notes(traces_of(calibration), measured);
  if (options.out) write_file(*options.out, analysis::market_file_json(calibration), "the calibration", measured);
  if (measured.html)
    write_file(*measured.html, analysis::market_html(calibration, "calibrate market", origin_of(measured)), "the page",
               measured);
  answer(measured, analysis::market_calibration_json(calibration),
         [&](std::ostream& out, const analysis::Style& style) {
           analysis::print_market_calibration(out, calibration, style);
         });
  return ExitCode::answered;
}

}  // namespace fleetcast::cli
