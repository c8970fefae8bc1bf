// `score throughput`: the built-in calibration against a table.
#include <algorithm>
#include <cmath>

#include "analysis/calibration/throughput_commands.hpp"
#include "analysis/calibration/throughput_scores.hpp"
#include "models/compute.hpp"

namespace fleetcast::analysis {

namespace {

constexpr double normal90 = 1.6448536269514722;

ScoredRow predicted_row(const ThroughputRow& row, const models::ThroughputCalibration& calibration) {
  const models::StepEstimate estimate = models::estimate_step(row.question, calibration, true);
  const bool fitted = std::ranges::find(calibration.rows, row.id, &models::MeasuredRow::id) != calibration.rows.end();
  const auto spread =
      std::ranges::find(calibration.spreads, models::speed_kind(row.question), &models::ThroughputSpread::kind);
  double log_sd = std::hypot(estimate.log_sd_common, estimate.log_sd_contrast);
  if (fitted && spread != calibration.spreads.end()) log_sd = spread->known;
  const double speed = row.tokens_per_step / estimate.parts.total() / row.gpus();
  return scored_row(row, speed, std::exp(normal90 * log_sd), estimate.grade);
}

}  // namespace

Score score_throughput(const std::string& csv_path, const models::Catalog& catalog) {
  ThroughputRows rows = read_throughput_rows(csv_path, catalog);
  Score score;
  score.kind = "throughput";
  score.rows = rows.in_file;
  score.skipped = std::move(rows.skipped);
  score.about =
      "Tokens per second and GPU by the step model with the built-in calibration; rows that it was fitted on "
      "are no independent test.";
  for (const ThroughputRow& row : rows.rows) score.scored.push_back(predicted_row(row, catalog.throughput));
  return score;
}

}  // namespace fleetcast::analysis
