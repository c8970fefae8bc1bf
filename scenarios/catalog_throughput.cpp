// throughput.json, the calibration of the step model.
#include <algorithm>

#include "scenarios/catalog_entry.hpp"
#include "scenarios/catalog_files.hpp"
#include "scenarios/catalog_lists.hpp"

namespace fleetcast::scenarios::catalog {

namespace {

constexpr std::string_view calibration_format = "fleetcast-throughput-1";

double positive(Entry& entry, const std::string& key) {
  const double value = entry.number(key);
  if (value <= 0.0) entry.fault(key, "must be above 0");
  return value;
}

models::Precision read_precision(Entry& entry) {
  const std::string name = entry.text("precision");
  const auto precision = models::precision_from(name);
  if (!precision) entry.fault("precision", "is \"" + name + "\"", "fp32 tf32 fp16 bf16 fp8 mxfp8 mxfp4 nvfp4");
  return precision.value_or(models::Precision::bf16);
}

/// Every constant of the step model once, by name; interval and prior are for people.
models::ThroughputParameters read_parameters(Entry& root) {
  models::ThroughputParameters parameters;
  std::vector<std::string> seen;
  for (Entry& entry : root.list("parameters")) {
    const std::string name = entry.text("name");
    const auto known = std::ranges::find(models::parameter_list(), name, &models::ParameterInfo::name);
    if (known == models::parameter_list().end())
      entry.fault("name", "is no constant of the step model: \"" + name + "\"");
    else
      parameters.*known->value = known->logarithmic ? positive(entry, "value") : entry.number("value");
    for (const char* key : {"low", "high", "prior", "prior_low", "prior_high"}) entry.number(key);
    for (const char* key : {"unit", "about"}) entry.text(key);
    entry.close();
    seen.push_back(name);
  }
  for (const models::ParameterInfo& info : models::parameter_list())
    if (std::ranges::count(seen, info.name) != 1)
      root.fault("parameters", "must hold " + std::string{info.name} + " exactly once");
  return parameters;
}

models::ThroughputSpread read_spread(Entry& entry) {
  models::ThroughputSpread spread;
  spread.kind = entry.text("kind");
  spread.known = positive(entry, "known");
  spread.unseen = positive(entry, "unseen");
  spread.contrast = entry.number("contrast");
  entry.close();
  return spread;
}

models::MeasuredRow read_row(Entry& entry) {
  models::MeasuredRow row;
  row.id = entry.text("id");
  row.model = entry.text("model");
  row.gpu = entry.text("gpu");
  row.precision = read_precision(entry);
  row.mixture = entry.flag_or("mixture", false);
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
    for (const char* key : {"left_out", "what"}) entry.text(key);
    for (const char* key : {"rows", "median", "mean", "p90", "bias", "coverage90"}) entry.number(key);
    entry.close();
  }
  root.numbers("rows_skipped");
}

}  // namespace

models::ThroughputCalibration read_throughput(const File& file, Faults& faults) {
  const std::optional<Node> document = parse_object(file, faults);
  if (!document) return {};
  Entry root{*document, file.name, "", faults};
  check_format(root, calibration_format);
  root.text("about");
  models::ThroughputCalibration calibration;
  calibration.source = root.text("source");
  calibration.date = root.text("date");
  calibration.error_statement = root.text("error_statement");
  if (calibration.source.empty() || calibration.date.empty()) root.fault("", "a calibration needs a source and a date");
  calibration.newest = positive(root, "newest");
  check_remarks(root);
  calibration.parameters = read_parameters(root);
  for (Entry& entry : root.list("spreads")) calibration.spreads.push_back(read_spread(entry));
  for (Entry& entry : root.list("rows")) calibration.rows.push_back(read_row(entry));
  root.close();
  return calibration;
}

}  // namespace fleetcast::scenarios::catalog
