#include "analysis/calibration/throughput_scores.hpp"

#include "analysis/calibration/size_class.hpp"

namespace fleetcast::analysis {

namespace {

std::string kind_of(const ThroughputRow& row) {
  if (row.question.task == models::TrainingTask::lora) return "lora";
  if (!row.decoder()) return "encoder";
  if (row.work.hybrid) return "hybrid";
  return row.work.mixture_layers > 0 ? "moe" : "dense";
}

/// FP16 counts as BF16 where a GPU has both: the same rate.
std::string format_of(const ThroughputRow& row) {
  const models::Precision precision = row.question.precision;
  const bool same = precision == models::Precision::fp16 && row.question.gpu.peak(models::Precision::bf16);
  return std::string{models::name_of(same ? models::Precision::bf16 : precision)};
}

}  // namespace

ScoredRow scored_row(const ThroughputRow& row, double predicted, double half_width, models::Grade grade) {
  ScoredRow scored;
  scored.id = row.id;
  scored.measured = row.measured;
  scored.predicted = predicted;
  set_interval(scored, half_width);
  scored.grade = grade;
  scored.unit = "tokens/s/GPU";
  scored.source = row.source;
  scored.model = row.model;
  scored.gpu = row.gpu;
  scored.precision = format_of(row);
  scored.size_class = size_class(models::parameters(row.question.shape));
  scored.kind = kind_of(row);
  scored.weight = row.weight;
  return scored;
}

}  // namespace fleetcast::analysis
