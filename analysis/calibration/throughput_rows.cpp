#include "analysis/calibration/throughput_rows.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <regex>
#include <variant>

#include "analysis/calibration/csv_faults.hpp"
#include "analysis/calibration/row_fields.hpp"
#include "analysis/calibration/row_layout.hpp"
#include "analysis/calibration/row_shape.hpp"

namespace fleetcast::analysis {

namespace {

constexpr std::string_view needed[] = {
    "id", "source", "gpu", "n_gpus", "precision", "task", "model", "seq_len", "tokens_per_s_per_gpu"};

/// Why a row is no step of a transformer with a known speed; empty if it is one.
std::string unfit(const CsvLine& line) {
  const std::string task = text_in(line, "task");
  if (task != "pretrain" && task != "sft" && task != "lora" && task != "bert") return "task " + task;
  if (field_or(line, "tokens_per_s_per_gpu", 0.0) <= 0.0) return "no tokens per second";
  if (!count_in(line, "seq_len")) return "no sequence length";
  if (!count_in(line, "n_gpus")) return "no number of GPUs";
  return {};
}

/// The H100 with 96 GB of slower memory is told from the others by its memory alone.
const models::GpuSpec* gpu_of(const CsvLine& line, const models::Catalog& catalog) {
  const std::string name = text_in(line, "gpu");
  if (name.starts_with("H100") && std::abs(field_or(line, "gpu_mem_gb", 0.0) - 96.0) < 1.0)
    if (const auto* variant = catalog.gpu("H100-96GB")) return variant;
  return catalog.gpu(name);
}

models::TrainingTask task_of(const CsvLine& line) {
  const std::string task = text_in(line, "task");
  if (task == "lora") return models::TrainingTask::lora;
  return task == "sft" ? models::TrainingTask::finetune : models::TrainingTask::pretrain;
}

std::string configuration_of(const CsvLine& line) {
  std::string key;
  for (const char* name : {"source", "model", "gpu", "precision", "n_gpus", "seq_len", "task"})
    key += text_in(line, name) + "|";
  return key;
}

ThroughputRow row_of(const CsvLine& line, const models::GpuSpec& gpu, models::Precision precision,
                     models::TransformerShape shape) {
  ThroughputRow row;
  row.id = text_in(line, "id");
  row.source = text_in(line, "source");
  row.model = text_in(line, "model");
  row.family = std::regex_replace(row.model, std::regex{"-proxy.*"}, "");
  row.gpu = gpu.id;
  row.task = text_in(line, "task");
  row.configuration = configuration_of(line);
  row.measured = *field(line, "tokens_per_s_per_gpu");
  models::StepQuestion& question = row.question;
  question.shape = std::move(shape);
  question.gpu = gpu;
  question.precision = precision;
  question.sequence_length = *field(line, "seq_len");
  question.software = software_of(line);
  question.links = links_of(line, gpu);
  question.task = task_of(line);
  question.packed = question.task != models::TrainingTask::pretrain &&
                    question.software.stack == models::Stack::tuned && question.shape.causal;
  question.fused_attention = has_fused_attention(question);
  question.imbalance = 1.0;
  fill_layout(line, question);
  row.work = models::workpiece_of(question);
  row.work.gpus = *field(line, "n_gpus");
  const auto& layout = question.layout;
  row.tokens_per_step = layout.micro_batch * layout.micro_batches * question.sequence_length * row.work.data;
  return row;
}

void add_weights(std::vector<ThroughputRow>& rows) {
  std::map<std::string, int> repeats;
  for (const ThroughputRow& row : rows) ++repeats[row.configuration];
  for (ThroughputRow& row : rows) row.weight = 1.0 / repeats[row.configuration];
}

/// The row, or the reason why there is none.
std::variant<ThroughputRow, std::string> row_or_reason(const CsvLine& line, const models::Catalog& catalog) {
  std::string reason = unfit(line);
  if (!reason.empty()) return reason;
  const models::GpuSpec* gpu = gpu_of(line, catalog);
  if (!gpu) return "GPU not in the catalog: " + text_in(line, "gpu");
  const auto precision = precision_in(text_in(line, "precision"));
  if (!precision || !gpu->peak(*precision))
    return "precision that the GPU does not have: " + text_in(line, "precision");
  auto shape = row_shape(line, catalog);
  if (!shape) return std::string{"no public shape of the model"};
  return row_of(line, *gpu, *precision, *std::move(shape));
}

}  // namespace

ThroughputRows read_throughput_rows(const std::string& path, const models::Catalog& catalog) {
  const std::vector<CsvLine> lines = read_csv(path);
  require_columns(path, lines, needed);
  ThroughputRows found;
  found.in_file = lines.size();
  for (const CsvLine& line : lines) try {
      auto row = row_or_reason(line, catalog);
      if (auto* reason = std::get_if<std::string>(&row)) {
        found.skipped.push_back({text_in(line, "id"), std::move(*reason)});
        found.skipped_lines.push_back(line);
      } else
        found.rows.push_back(std::get<ThroughputRow>(std::move(row)));
    } catch (const models::InputError& error) {
      rethrow_at(path, line.number, error);
    }
  add_weights(found.rows);
  return found;
}

}  // namespace fleetcast::analysis
