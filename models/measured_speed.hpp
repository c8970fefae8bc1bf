#pragma once
// How fast a workload trains that is no language model with a shape: from measured rows of the same model. A new GPU,
// precision, count or batch is reached by ratios that a few constants explain (calibration/measured_speed.json).
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/grade.hpp"
#include "models/hardware.hpp"

namespace fleetcast::models {

/// What a speed is measured or asked at.
struct SpeedConditions {
  std::string model;                      ///< "ResNet-50"; never empty
  std::string task;                       ///< "cv", "sft", "bert", "pretrain"; "": whatever was measured
  std::string source;                     ///< whose code: "deep-learning-examples", "lambda"; "": not known
  std::string gpu;                        ///< id or alias of a GpuSpec
  Precision precision = Precision::fp16;  ///< BF16 counts as FP16: the same rate and bytes
  double gpus = 1;                        ///< of the whole job, at least 1
  double gpus_per_node = 8;               ///< at least 1
  double sequence = 0;                    ///< tokens of a sample; 0: images, or as measured
  double batch_per_gpu = 0;               ///< samples; 0: as large as usual
};

struct MeasuredSpeedEntry {
  std::string id;
  SpeedConditions at;
  double samples_per_s_per_gpu = 0;  ///< above 0
  std::string unit;                  ///< of a sample: "images", "sequences", "tokens"
  std::string reference;             ///< id of a MeasuredSource
};

/// Where rows come from.
struct MeasuredSource {
  std::string id, address;
  Provenance provenance;
};

/// A fitted constant with its 90 % interval.
struct FittedConstant {
  double value = 0, low = 0, high = 0;
};

/// What one model's time is made of. The parts are relative to each other on the reference, an A100-80GB in 16 bit;
/// `level` turns them into seconds per token (sequences) or per sample.
struct SpeedWork {
  std::string model, unit;
  double level = 0;            ///< ln
  FittedConstant matrix;       ///< matrix products: follows the dense peak
  FittedConstant memory;       ///< bytes moved: follows the memory rate, twice as many in FP32 and TF32
  FittedConstant host;         ///< input, launches: the same on every GPU
  FittedConstant step;         ///< once a step: shrinks with the batch; at the reference batch
  FittedConstant several;      ///< more than one GPU: exchange, shared host
  FittedConstant nodes;        ///< for each doubling of the nodes
  double reference_batch = 0;  ///< per GPU, in tokens or samples; 0: no row states its batch
  int rows = 0;
};

/// How the kernels of a generation and precision differ from those of the A100 in 16 bit, beyond their data sheets.
struct SpeedFactor {
  enum class Of { half, tf32, fp32 };
  Of of = Of::half;
  Generation generation = Generation::ampere;  ///< FP32 is of Volta and stands for all
  FittedConstant factor;                       ///< on the rate of matrix products
};

/// Log-sd of what the constants leave, by what rows have in common. Setup: source, task and sequence. Width: 16 bit
/// or 32 bit. Count: one GPU, one node, more.
struct SpeedSpread {
  double setup = 0, gpu = 0, gpu_source = 0, width_source = 0, gpu_width = 0, count = 0, cell = 0, row = 0;
};

/// Error on rows that the fit had not seen.
struct SpeedError {
  std::string what;
  int rows = 0;
  double median = 0, mean = 0, p90 = 0, bias = 0, coverage90 = 0;
};

struct MeasuredSpeedTable {
  std::vector<MeasuredSource> sources;
  std::vector<MeasuredSpeedEntry> rows;
  std::vector<SpeedWork> works;
  std::vector<SpeedFactor> factors;
  SpeedSpread spread;
  std::vector<SpeedError> left_out_errors;
};

struct SpeedAnswer {
  double samples_per_s_per_gpu = 0;
  std::string unit;
  double log_sd = 0;  ///< of the speed, one row's own scatter included
  Grade grade = Grade::extrapolated;
  std::string basis;  ///< one sentence: parts, nearest row, ratio to it
  std::string nearest_row;
  double distance = 0;  ///< log distance to that row; 0 is the same conditions
};

/// Seconds per sample = exp(level) x (matrix / rate + memory x bytes / memory rate + host + step + several + nodes),
/// corrected by the rows of the model in proportion to what they share with the question (best linear prediction under
/// `SpeedSpread`). Grades: `measured`: the same model, task, sequence, GPU and width, GPUs and batch within a factor 2;
/// `fitted`: rates, GPUs and batch inside the range of the model's rows (a factor 2 beyond for GPUs and batch), the
/// width and the sequence measured; else `extrapolated`. A question that names no source gets that of the rows where
/// all have the same, and a wider spread. Nothing, with the reason in `why_not`, for a model, GPU or precision without
/// data or more than 16 times as many GPUs as ever measured. Throws ContractError for counts below 1 and a table whose
/// rows name GPUs that `gpus` lacks.
std::optional<SpeedAnswer> measured_speed(const SpeedConditions& question, const MeasuredSpeedTable& table,
                                          std::span<const GpuSpec> gpus, std::string* why_not = nullptr);

}  // namespace fleetcast::models
