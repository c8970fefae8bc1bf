#include "models/compute.hpp"

#include "models/efficiency_lookup.hpp"
#include "models/errors.hpp"
#include "models/nearest_row.hpp"

namespace fleetcast::models {

namespace {

/// Seconds of a step at this efficiency, of which the idle ends of a 1F1B pipeline take (p - 1) / (m v) of the rest
/// (Narayanan et al. 2021). The table is of whole steps, so the bubble is taken out of them, not put on top.
StepParts parts_of(const EfficiencyQuestion& question, double peak, double efficiency) {
  const double flops = question.tokens_per_step * model_flops_per_token(question.shape, question.sequence_length);
  const double total = flops / (question.gpus * peak * efficiency);
  const double bubble = (question.pipeline - 1) / (question.micro_batches * question.virtual_stages);
  StepParts parts;
  parts.pipeline_bubble = total * bubble / (1.0 + bubble);
  parts.compute = total - parts.pipeline_bubble;
  return parts;
}

}  // namespace

std::string kind_of(const TransformerShape& shape) {
  if (shape.experts == 0) return "dense";
  return shape.expert_ffn >= 2 * shape.hidden ? "moe-wide" : "moe";
}

double active_parameters(const TransformerShape& shape) {
  return flops_per_token_6nd(shape) / 6.0;
}

double attention_share(const TransformerShape& shape, double sequence_length) {
  return 1.0 - 6.0 * active_matrix_parameters(shape) / model_flops_per_token(shape, sequence_length);
}

Precision filed_precision(const GpuSpec& gpu, Precision precision) {
  return precision == Precision::fp16 && gpu.peak(Precision::bf16) ? Precision::bf16 : precision;
}

StepEstimate estimate_step(const EfficiencyQuestion& question, const EfficiencyTable& table, bool allow_extrapolation) {
  const auto peak = question.gpu.peak(question.precision);
  if (!peak) throw InfeasibleError{question.gpu.id + " does not have " + std::string{name_of(question.precision)}};
  const RowMatch match = nearest_row(question, table);
  const EfficiencyAnswer answer = look_up_efficiency(question, table, allow_extrapolation, match.nearest);
  StepEstimate estimate;
  estimate.efficiency = answer.efficiency;
  estimate.parts = parts_of(question, peak->value(), answer.efficiency);
  estimate.log_sd_common = table.log_sd_common;
  estimate.log_sd_contrast = answer.log_sd_own;
  estimate.contrast_key = question.gpu.id + " " + std::string{name_of(question.precision)};
  estimate.grade = answer.grade == Grade::fitted && match.same_case ? Grade::measured : answer.grade;
  estimate.basis = answer.basis;
  estimate.nearest = match.nearest;
  return estimate;
}

}  // namespace fleetcast::models
