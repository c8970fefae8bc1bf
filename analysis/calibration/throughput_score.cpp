// `score throughput`: the catalog's calibration against a table.
#include <algorithm>
#include <cmath>
#include <variant>

#include "analysis/calibration/csv_faults.hpp"
#include "analysis/calibration/measured_speed_rows.hpp"
#include "analysis/calibration/row_fields.hpp"
#include "analysis/calibration/throughput_commands.hpp"
#include "analysis/calibration/throughput_scores.hpp"
#include "models/compute.hpp"

namespace fleetcast::analysis {

namespace {

ScoredRow predicted_row(const ThroughputRow& row, const models::ThroughputCalibration& calibration) {
  const models::StepEstimate estimate = models::estimate_step(row.question, calibration, true);
  const bool fitted = std::ranges::find(calibration.rows, row.id, &models::MeasuredRow::id) != calibration.rows.end();
  const auto spread =
      std::ranges::find(calibration.spreads, models::speed_kind(row.question), &models::ThroughputSpread::kind);
  double log_sd = std::hypot(estimate.log_sd_common, estimate.log_sd_contrast);
  if (fitted && spread != calibration.spreads.end()) log_sd = spread->known;
  const double speed = row.tokens_per_step / estimate.parts.total() / row.gpus();
  return scored_row(row, speed, models::normal90 * log_sd, estimate.grade);
}

/// A workload that is counted in samples, by measured rows of the same model; or why not.
std::variant<ScoredRow, std::string> measured_row(const CsvLine& line, const models::Catalog& catalog) {
  const auto conditions = speed_conditions(line, catalog.gpus);
  if (!conditions) return std::string{"GPU or precision not in the catalog"};
  std::string why;
  const auto answer = models::measured_speed(*conditions, catalog.measured_speed, catalog.gpus, &why);
  if (!answer) return why;
  ScoredRow row;
  row.id = text_in(line, "id");
  row.measured = *field(line, "samples_per_s_per_gpu");
  row.predicted = answer->samples_per_s_per_gpu;
  set_interval(row, models::normal90 * answer->log_sd);
  row.grade = answer->grade;
  row.unit = "samples/s/GPU";
  row.source = text_in(line, "source");
  row.model = conditions->model;
  row.gpu = conditions->gpu;
  row.precision = std::string{models::name_of(conditions->precision)};
  row.kind = "by measured rows";
  return row;
}

bool has_samples(const CsvLine& line) {
  return field_or(line, "samples_per_s_per_gpu", 0.0) > 0.0 && count_in(line, "n_gpus") &&
         !text_in(line, "model").empty();
}

/// Rows that the step model skipped, where a measured model of their kind knows better.
void add_measured(const std::string& path, ThroughputRows& rows, const models::Catalog& catalog, Score& score) {
  for (std::size_t at = 0; at < rows.skipped.size(); ++at) {
    const CsvLine& line = rows.skipped_lines[at];
    std::variant<ScoredRow, std::string> row = std::move(rows.skipped[at].reason);
    try {
      if (has_samples(line)) row = measured_row(line, catalog);
    } catch (const models::InputError& error) {
      rethrow_at(path, line.number, error);
    }
    if (auto* reason = std::get_if<std::string>(&row))
      score.skipped.push_back({std::move(rows.skipped[at].id), std::move(*reason)});
    else
      score.scored.push_back(std::get<ScoredRow>(std::move(row)));
  }
}

}  // namespace

Score score_throughput(const std::string& csv_path, const models::Catalog& catalog) {
  ThroughputRows rows = read_throughput_rows(csv_path, catalog);
  Score score;
  score.kind = "throughput";
  score.rows = rows.in_file;
  score.about =
      "Tokens per second and GPU by the step model, other workloads by measured rows of the same model; rows that "
      "the calibration was fitted on are no independent test.";
  for (const ThroughputRow& row : rows.rows) score.scored.push_back(predicted_row(row, catalog.throughput));
  add_measured(csv_path, rows, catalog, score);
  return score;
}

}  // namespace fleetcast::analysis
