#pragma once
// How long a step takes undisturbed: the calibrated step model (step_model.hpp) with evidence, error and range.
#include <string>

#include "models/grade.hpp"
#include "models/step_model.hpp"
#include "models/throughput_calibration.hpp"

namespace fleetcast::models {

/// The measured row that is most like the question.
struct NearestRow {
  std::string id;
  std::string what;       ///< "MPT-7b bf16 on 128 H100: 9,900 tokens/s/GPU"
  double distance = 0.0;  ///< log distance over size, GPUs and sequence length; 0 is the same
};

struct StepEstimate {
  StepBreakdown parts;      ///< seconds of a step
  double mfu = 0, hfu = 0;  ///< model FLOPs, and those with recomputation, over the dense peak of the precision
  /// Log-sd of the error of the speed: common to all GPUs and precisions, and its own part. Both are drawn once a
  /// trial; strategies share the common part.
  double log_sd_common = 0.0, log_sd_contrast = 0.0;
  std::string contrast_key;  ///< strategies with the same key share the contrast part too
  Grade grade = Grade::assumed;
  std::string basis;  ///< one sentence: software, rows, error
  std::string bound;  ///< the resource that takes the largest part: "matrix products", "memory rate" ...
  NearestRow nearest;
};

/// Active parameters, all weights a token meets and the embedding: the size that rows are compared by.
double active_parameters(const TransformerShape& shape);
/// Kind of error spread (ThroughputSpread::kind): "tuned dense", "ordinary dense", "mixture" (of experts, and hybrids),
/// "adapters", "encoder". Software that is not known counts as tuned.
std::string speed_kind(const StepQuestion& question);
/// Model FLOPs of a step.
double step_flops(const StepQuestion& question);
/// Seconds of one exchange of all gradients and weights among the replicas, alone on the links, 16-bit values.
double exchange_seconds(const StepQuestion& question);
/// Seconds of a step without evidence: what searches ask many times. With unknown software the middle of tuned and
/// ordinary.
StepBreakdown quick_step(const StepQuestion& question, const ThroughputCalibration& calibration);

/// Throws InfeasibleError when the GPU does not have the precision; without `allow_extrapolation` also when no measured
/// row is near enough to say anything (the message names the nearest): beyond a factor of 10 in size, 16 in sequence
/// length, 64 in GPUs, or a GPU unlike any measured.
StepEstimate estimate_step(const StepQuestion& question, const ThroughputCalibration& calibration,
                           bool allow_extrapolation);

}  // namespace fleetcast::models
