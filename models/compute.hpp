#pragma once
// How long a step takes undisturbed. The interface is meant to stay; what is behind it today is a table of
// achieved efficiency per GPU, precision and size class (calibration/efficiency.json).
#include <optional>
#include <string>
#include <vector>

#include "models/grade.hpp"
#include "models/hardware.hpp"
#include "models/transformer.hpp"
#include "models/units.hpp"

namespace fleetcast::models {

/// Seconds of one step by part, mean over the gang, stragglers included in compute.
struct StepParts {
  double compute = 0.0;
  double exposed_communication = 0.0;
  double pipeline_bubble = 0.0;
  [[nodiscard]] double total() const { return compute + exposed_communication + pipeline_bubble; }
};

struct EfficiencyQuestion {
  TransformerShape shape;
  GpuSpec gpu;
  Precision precision = Precision::bf16;
  double gpus = 8;  ///< of the whole gang
  double sequence_length = 4096;
  double tokens_per_step = 4 << 20;
  int pipeline = 1, virtual_stages = 1;  ///< 1F1B bubble, known layouts only
  double micro_batches = 1;              ///< per step and pipeline
};

/// The measured row that is most like the question.
struct NearestRow {
  std::string id;
  std::string what;       ///< "MPT-7b bf16 on 128 H100: 9,900 tokens/s/GPU"
  double distance = 0.0;  ///< log distance over size, GPUs and sequence length; 0 is the same
};

struct StepEstimate {
  StepParts parts;
  double efficiency = 0.0;  ///< model FLOPs over dense peak of the precision (= MFU)
  /// Log-sd of the error of the efficiency: common to all GPUs and precisions, and its own part. Both are drawn
  /// once a trial; strategies share the common part.
  double log_sd_common = 0.0, log_sd_contrast = 0.0;
  std::string contrast_key;  ///< strategies with the same key share the contrast part too
  Grade grade = Grade::assumed;
  std::string basis;  ///< one sentence: rows, spread, range
  NearestRow nearest;
};

/// One cell of the table: what a typical software stack reaches, between tuned recipes and ordinary code.
struct EfficiencyCell {
  std::string gpu;
  Precision precision = Precision::bf16;   ///< FP16 counts as BF16 where the GPU has both: same rate
  std::string kind;                        ///< "dense", "moe" (narrow experts) or "moe-wide" (kind_of)
  double params_low = 0, params_high = 0;  ///< size class by active parameters, [low, high)
  double params_center = 0;                ///< geometric mean of the rows: where the efficiency holds best
  double efficiency = 0;                   ///< model FLOPs over dense peak, at attention_share
  double attention_share = 0;              ///< of the model FLOPs, mean of the rows
  double log_sd = 0;                       ///< own spread, beside the part that all cells share
  int rows = 0, groups = 0;                ///< groups: distinct (source, model)
  double gpus_low = 0, gpus_high = 0, sequence_low = 0, sequence_high = 0;  ///< range of the rows
  FlopsPerSecond peak;                                                      ///< dense peak that the efficiency is of
  BytesPerSecond memory_rate;                                               ///< of the GPU
};

/// A measured row as the table remembers it, for the nearest-row answer.
struct MeasuredRow {
  std::string id, model, gpu;
  Precision precision = Precision::bf16;
  bool moe = false;
  double params = 0;  ///< active ones
  double gpus = 0, sequence_length = 0, tokens_per_s_per_gpu = 0;
};

struct EfficiencyTable {
  std::vector<EfficiencyCell> cells;
  std::vector<MeasuredRow> rows;
  double attention_slope = 0.0;               ///< ln efficiency falls by this per unit of attention share
  double log_sd_common = 0.0;                 ///< part of the spread that all cells share: the software stack
  std::string source, date, error_statement;  ///< error on rows left out, as the calibration file states it
};

/// Kind of a shape in the table: "dense", "moe-wide" if an expert is at least twice as wide as the model (Mixtral,
/// Grok: matrices as large as a dense model's), else "moe".
std::string kind_of(const TransformerShape& shape);
/// Active parameters, all weights a token meets and the embedding: the size of the table's classes.
double active_parameters(const TransformerShape& shape);
/// Part of the model FLOPs that is attention, [0, 1).
double attention_share(const TransformerShape& shape, double sequence_length);
/// The precision under which the table files that of a GPU.
Precision filed_precision(const GpuSpec& gpu, Precision precision);

/// Throws InfeasibleError when the GPU does not have the precision; without `allow_extrapolation` also when no
/// cell is near enough to say anything (the message names the nearest).
StepEstimate estimate_step(const EfficiencyQuestion& question, const EfficiencyTable& table, bool allow_extrapolation);

}  // namespace fleetcast::models
