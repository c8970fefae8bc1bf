#pragma once
// From the time of a step to the GPU-hours of a whole run.
#include "analysis/calibration/published_runs_rows.hpp"
#include "models/compute.hpp"

namespace fleetcast::analysis {

/// Share of the time that trains, where a run does not publish it; the rest are checkpoints, evaluation, failures and
/// what is repeated after them. Llama 3 and MegaScale report over 90 % on 10,000 GPUs and more (Grattafiori et al.
/// 2024, Jiang et al. 2024); smaller gangs lose less.
constexpr double usual_goodput = 0.95;
/// Whole runs with code that is not known to be tuned, against short measurements of such code on well-kept machines:
/// steps are so many times longer. Fitted: median over the seven families of such runs in published_runs.csv (groups
/// "yes") of measured over predicted, 1.32, rounded. The families range from 1.0 to 1.9.
constexpr double everyday_factor = 1.3;

/// Megatron and its like, JAX recipes: what benchmarks measure.
bool has_tuned_code(const PublishedRun& run);

/// Seconds of a step with the schedule that the run states, without `everyday_factor`. DualPipe runs forward and
/// backward passes of two directions side by side: the exchange of experts hides behind the other direction's work, and
/// a stage waits half as long (DeepSeek-V3 report, 2024).
double step_seconds(const PublishedRun& run, const models::StepBreakdown& parts);

/// GPU-hours of all steps, lost time included unless the published hours are made from step times or throughput.
double run_gpu_hours(const PublishedRun& run, const models::StepQuestion& question, double step_s);

/// Log-sd of the GPU-hours beyond that of the step.
double run_log_sd(const PublishedRun& run);

}  // namespace fleetcast::analysis
