#include "analysis/cli/record_commands.hpp"

#include <sstream>

#include "analysis/cli/answer.hpp"
#include "analysis/cli/measured.hpp"
#include "analysis/cli/output_place.hpp"
#include "analysis/records/record_commands.hpp"

namespace fleetcast::cli {
namespace {

std::vector<std::string> files_of(const MeasuredOptions& measured) {
  return measured.traces.empty() ? std::vector{measured.data} : measured.traces;
}

void check_place(const std::string& option, const std::optional<std::string>& path, const MeasuredOptions& measured) {
  if (!path) return;
  for (const std::string& file : files_of(measured))
    check_output_place({option, *path, measured.force}, {"file of records", file});
}

analysis::RecordCalibration calibration_of(const MeasuredOptions& measured) {
  if (measured.kind == "failures") return analysis::calibrate_failures({measured.data, std::nullopt});
  if (measured.kind == "price") return analysis::calibrate_price(measured.traces);
  return analysis::calibrate_storage({measured.data});
}

std::string rendered(const analysis::RecordReport& report, const MeasuredOptions& measured) {
  if (measured.json) return analysis::record_report_json(report);
  std::ostringstream out;
  analysis::print_records(out, report, answer_style(inspect_terminal(), measured.color));
  return out.str();
}

}  // namespace

ExitCode calibrate_records(const CalibrateOptions& options) {
  const MeasuredOptions& measured = options.measured;
  check_place("--out", options.out, measured);
  check_place("--html", measured.html, measured);
  const analysis::RecordCalibration calibration = calibration_of(measured);
  if (calibration.report.rows == 0) {
    explain_unusable(measured.data, calibration.report.skipped.size(), calibration.report.skipped);
    return ExitCode::infeasible;
  }
  if (options.out) write_file(*options.out, calibration.json, "the calibration", measured);
  if (measured.html)
    write_file(*measured.html, analysis::records_html(calibration.report, origin_of(measured)), "the page", measured);
  write_answer(rendered(calibration.report, measured));
  return ExitCode::answered;
}

}  // namespace fleetcast::cli
