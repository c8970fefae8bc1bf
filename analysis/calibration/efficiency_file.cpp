#include "analysis/calibration/efficiency_file.hpp"

#include <charconv>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "analysis/calibration/efficiency_errors.hpp"
#include "analysis/calibration/efficiency_fit.hpp"

namespace fleetcast::analysis {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* source =
    "1,069 published training throughputs, collected by hand: NVIDIA Megatron-Bridge, dgxc-benchmarking and NeMo "
    "performance tables, NVIDIA DeepLearningExamples (BERT), mosaicml/llm-foundry, IBM fms-fsdp, Together AI cluster "
    "reports, Megatron-LM 2021, Korthikanti et al. 2022, and single remarks";
constexpr const char* date = "measurements of 2020 to August 2026, collected in 2026";
constexpr const char* about =
    "Achieved efficiency: model FLOPs (6 x active matrix parameters + causal attention, no recompute) over the dense "
    "peak of the precision, by GPU, precision, kind and size class. Made by fleetcast_fit_efficiency; do not edit.";

double rounded(double value, int digits = 5) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  double result = 0.0;
  std::from_chars(text, text + sizeof text, result);
  return result;
}

/// Whole numbers without a point, so that files and people agree on what is exact.
Json number(double value) {
  const double short_value = rounded(value);
  if (short_value == static_cast<double>(static_cast<std::int64_t>(short_value)))
    return static_cast<std::int64_t>(short_value);
  return short_value;
}

Json json_of(const models::EfficiencyCell& cell) {
  return {{"gpu", cell.gpu},
          {"precision", models::name_of(cell.precision)},
          {"kind", cell.kind},
          {"params_low", number(cell.params_low)},
          {"params_high", number(cell.params_high)},
          {"params_center", number(cell.params_center)},
          {"efficiency", rounded(cell.efficiency, 4)},
          {"attention_share", rounded(cell.attention_share, 4)},
          {"log_sd", rounded(cell.log_sd, 3)},
          {"rows", cell.rows},
          {"groups", cell.groups},
          {"gpus_low", number(cell.gpus_low)},
          {"gpus_high", number(cell.gpus_high)},
          {"sequence_low", number(cell.sequence_low)},
          {"sequence_high", number(cell.sequence_high)},
          {"peak_tflops", number(cell.peak.value() / 1e12)},
          {"memory_gb_per_s", number(cell.memory_rate.value() / 1e9)}};
}

Json json_of(const models::MeasuredRow& row) {
  return {{"id", row.id},
          {"model", row.model},
          {"gpu", row.gpu},
          {"precision", models::name_of(row.precision)},
          {"moe", row.moe},
          {"params", number(row.params)},
          {"gpus", number(row.gpus)},
          {"sequence", number(row.sequence_length)},
          {"tokens_per_s_per_gpu", number(row.tokens_per_s_per_gpu)}};
}

Json json_of(const LeftOutErrors& errors) {
  return {{"what", errors.what},
          {"rows", errors.rows},
          {"median", rounded(errors.median, 3)},
          {"mean", rounded(errors.mean, 3)},
          {"p90", rounded(errors.p90, 3)},
          {"bias", rounded(errors.bias, 2)},
          {"coverage90", rounded(errors.coverage90, 3)}};
}

/// A list with one item on each line: the file is read by people and compared by diff.
template <class Items>
std::string lines_of(const char* name, const Items& items) {
  std::string text = std::string{"  \""} + name + "\": [";
  const char* separator = "\n    ";
  for (const auto& item : items) {
    text += separator + json_of(item).dump();
    separator = ",\n    ";
  }
  return text + "\n  ]";
}

std::string line_of(const char* name, const Json& value) {
  return std::string{"  \""} + name + "\": " + value.dump() + ",\n";
}

std::string percent(double share) {
  char text[16];
  std::snprintf(text, sizeof text, "%.1f %%", 100.0 * share);
  return text;
}

std::string statement_of(const LeftOutErrors& all) {
  return "On " + std::to_string(all.rows) +
         " rows whose source and model were left out of the fit: median error of the speed " + percent(all.median) +
         ", mean " + percent(all.mean) + ", nine in ten below " + percent(all.p90) + ", bias " + percent(all.bias) +
         "; the 90 % interval holds " + percent(all.coverage90) + ".";
}

Json stacks_of(const EfficiencyFit& fit) {
  return {{"tuned", rounded(fit.stack_effects[static_cast<std::size_t>(Stack::tuned)], 3)},
          {"ordinary", rounded(fit.stack_effects[static_cast<std::size_t>(Stack::ordinary)], 3)},
          {"early", rounded(fit.stack_effects[static_cast<std::size_t>(Stack::early)], 3)}};
}

}  // namespace

std::string efficiency_file(const std::string& measured, const std::string& suspicious,
                            const models::Catalog& catalog) {
  const EfficiencyRows rows = read_efficiency_rows(measured, suspicious, catalog);
  const EfficiencyFit fit = fit_efficiency(rows.rows, catalog);
  const std::vector<LeftOutErrors> errors = left_out_errors(rows.rows, catalog);
  Json skipped = Json::object();
  for (const auto& [reason, count] : rows.skipped) skipped[reason] = count;
  return "{\n" + line_of("format", "fleetcast-calibration-1") + line_of("about", about) + line_of("source", source) +
         line_of("date", date) + line_of("error_statement", errors.empty() ? "no rows" : statement_of(errors.front())) +
         line_of("rows_skipped", skipped) + line_of("stack_effects", stacks_of(fit)) +
         line_of("attention_slope", rounded(fit.table.attention_slope, 4)) +
         line_of("log_sd_common", rounded(fit.table.log_sd_common, 3)) + lines_of("left_out_errors", errors) + ",\n" +
         lines_of("cells", fit.table.cells) + ",\n" + lines_of("rows", fit.table.rows) + "\n}\n";
}

}  // namespace fleetcast::analysis
