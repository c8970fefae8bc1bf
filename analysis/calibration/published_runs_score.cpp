// `score runs`: GPU-hours of published training runs.
#include <cmath>

#include "analysis/calibration/published_runs_layout.hpp"
#include "analysis/calibration/score_words.hpp"
#include "analysis/calibration/size_class.hpp"
#include "analysis/calibration/throughput_commands.hpp"
#include "models/compute.hpp"

namespace fleetcast::analysis {

namespace {

constexpr double normal90 = 1.6448536269514722;
// Checkpoints, evaluation, failures and what is repeated after them. Llama 3 reports over 90 % effective training time
// on 16,384 GPUs and MegaScale over 90 % on 10,000 (Grattafiori et al. 2024, Jiang et al. 2024); smaller gangs lose
// less. Hours of bad runs (OPT-175B about half) are outside the spread.
constexpr double usual_goodput = 0.95, goodput_log_sd = 0.05;

double lost_time_factor(const PublishedRun& run) {
  if (run.pure_steps) return 1.0;
  return 1.0 / (run.goodput > 0.0 ? run.goodput : usual_goodput);
}

/// DualPipe runs forward and backward passes of two directions side by side: the exchange of experts hides behind the
/// other direction's work, and a stage waits half as long (DeepSeek-V3 report, 2024).
double step_seconds(const PublishedRun& run, const models::StepBreakdown& parts) {
  if (!run.stated.both_ways) return parts.total();
  return parts.total() - parts.expert_traffic - 0.5 * parts.bubble;
}

double gpu_hours(const PublishedRun& run, const models::StepQuestion& question, double step_s) {
  const models::Layout& layout = question.layout;
  const double step_tokens = layout.micro_batch * layout.micro_batches * layout.data * question.sequence_length;
  return run.tokens / step_tokens * step_s * run.gpus / 3600.0 * lost_time_factor(run);
}

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
  row.predicted = gpu_hours(run, question, step_seconds(run, estimate.parts));
  const double log_sd =
      std::hypot(estimate.log_sd_common, estimate.log_sd_contrast, run.pure_steps ? 0.0 : goodput_log_sd);
  row.low = row.predicted / std::exp(normal90 * log_sd);
  row.high = row.predicted * std::exp(normal90 * log_sd);
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
      "GPU-hours of whole runs: tokens over the step model's speed, divided by 95 % goodput where the hours hold lost "
      "time; layouts that are not published are the fastest that fit. Kind \"weak\": hours that the table doubts.";
  for (const PublishedRun& run : found.runs) {
    if (const auto question = with_layout(run, catalog.throughput))
      score.scored.push_back(predicted_row(run, *question, catalog.throughput));
    else
      score.skipped.push_back({run.id, "no layout divides the GPUs and the batch"});
  }
  return score;
}

}  // namespace fleetcast::analysis
