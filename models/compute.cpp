#include "models/compute.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "models/errors.hpp"
#include "models/nearest_row.hpp"
#include "models/random/deterministic_math.hpp"
#include "models/speed_range.hpp"
#include "models/step_traffic.hpp"

namespace fleetcast::models {

namespace {

/// Tuned and ordinary software, as nobody says which one a user has: the middle of both, and half their distance as
/// an error that all strategies share.
struct Middle {
  StepBreakdown parts;
  double log_sd = 0.0;
};

Software dated(Software software, const ThroughputCalibration& calibration) {
  software.year = std::min(software.year, calibration.newest);
  return software;
}

StepBreakdown with_software(StepQuestion question, Software software, const ThroughputCalibration& calibration) {
  question.software = dated(software, calibration);
  return step_breakdown(workpiece_of(question), calibration.parameters);
}

Middle middle_of(const StepQuestion& question, const ThroughputCalibration& calibration) {
  if (question.software.known) return {with_software(question, question.software, calibration), 0.0};
  const double year = question.software.year;
  const StepBreakdown tuned = with_software(question, {Stack::tuned, year}, calibration);
  const StepBreakdown ordinary = with_software(question, {Stack::pytorch, year}, calibration);
  return {mean_of(tuned, ordinary), 0.5 * std::abs(det::log(ordinary.total() / tuned.total()))};
}

ThroughputSpread spread_of(const StepQuestion& question, const ThroughputCalibration& calibration) {
  const auto found = std::ranges::find(calibration.spreads, speed_kind(question), &ThroughputSpread::kind);
  return found == calibration.spreads.end() ? ThroughputSpread{} : *found;
}

/// Work done over the work of the model: recomputed layers and attention.
double hardware_factor(const StepQuestion& question) {
  const Workpiece work = workpiece_of(question);
  const TokenWork& token = work.token;
  const double layers = 2.0 * (token.dense_weights + token.routed_weights), head = 2.0 * token.head_weights;
  const double model = 3.0 * (layers + head + token.attention_flops);
  return (model + work.recomputed * layers + work.recomputed_attention * token.attention_flops) / model;
}

std::string percent(double share) {
  return std::to_string(std::lround(100.0 * share)) + " %";
}

std::string basis_of(const StepQuestion& question, const ThroughputCalibration& calibration, double log_sd) {
  constexpr std::array names{"tuned software", "ordinary PyTorch", "JAX", "early Megatron"};
  const std::string software = question.software.known ? names[static_cast<std::size_t>(question.software.stack)]
                                                       : "the middle of tuned and ordinary software";
  return "step model fitted on " + std::to_string(calibration.rows.size()) + " measured rows, " + software +
         "; 9 in 10 speeds within " + percent(det::exp(normal90 * log_sd) - 1.0) +
         (question.software.known ? "" : " (of benchmarks: whole runs with code of their own took 1.3 times as long)");
}

std::string largest_part(const StepBreakdown& parts) {
  const std::array<std::pair<double, const char*>, 6> groups{
      {{parts.matrix + parts.experts + parts.output_layer, "matrix products"},
       {parts.attention, "attention"},
       {parts.memory_bound + parts.optimizer, "memory rate"},
       {parts.launch + parts.constant, "launches"},
       {parts.exposed_communication(), "communication"},
       {parts.bubble, "pipeline bubble"}}};
  return std::ranges::max_element(groups, {}, &std::pair<double, const char*>::first)->second;
}

}  // namespace

double active_parameters(const TransformerShape& shape) {
  return flops_per_token_6nd(shape) / 6.0;
}

std::string speed_kind(const StepQuestion& question) {
  if (question.task == TrainingTask::lora) return "adapters";
  if (!question.shape.causal) return "encoder";
  if (question.shape.experts > 0 || question.shape.mamba_layers > 0) return "mixture";
  return question.software.known && question.software.stack != Stack::tuned ? "ordinary dense" : "tuned dense";
}

double step_flops(const StepQuestion& question) {
  const Layout& layout = question.layout;
  return layout.micro_batch * layout.micro_batches * layout.data * question.sequence_length *
         model_flops_per_token(question.shape, question.sequence_length);
}

double exchange_seconds(const StepQuestion& question) {
  Workpiece work = workpiece_of(question);
  work.gradient_sync = GradientSync::once;
  work.sharded_weights = work.sharded_in_node = false;
  work.precision = Precision::bf16;
  return step::gradient_traffic(work).seconds;
}

StepBreakdown quick_step(const StepQuestion& question, const ThroughputCalibration& calibration) {
  return middle_of(question, calibration).parts;
}

StepEstimate estimate_step(const StepQuestion& question, const ThroughputCalibration& calibration,
                           bool allow_extrapolation) {
  const auto peak = question.gpu.peak(question.precision);
  if (!peak) throw InfeasibleError{question.gpu.id + " does not have " + std::string{name_of(question.precision)}};
  const RowMatch match = nearest_row(question, calibration.rows);
  const SpeedRange range = speed_range(question, calibration.rows, match);
  if (!range.refusal.empty() && !allow_extrapolation)
    throw InfeasibleError{"no measurement is near enough to forecast the step time of this model on " +
                          question.gpu.id + " in " + std::string{name_of(question.precision)} + " (" + range.refusal +
                          "); the nearest is " + (match.nearest.id.empty() ? "none" : match.nearest.what) +
                          ". Give \"training\": {\"speed\": ...}, or set \"allow_extrapolation\": true"};
  const Middle middle = middle_of(question, calibration);
  const ThroughputSpread spread = spread_of(question, calibration);
  StepEstimate estimate;
  estimate.parts = middle.parts;
  estimate.mfu = step_flops(question) / (middle.parts.total() * question.layout.gpus() * peak->value());
  estimate.hfu = estimate.mfu * hardware_factor(question);
  const double contrast = std::min(spread.contrast, spread.unseen);
  estimate.log_sd_common = root_sum(std::sqrt(spread.unseen * spread.unseen - contrast * contrast), middle.log_sd);
  estimate.log_sd_contrast = root_sum(contrast, range.added_log_sd);
  estimate.contrast_key = question.gpu.id + " " + std::string{name_of(question.precision)};
  estimate.grade = range.grade;
  estimate.basis = basis_of(question, calibration, root_sum(estimate.log_sd_common, estimate.log_sd_contrast));
  estimate.bound = largest_part(middle.parts);
  estimate.nearest = match.nearest;
  return estimate;
}

}  // namespace fleetcast::models
