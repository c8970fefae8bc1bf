#include "analysis/calibration/measured_speed_rows.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "analysis/calibration/csv_table.hpp"
#include "analysis/calibration/row_fields.hpp"
#include "models/errors.hpp"
#include "models/measured_speed_law.hpp"

namespace fleetcast::analysis {

namespace {

constexpr double question_answering_sequence = 384;  // of the SQuAD scripts that all sources run

/// "NVIDIA DeepLearningExamples" is "deep-learning-examples", "Lambda deep learning benchmark" is "lambda".
std::string source_id(const std::string& source) {
  if (source.starts_with("NVIDIA DeepLearningExamples")) return "deep-learning-examples";
  if (source.starts_with("Lambda")) return "lambda";
  return source;
}

/// Without the row of the table, which the row's own id stands for.
std::string address_of(const CsvLine& line) {
  const std::string whole = text_in(line, "source_ref");
  return whole.substr(0, whole.find(" row "));
}

std::string reference_of(const CsvLine& line, std::vector<models::MeasuredSource>& sources) {
  const std::string address = address_of(line);
  const auto known = std::ranges::find(sources, address, &models::MeasuredSource::address);
  if (known != sources.end()) return known->id;
  models::MeasuredSource source;
  source.id = "S" + std::to_string(sources.size() + 1);
  source.address = address;
  source.provenance = {text_in(line, "source"), text_in(line, "year"), "part"};
  sources.push_back(source);
  return source.id;
}

std::string unfit(const CsvLine& line, const std::set<std::string>& suspicious) {
  if (suspicious.contains(text_in(line, "id"))) return "listed as suspicious";
  if (field_or(line, "samples_per_s_per_gpu", 0.0) <= 0.0) return "no samples per second";
  if (field_or(line, "n_gpus", 0.0) < 1.0) return "no number of GPUs";
  return {};
}

}  // namespace

std::optional<models::SpeedConditions> speed_conditions(const CsvLine& line, const std::vector<models::GpuSpec>& gpus) {
  const models::GpuSpec* gpu = models::gpu_named(text_in(line, "gpu"), gpus);
  const auto precision = models::precision_from(text_in(line, "precision"));
  if (!gpu || !precision || !gpu->peak(*precision)) return std::nullopt;
  models::SpeedConditions at;
  at.model = text_in(line, "model");
  at.task = text_in(line, "task");
  at.source = source_id(text_in(line, "source"));
  at.gpu = gpu->id;
  at.precision = *precision;
  at.gpus = count_or(line, "n_gpus", 0.0);
  const double node = count_or(line, "gpus_per_node", 0.0);
  at.gpus_per_node = std::max(8.0, node);  // a job on part of a machine
  const double sequence = count_or(line, "seq_len", 0.0);
  const bool silent = text_in(line, "task") == "sft" && text_in(line, "sample_unit") == "sequences" && sequence <= 0;
  at.sequence = silent ? question_answering_sequence : sequence;
  at.batch_per_gpu = count_or(line, "micro_batch", 0.0);
  return at;
}

MeasuredSpeedRows read_measured_speeds(const std::string& measured, const std::string& suspicious,
                                       const std::vector<models::GpuSpec>& gpus) {
  std::set<std::string> doubtful;
  for (const CsvLine& line : read_csv(suspicious)) doubtful.insert(text_in(line, "id"));
  MeasuredSpeedRows read;
  for (const CsvLine& line : read_csv(measured)) {
    std::string reason = unfit(line, doubtful);
    const auto conditions = reason.empty() ? speed_conditions(line, gpus) : std::nullopt;
    if (reason.empty() && !conditions) reason = "GPU or precision not in the catalog";
    if (!reason.empty()) {
      ++read.skipped[reason];
      continue;
    }
    read.rows.push_back({text_in(line, "id"), *conditions, field_or(line, "samples_per_s_per_gpu", 0.0),
                         text_in(line, "sample_unit"), reference_of(line, read.sources)});
  }
  return read;
}

}  // namespace fleetcast::analysis
