#include "analysis/calibration/efficiency_rows.hpp"

#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "analysis/calibration/measured_shape.hpp"
#include "models/errors.hpp"

namespace fleetcast::analysis {

namespace {

Stack stack_of(const CsvLine& line) {
  const std::string_view source = line.at("source");
  for (const std::string_view maker :
       {"NVIDIA Megatron-Bridge", "NVIDIA dgxc-benchmarking", "NVIDIA NeMo", "NVIDIA DGX Station", "Together AI"})
    if (source.starts_with(maker)) return Stack::tuned;
  const bool of_2022 = source.starts_with("Megatron-LM") || source.starts_with("Korthikanti");
  return of_2022 && line.at("activation_ckpt") == "full" ? Stack::early : Stack::ordinary;
}

/// Why a row is no step of a language model with all its weights; empty if it is one.
std::string unfit(const CsvLine& line, const std::set<std::string>& suspicious) {
  const std::string& task = line.at("task");
  if (task == "cv") return "images";
  if (task == "lora") return "trains adapters only";
  if (task != "pretrain" && task != "sft" && task != "bert") return "another kind of task: " + task;
  if (suspicious.contains(line.at("id"))) return "listed as suspicious";
  if (number_in(line, "tokens_per_s_per_gpu") <= 0.0) return "no tokens per second";
  if (number_in(line, "seq_len") <= 0.0) return "no sequence length";
  if (line.at("model").find("proxy") != std::string::npos) return "a stand-in with fewer layers than its model";
  return {};
}

struct Hardware {
  const models::GpuSpec* gpu;
  models::Precision precision;
  double peak;
};

std::optional<Hardware> hardware_of(const CsvLine& line, const models::Catalog& catalog) {
  const models::GpuSpec* gpu = catalog.gpu(line.at("gpu"));
  const auto precision = models::precision_from(line.at("precision"));
  if (!gpu || !precision || !gpu->peak(*precision)) return std::nullopt;
  return Hardware{gpu, *precision, gpu->peak(*precision)->value()};
}

EfficiencyRow row_of(const CsvLine& line, const Hardware& hardware, models::TransformerShape shape) {
  EfficiencyRow row;
  row.row = {line.at("id"),
             line.at("model"),
             hardware.gpu->id,
             hardware.precision,
             shape.experts > 0,
             models::active_parameters(shape),
             number_in(line, "n_gpus"),
             number_in(line, "seq_len"),
             number_in(line, "tokens_per_s_per_gpu")};
  row.group = line.at("source") + " | " + line.at("model");
  row.stack = stack_of(line);
  row.efficiency =
      row.row.tokens_per_s_per_gpu * models::model_flops_per_token(shape, row.row.sequence_length) / hardware.peak;
  row.attention_share = models::attention_share(shape, row.row.sequence_length);
  row.shape = std::move(shape);
  return row;
}

std::set<std::string> suspicious_ids(const std::string& path) {
  std::set<std::string> ids;
  for (const CsvLine& line : read_csv(path)) ids.insert(line.at("id"));
  return ids;
}

void require_columns(const std::string& path, const std::vector<CsvLine>& lines) {
  std::vector<models::Fault> faults;
  for (const char* name :
       {"id", "source", "gpu", "n_gpus", "precision", "task", "model", "params_b", "layers", "hidden", "heads",
        "kv_heads", "ffn", "vocab", "activation_ckpt", "seq_len", "tokens_per_s_per_gpu"})
    if (lines.empty() || !lines.front().contains(name))
      faults.push_back({path, 1, 0, "", std::string{"the column "} + name + " is missing", "", ""});
  if (!faults.empty()) throw models::InputError{std::move(faults)};
}

}  // namespace

EfficiencyRows read_efficiency_rows(const std::string& measured, const std::string& suspicious,
                                    const models::Catalog& catalog) {
  const std::set<std::string> distrusted = suspicious_ids(suspicious);
  const std::vector<CsvLine> lines = read_csv(measured);
  require_columns(measured, lines);
  EfficiencyRows found;
  for (const CsvLine& line : lines) {
    const std::string reason = unfit(line, distrusted);
    const auto hardware = hardware_of(line, catalog);
    auto shape = measured_shape(line, catalog);
    if (!reason.empty())
      ++found.skipped[reason];
    else if (!hardware)
      ++found.skipped["GPU or precision not in the catalog"];
    else if (!shape)
      ++found.skipped["shape not public, or no plain transformer"];
    else
      found.rows.push_back(row_of(line, *hardware, *std::move(shape)));
  }
  return found;
}

}  // namespace fleetcast::analysis
