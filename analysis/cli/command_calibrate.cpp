#include "analysis/cli/command_calibrate.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <system_error>
#include <vector>

#include "analysis/calibration/throughput_commands.hpp"
#include "analysis/cli/answer.hpp"
#include "analysis/cli/help.hpp"
#include "analysis/cli/market_commands.hpp"
#include "analysis/cli/measured.hpp"
#include "analysis/cli/output_place.hpp"
#include "analysis/cli/record_commands.hpp"
#include "analysis/cli/refuse.hpp"

namespace fleetcast::cli {
namespace {

std::vector<InputPlace> inputs_of(const CalibrateOptions& options) {
  std::vector<InputPlace> inputs{{"file of measured rows", options.measured.data}};
  for (const std::string& path : options.also) inputs.push_back({"file of --also", path});
  if (options.doubtful) inputs.push_back({"file of --doubtful", *options.doubtful});
  return inputs;
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code missing;
  return a == b || std::filesystem::equivalent(a, b, missing);
}

/// A row would be fitted twice.
void check_tables(const CalibrateOptions& options) {
  std::vector<std::string> read{options.measured.data};
  for (const std::string& path : options.also) {
    if (std::ranges::any_of(read, [&](const std::string& other) { return same_file(path, other); }))
      refuse("--also " + path + ": its rows are read already", "another file than DATA and other --also");
    read.push_back(path);
  }
}

void check_places(const CalibrateOptions& options) {
  const MeasuredOptions& measured = options.measured;
  for (const InputPlace& input : inputs_of(options)) {
    if (options.out) check_output_place({"--out", *options.out, measured.force}, input);
    if (measured.html) check_output_place({"--html", *measured.html, measured.force}, input);
  }
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
  if (options.measured.kind == "market") return calibrate_market(options);
  if (options.measured.kind != "throughput") return calibrate_records(options);
  check_tables(options);
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
