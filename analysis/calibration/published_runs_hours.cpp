#include "analysis/calibration/published_runs_hours.hpp"

#include <cmath>

namespace fleetcast::analysis {

namespace {

constexpr double goodput_log_sd = 0.05;  // 0.87 to 1.0 in nine of ten; hours of bad runs are outside
constexpr double everyday_log_sd = 0.2;  // of the seven families: 0.23, the error of the step included
constexpr double gang_log_sd = 0.07;     // half or twice the assumed GPUs change dense runs by -4 to +12 %
constexpr double both_ways_bubble = 0.5;

}  // namespace

bool has_tuned_code(const PublishedRun& run) {
  const models::Software& software = run.question.software;
  return software.known && (software.stack == models::Stack::tuned || software.stack == models::Stack::jax);
}

double step_seconds(const PublishedRun& run, const models::StepBreakdown& parts) {
  if (!run.stated.both_ways) return parts.total();
  return parts.total() - parts.expert_traffic - both_ways_bubble * parts.bubble;
}

double run_gpu_hours(const PublishedRun& run, const models::StepQuestion& question, double step_s) {
  const models::Layout& layout = question.layout;
  const double step_tokens = layout.micro_batch * layout.micro_batches * layout.data * question.sequence_length;
  const double goodput = run.pure_steps ? 1.0 : run.goodput > 0.0 ? run.goodput : usual_goodput;
  return run.tokens / step_tokens * step_s * run.gpus / 3600.0 / goodput *
         (has_tuned_code(run) ? 1.0 : everyday_factor);
}

double run_log_sd(const PublishedRun& run) {
  return std::hypot(run.pure_steps ? 0.0 : goodput_log_sd, has_tuned_code(run) ? 0.0 : everyday_log_sd,
                    run.assumed_gpus ? gang_log_sd : 0.0);
}

}  // namespace fleetcast::analysis
