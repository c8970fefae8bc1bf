#pragma once
// The measured rows of workloads that are counted in images, sequences or tokens of no language model's pre-training.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/calibration/csv_table.hpp"
#include "models/catalog.hpp"
#include "models/measured_speed.hpp"

namespace fleetcast::analysis {

/// What a row was measured at. Nothing if its GPU or precision is not in the catalog.
std::optional<models::SpeedConditions> speed_conditions(const CsvLine& line, const std::vector<models::GpuSpec>& gpus);

struct MeasuredSpeedRows {
  std::vector<models::MeasuredSpeedEntry> rows;
  std::vector<models::MeasuredSource> sources;
  std::map<std::string, int> skipped;  ///< rows by reason
};

/// Reads a table of measured throughputs (columns id, source, source_ref, year, gpu, n_gpus, gpus_per_node, precision,
/// task, model, seq_len, micro_batch, samples_per_s_per_gpu, sample_unit) and keeps the rows with samples per second on
/// GPUs of `gpus`. A silent sequence length of question answering on BERT is the script's 384. `suspicious` is a CSV
/// file with the ids to leave out in its column id. Throws models::InputError.
MeasuredSpeedRows read_measured_speeds(const std::string& measured, const std::string& suspicious,
                                       const std::vector<models::GpuSpec>& gpus);

}  // namespace fleetcast::analysis
