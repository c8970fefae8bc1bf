// measured_speed.json, measured rows and constants of models that are no language models.
#include <array>

#include "scenarios/catalog_entry.hpp"
#include "scenarios/catalog_files.hpp"
#include "scenarios/catalog_lists.hpp"

namespace fleetcast::scenarios::catalog {

namespace {

using models::SpeedFactor;

constexpr std::string_view measured_speed_format = "fleetcast-measured-speed-1";

double at_least(Entry& entry, const std::string& key, double least) {
  const double value = entry.number(key);
  if (value < least) entry.fault(key, "must be at least " + std::to_string(static_cast<int>(least)));
  return value;
}

double above_zero(Entry& entry, const std::string& key) {
  const double value = entry.number(key);
  if (value <= 0.0) entry.fault(key, "must be above 0");
  return value;
}

double number_or(Entry& entry, const std::string& key, double fallback) {
  return entry.has(key) ? above_zero(entry, key) : fallback;
}

std::string named(Entry& entry, const std::string& key) {
  std::string text = entry.text(key);
  if (text.empty()) entry.fault(key, "must not be empty");
  return text;
}

models::Precision read_precision(Entry& entry) {
  const std::string name = entry.text("precision");
  const auto precision = models::precision_from(name);
  if (!precision || models::bits_of(*precision) < 16)
    entry.fault("precision", "is \"" + name + "\"", "fp32 tf32 fp16 bf16");
  return precision.value_or(models::Precision::fp16);
}

models::MeasuredSource read_source(Entry& entry) {
  models::MeasuredSource source;
  source.id = named(entry, "id");
  source.address = named(entry, "address");
  source.provenance = entry.provenance();
  entry.close();
  return source;
}

models::MeasuredSpeedEntry read_row(Entry& entry) {
  models::MeasuredSpeedEntry row;
  row.id = named(entry, "id");
  row.at.model = named(entry, "model");
  row.at.task = entry.text("task");
  row.at.source = named(entry, "source");
  row.at.gpu = named(entry, "gpu");
  row.at.precision = read_precision(entry);
  row.at.gpus = at_least(entry, "gpus", 1.0);
  row.at.gpus_per_node = number_or(entry, "gpus_per_node", 8.0);
  row.at.sequence = number_or(entry, "sequence", 0.0);
  row.at.batch_per_gpu = number_or(entry, "batch", 0.0);
  row.samples_per_s_per_gpu = above_zero(entry, "per_s_per_gpu");
  row.unit = named(entry, "unit");
  row.reference = named(entry, "reference");
  entry.close();
  return row;
}

models::FittedConstant read_constant(Entry& entry) {
  const models::FittedConstant constant{above_zero(entry, "value"), above_zero(entry, "low"), entry.number("high")};
  if (constant.low > constant.value || constant.high < constant.value)
    entry.fault("value", "lies outside of its interval");
  entry.close();
  return constant;
}

models::FittedConstant constant_at(Entry& entry, const std::string& key) {
  Entry inner = entry.object(key);
  return read_constant(inner);
}

models::SpeedWork read_work(Entry& entry) {
  models::SpeedWork work;
  work.model = named(entry, "model");
  work.unit = named(entry, "unit");
  work.rows = static_cast<int>(entry.count("rows"));
  work.level = entry.number("level");
  work.matrix = constant_at(entry, "matrix");
  work.memory = constant_at(entry, "memory");
  work.host = constant_at(entry, "host");
  work.step = constant_at(entry, "step");
  work.several = constant_at(entry, "several");
  work.nodes = constant_at(entry, "nodes");
  work.reference_batch = entry.number("reference_batch");
  entry.close();
  return work;
}

/// The position of a name in a list; notes a fault, and gives the first, if it is not there.
template <std::size_t Count>
std::size_t one_of(Entry& entry, const std::string& key, const std::array<std::string_view, Count>& names) {
  const std::string found = entry.text(key);
  std::string allowed;
  for (std::size_t at = 0; at < Count; ++at) {
    if (found == names[at]) return at;
    allowed += (at > 0 ? ", " : "") + std::string{names[at]};
  }
  entry.fault(key, "is \"" + found + "\"", allowed);
  return 0;
}

SpeedFactor read_factor(Entry& entry) {
  constexpr std::array<std::string_view, 3> kinds{"16 bit", "tf32", "fp32"};
  constexpr std::array<std::string_view, 4> generations{"volta", "ampere", "hopper", "blackwell"};
  SpeedFactor factor;
  factor.of = static_cast<SpeedFactor::Of>(one_of(entry, "of", kinds));
  factor.generation = static_cast<models::Generation>(one_of(entry, "generation", generations));
  factor.factor = constant_at(entry, "factor");
  entry.close();
  return factor;
}

models::SpeedSpread read_spread(Entry entry) {
  models::SpeedSpread spread{.setup = entry.number("setup"),
                             .gpu = entry.number("gpu"),
                             .gpu_source = entry.number("gpu_source"),
                             .width_source = entry.number("width_source"),
                             .gpu_width = entry.number("gpu_width"),
                             .count = entry.number("count"),
                             .cell = entry.number("cell"),
                             .row = above_zero(entry, "row")};
  entry.close();
  return spread;
}

models::SpeedError read_error(Entry& entry) {
  models::SpeedError error;
  error.what = named(entry, "what");
  error.rows = static_cast<int>(entry.count("rows"));
  error.median = entry.number("median");
  error.mean = entry.number("mean");
  error.p90 = entry.number("p90");
  error.bias = entry.number("bias");
  error.coverage90 = entry.number("coverage90");
  entry.close();
  return error;
}

}  // namespace

models::MeasuredSpeedTable read_measured_speed(const File& file, Faults& faults) {
  const std::optional<Node> document = parse_object(file, faults);
  if (!document) return {};
  Entry root{*document, file.name, "", faults};
  check_format(root, measured_speed_format);
  root.text("about");
  root.numbers("rows_skipped");
  models::MeasuredSpeedTable table;
  for (Entry& entry : root.list("left_out_errors")) table.left_out_errors.push_back(read_error(entry));
  table.spread = read_spread(root.object("spread"));
  for (Entry& entry : root.list("works")) table.works.push_back(read_work(entry));
  for (Entry& entry : root.list("factors")) table.factors.push_back(read_factor(entry));
  for (Entry& entry : root.list("sources")) table.sources.push_back(read_source(entry));
  for (Entry& entry : root.list("rows")) table.rows.push_back(read_row(entry));
  root.close();
  return table;
}

}  // namespace fleetcast::scenarios::catalog
