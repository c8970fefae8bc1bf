// efficiency.json, the calibration of the speed model.
#include "scenarios/catalog_entry.hpp"
#include "scenarios/catalog_files.hpp"
#include "scenarios/catalog_lists.hpp"

namespace fleetcast::scenarios::catalog {

namespace {

constexpr std::string_view calibration_format = "fleetcast-calibration-1";

models::Precision read_precision(Entry& entry) {
  const std::string name = entry.text("precision");
  const auto precision = models::precision_from(name);
  if (!precision) entry.fault("precision", "is \"" + name + "\"", "fp32 tf32 fp16 bf16 fp8 mxfp8 mxfp4 nvfp4");
  return precision.value_or(models::Precision::bf16);
}

double positive(Entry& entry, const std::string& key) {
  const double value = entry.number(key);
  if (value <= 0.0) entry.fault(key, "must be above 0");
  return value;
}

models::EfficiencyCell read_cell(Entry& entry) {
  models::EfficiencyCell cell;
  cell.gpu = entry.text("gpu");
  cell.precision = read_precision(entry);
  cell.kind = entry.text("kind");
  if (cell.kind != "dense" && cell.kind != "moe" && cell.kind != "moe-wide")
    entry.fault("kind", "is \"" + cell.kind + "\"", "dense, moe, moe-wide");
  cell.params_low = entry.number("params_low");
  cell.params_high = positive(entry, "params_high");
  cell.params_center = positive(entry, "params_center");
  cell.efficiency = positive(entry, "efficiency");
  cell.attention_share = entry.number("attention_share");
  cell.log_sd = positive(entry, "log_sd");
  cell.rows = static_cast<int>(entry.count("rows"));
  cell.groups = static_cast<int>(entry.count("groups"));
  cell.gpus_low = positive(entry, "gpus_low");
  cell.gpus_high = positive(entry, "gpus_high");
  cell.sequence_low = positive(entry, "sequence_low");
  cell.sequence_high = positive(entry, "sequence_high");
  cell.peak = models::FlopsPerSecond{positive(entry, "peak_tflops") * 1e12};
  cell.memory_rate = models::BytesPerSecond{positive(entry, "memory_gb_per_s") * 1e9};
  entry.close();
  return cell;
}

models::MeasuredRow read_row(Entry& entry) {
  models::MeasuredRow row;
  row.id = entry.text("id");
  row.model = entry.text("model");
  row.gpu = entry.text("gpu");
  row.precision = read_precision(entry);
  row.moe = entry.flag_or("moe", false);
  row.params = positive(entry, "params");
  row.gpus = positive(entry, "gpus");
  row.sequence_length = positive(entry, "sequence");
  row.tokens_per_s_per_gpu = positive(entry, "tokens_per_s_per_gpu");
  entry.close();
  return row;
}

/// What the fit says about itself for people: read only to be sure that it is whole.
void check_remarks(Entry& root) {
  for (Entry& entry : root.list("left_out_errors")) {
    entry.text("what");
    for (const char* key : {"rows", "median", "mean", "p90", "bias", "coverage90"}) entry.number(key);
    entry.close();
  }
  for (const char* key : {"rows_skipped", "stack_effects"}) root.numbers(key);
}

}  // namespace

models::EfficiencyTable read_efficiency(const File& file, Faults& faults) {
  const std::optional<Node> document = parse_object(file, faults);
  if (!document) return {};
  Entry root{*document, file.name, "", faults};
  check_format(root, calibration_format);
  root.text("about");
  models::EfficiencyTable table;
  table.source = root.text("source");
  table.date = root.text("date");
  table.error_statement = root.text("error_statement");
  if (table.source.empty() || table.date.empty()) root.fault("", "a calibration needs a source and a date");
  table.attention_slope = root.number("attention_slope");
  table.log_sd_common = root.number("log_sd_common");
  check_remarks(root);
  for (Entry& entry : root.list("cells")) table.cells.push_back(read_cell(entry));
  for (Entry& entry : root.list("rows")) table.rows.push_back(read_row(entry));
  root.close();
  return table;
}

}  // namespace fleetcast::scenarios::catalog
