// Made-up predictions in place of the throughput model: each measured value times a fixed pattern.
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "analysis/calibration/csv_table.hpp"
#include "analysis/calibration/throughput_commands.hpp"
#include "models/errors.hpp"

namespace fleetcast::analysis {

namespace {

struct Columns {
  std::string id, measured, unit, kind;
};
const Columns throughput{"id", "tokens_per_s_per_gpu", "tokens/s/GPU", "throughput"};
const Columns runs{"run_id", "gpu_hours", "GPU-hours", "runs"};

void require_columns(const std::string& path, const std::vector<CsvLine>& lines, const Columns& columns) {
  if (lines.empty()) return;
  for (const std::string& name : {columns.id, columns.measured})
    if (!lines.front().contains(name))
      throw models::InputError{{{path, 1, 0, "", "column " + name + " is missing", "", ""}}};
}

std::string field(const CsvLine& line, const std::string& name) {
  const auto found = line.find(name);
  return found == line.end() ? "" : found->second;
}

double number(const std::string& path, std::size_t line, const std::string& column, const std::string& text) {
  double value = 0.0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (fault != std::errc{} || end != text.data() + text.size())
    throw models::InputError{{{path, line, 0, "", column + ": found \"" + text + "\"", "a number", ""}}};
  return value;
}

std::string size_class(double billions) {
  if (billions < 1.0) return "below 1B";
  if (billions < 10.0) return "1-10B";
  if (billions < 50.0) return "10-50B";
  return billions < 200.0 ? "50-200B" : "above 200B";
}

/// Errors of a few percent, some of tens, spread by the golden ratio.
double made_up_error(std::size_t row) {
  const double even = std::fmod(0.618033988749895 * static_cast<double>(row), 1.0) - 0.5;
  return 0.9 * even * even * even * (row % 13 == 0 ? 6.0 : 1.2);
}

Score made_up(const std::string& path, const Columns& columns) {
  const std::vector<CsvLine> lines = read_csv(path);
  require_columns(path, lines, columns);
  Score score{columns.kind, lines.size(), {}, {}, "Made up: no model was asked."};
  for (std::size_t at = 0; at < lines.size(); ++at) {
    const CsvLine& line = lines[at];
    const std::string id = field(line, columns.id), text = field(line, columns.measured);
    if (text.empty()) {
      score.skipped.push_back({id, "no measured figure in column " + columns.measured});
      continue;
    }
    const double measured = number(path, at + 2, columns.measured, text);
    const double predicted = measured * std::exp(made_up_error(at));
    const std::string params = field(line, "params_b");
    ScoredRow row;
    row.id = id;
    row.measured = measured;
    row.predicted = predicted;
    row.low = predicted / 1.15;
    row.high = predicted * 1.15;
    row.unit = columns.unit;
    row.source = field(line, "source");
    row.model = field(line, "model");
    row.gpu = field(line, "gpu");
    row.precision = field(line, "precision");
    row.size_class = params.empty() ? "" : size_class(number(path, at + 2, "params_b", params));
    row.kind = field(line, "moe_experts").empty() ? "dense" : "moe";
    if (at % 29 == 0) row.grade = models::Grade::extrapolated;
    score.scored.push_back(row);
  }
  return score;
}

}  // namespace

Score score_throughput(const std::string& csv_path, const models::Catalog&) {
  return made_up(csv_path, throughput);
}

Score score_runs(const std::string& csv_path, const models::Catalog&) {
  return made_up(csv_path, runs);
}

Calibration calibrate_throughput(const std::string& csv_path, const models::Catalog&, unsigned) {
  CalibrationReport report;
  report.in_sample = made_up(csv_path, throughput);
  report.cross_validation = {{"source and model left out", report.in_sample},
                             {"whole source left out", report.in_sample}};
  report.rows = report.in_sample.scored.size();
  report.groups = std::min<std::size_t>(report.rows, 12);
  report.skipped = report.in_sample.skipped;
  report.parameters = {
      {"e16_hopper", "share of the measured ceiling, 16 bit, Hopper", "", 0.87, 0.84, 0.91, 0.9, 0.7, 1.1, false, 0.83},
      {"launch_floor", "time per layer and micro-batch", "ms", 0.75, 0.28, 1.99, 0.8, 0.2, 3.2, false, 0.27},
      {"kw", "bytes per weight", "B", 8.0, 8.0, 8.0, 8.0, 4.0, 16.0, true, 0.0}};
  report.findings = {{"FP8 over BF16, dense", "measured 1.38, predicted 1.42"}};
  return {report, "{\"format\": \"made up\"}\n"};
}

}  // namespace fleetcast::analysis
