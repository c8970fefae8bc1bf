#pragma once
// What a calibration of the step model says: constants, how wrong they are, and the rows behind them.
#include <string>
#include <vector>

#include "models/hardware.hpp"
#include "models/normal90.hpp"
#include "models/throughput_parameters.hpp"

namespace fleetcast::models {

/// A measured row as the calibration remembers it, for the nearest-row answer and the range of validity.
struct MeasuredRow {
  std::string id, model, gpu;
  Precision precision = Precision::bf16;
  bool mixture = false;  ///< of experts, or a hybrid
  double params = 0;     ///< active ones
  double gpus = 0, sequence_length = 0, tokens_per_s_per_gpu = 0;
};

/// Error of the speed on rows that were not fitted, of one kind of model and software. A 90 % interval is a factor
/// exp(normal90 x log_sd) to either side.
struct ThroughputSpread {
  std::string kind;     ///< as speed_kind() names them
  double known = 0.1;   ///< log-sd for software of a source that was fitted
  double unseen = 0.1;  ///< log-sd for a source that was not
  double contrast = 0;  ///< log-sd of the part that differs between precisions and GPUs of one model and source
};

struct ThroughputCalibration {
  ThroughputParameters parameters;
  std::vector<ThroughputSpread> spreads;
  std::vector<MeasuredRow> rows;
  double newest = 2026.5;  ///< year of the newest software in the rows
  std::string source, date, error_statement;
};

}  // namespace fleetcast::models
