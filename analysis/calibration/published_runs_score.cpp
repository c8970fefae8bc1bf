// `score runs`: GPU-hours of published training runs.
#include <cmath>

#include "analysis/calibration/published_runs_hours.hpp"
#include "analysis/calibration/published_runs_layout.hpp"
#include "analysis/calibration/size_class.hpp"
#include "analysis/calibration/throughput_commands.hpp"

namespace fleetcast::analysis {

namespace {

ScoredRow named_row(const PublishedRun& run) {
  ScoredRow row;
  row.id = run.id;
  row.measured = run.measured;
  row.unit = "GPU-hours";
  row.source = run.family;
  row.model = run.model;
  row.gpu = run.gpu;
  row.precision = models::name_of(run.question.precision);
  row.size_class = size_class(models::parameters(run.question.shape));
  row.kind = run.usable;
  return row;
}

ScoredRow predicted_row(const PublishedRun& run, const models::StepQuestion& question,
                        const models::ThroughputCalibration& calibration) {
  const models::StepEstimate estimate = models::estimate_step(question, calibration, true);
  ScoredRow row = named_row(run);
  row.predicted = run_gpu_hours(run, question, step_seconds(run, estimate.parts));
  const double log_sd = std::hypot(estimate.log_sd_common, estimate.log_sd_contrast, run_log_sd(run));
  set_interval(row, models::normal90 * log_sd);
  row.grade = estimate.grade;
  return row;
}

}  // namespace

Score score_runs(const std::string& csv_path, const models::Catalog& catalog) {
  PublishedRuns found = read_published_runs(csv_path, catalog);
  Score score;
  score.kind = "runs";
  score.rows = found.in_file;
  score.skipped = std::move(found.skipped);
  score.about =
      "GPU-hours of whole runs by the step model: 95 % goodput where the hours hold lost time, 1.3 times the step "
      "where the code is not known to be tuned (fitted on these rows), layouts that are not published the fastest that "
      "fit. "
      "Kind \"weak\": hours that the table doubts.";
  for (const PublishedRun& run : found.runs) {
    if (const auto question = with_layout(run, catalog.throughput))
      score.scored.push_back(predicted_row(run, *question, catalog.throughput));
    else
      score.skipped.push_back({run.id, "no layout divides the GPUs and the batch"});
  }
  return score;
}

}  // namespace fleetcast::analysis
