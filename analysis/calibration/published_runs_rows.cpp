#include "analysis/calibration/published_runs_rows.hpp"

#include <optional>
#include <variant>

#include "analysis/calibration/csv_faults.hpp"
#include "analysis/calibration/published_runs_question.hpp"
#include "analysis/calibration/published_runs_shape.hpp"
#include "analysis/calibration/row_fields.hpp"
#include "analysis/calibration/row_layout.hpp"

namespace fleetcast::analysis {

namespace {

constexpr std::string_view needed[] = {"run_id", "model",     "kind",      "params_b",    "tokens_b",
                                       "gpu",    "precision", "gpu_hours", "parallelism", "usable"};
/// Why a row is no run of a language model with known GPU-hours; empty if it is one.
std::string unfit(const CsvLine& line) {
  const std::string kind = text_in(line, "kind");
  if (kind != "gpu") return kind == "tpu" ? "TPUs" : "not a GPU";
  if (usable_group(line) == "no") return "not usable, as the table says";
  if (says(words_about(line), "encoder-decoder")) return "encoder with decoder: work not modelled";
  if (says(words_about(line), "diffusion|U-Net|images")) return "images: no tokens";
  if (field_or(line, "gpu_hours", 0.0) <= 0.0) return "no GPU-hours";
  if (field_or(line, "tokens_b", 0.0) <= 0.0) return "no number of tokens";
  return {};
}

/// "fp8/bf16" is the first of the two.
std::optional<models::Precision> run_precision(const CsvLine& line) {
  const std::string text = text_in(line, "precision");
  return precision_in(text.substr(0, text.find('/')));
}

/// The run, or the reason why there is none.
std::variant<PublishedRun, std::string> run_or_reason(const CsvLine& line, const models::Catalog& catalog) {
  std::string reason = unfit(line);
  if (!reason.empty()) return reason;
  const models::GpuSpec* gpu = catalog.gpu(text_in(line, "gpu"));
  if (!gpu) return "GPU not in the catalog: " + text_in(line, "gpu");
  const auto precision = run_precision(line);
  if (!precision || !gpu->peak(*precision))
    return "precision that the GPU does not have: " + text_in(line, "precision");
  auto shape = run_shape(line, catalog);
  if (!shape) return std::string{"no public shape of the model"};
  if (run_sequence_length(line, *shape) <= 0.0) return std::string{"no sequence length"};
  return published_run(line, *gpu, *precision, *std::move(shape));
}

/// Other readers of rows call these columns `id` and `notes`.
CsvLine renamed(CsvLine line) {
  line.fields["id"] = text_in(line, "run_id");
  line.fields["notes"] = text_in(line, "note");
  return line;
}

}  // namespace

PublishedRuns read_published_runs(const std::string& path, const models::Catalog& catalog) {
  const std::vector<CsvLine> lines = read_csv(path);
  require_columns(path, lines, needed);
  PublishedRuns found;
  found.in_file = lines.size();
  for (const CsvLine& line : lines) try {
      auto run = run_or_reason(renamed(line), catalog);
      if (auto* reason = std::get_if<std::string>(&run))
        found.skipped.push_back({text_in(line, "run_id"), std::move(*reason)});
      else
        found.runs.push_back(std::get<PublishedRun>(std::move(run)));
    } catch (const models::InputError& error) {
      rethrow_at(path, line.number, error);
    }
  return found;
}

}  // namespace fleetcast::analysis
