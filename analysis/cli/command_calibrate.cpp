#include "analysis/cli/command_calibrate.hpp"

#include <sstream>

#include "analysis/calibration/throughput_commands.hpp"
#include "analysis/cli/answer.hpp"
#include "analysis/cli/help.hpp"
#include "analysis/cli/market_commands.hpp"
#include "analysis/cli/measured.hpp"
#include "analysis/cli/output_place.hpp"

namespace fleetcast::cli {
namespace {

void check_places(const CalibrateOptions& options) {
  const MeasuredOptions& measured = options.measured;
  if (options.out)
    check_output_place({"--out", *options.out, measured.force}, {"file of measured rows", measured.data});
  if (measured.html)
    check_output_place({"--html", *measured.html, measured.force}, {"file of measured rows", measured.data});
}

void write_files(const analysis::Calibration& calibration, const CalibrateOptions& options) {
  const MeasuredOptions& measured = options.measured;
  if (options.out) write_file(*options.out, calibration.json, "the calibration", measured);
  if (measured.html)
    write_file(*measured.html, analysis::calibration_html(calibration.report, origin_of(measured)), "the page",
               measured);
}

std::string rendered(const analysis::CalibrationReport& report, const MeasuredOptions& options) {
  if (options.json) return analysis::calibration_report_json(report);
  std::ostringstream out;
  analysis::print_calibration(out, report, answer_style(inspect_terminal(), options.color));
  return out.str();
}

}  // namespace

ExitCode command_calibrate(std::span<const std::string> arguments) {
  const CalibrateOptions options = parse_calibrate_options(arguments);
  if (options.measured.help) {
    write_answer(calibrate_help());
    return ExitCode::answered;
  }
  if (!options.measured.traces.empty()) return calibrate_market(options);
  check_places(options);
  const analysis::Calibration calibration = analysis::calibrate_throughput(
      {options.measured.data, options.also, options.doubtful}, catalog_of(options.measured), options.threads);
  const analysis::CalibrationReport& report = calibration.report;
  if (report.rows == 0) {
    explain_unusable(options.measured.data, report.in_sample.rows, report.skipped);
    return ExitCode::infeasible;
  }
  write_files(calibration, options);
  write_answer(rendered(report, options.measured));
  return ExitCode::answered;
}

}  // namespace fleetcast::cli
