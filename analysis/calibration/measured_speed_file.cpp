#include "analysis/calibration/measured_speed_file.hpp"

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "analysis/calibration/measured_speed_errors.hpp"
#include "analysis/calibration/measured_speed_fit.hpp"
#include "analysis/calibration/measured_speed_rows.hpp"
#include "models/errors.hpp"

namespace fleetcast::analysis {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* about =
    "Published training speeds of models that are not described by a language model's shape, per GPU, and constants "
    "that carry them to another GPU, precision, count or batch. Made by fleetcast_fit_measured_speed; do not edit.";

double rounded(double value, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  double result = 0.0;
  std::from_chars(text, text + sizeof text, result);
  return result;
}

/// Whole numbers without a point.
Json number(double value, int digits = 7) {
  const double short_value = rounded(value, digits);
  const auto whole = static_cast<std::int64_t>(short_value);
  if (short_value == static_cast<double>(whole)) return whole;
  return short_value;
}

Json interval(const models::FittedConstant& constant) {
  return {
      {"value", rounded(constant.value, 4)}, {"low", rounded(constant.low, 2)}, {"high", rounded(constant.high, 2)}};
}

Json json_of(const models::MeasuredSource& source) {
  return {{"id", source.id},
          {"address", source.address},
          {"source", source.provenance.source},
          {"date", source.provenance.date},
          {"check", source.provenance.check}};
}

/// What is not known is left out.
Json json_of(const models::MeasuredSpeedEntry& row) {
  Json made{{"id", row.id},
            {"model", row.at.model},
            {"task", row.at.task},
            {"source", row.at.source},
            {"gpu", row.at.gpu},
            {"precision", models::name_of(row.at.precision)},
            {"gpus", number(row.at.gpus)}};
  if (row.at.gpus_per_node != 8) made["gpus_per_node"] = number(row.at.gpus_per_node);
  if (row.at.sequence > 0) made["sequence"] = number(row.at.sequence);
  if (row.at.batch_per_gpu > 0) made["batch"] = number(row.at.batch_per_gpu);
  made["per_s_per_gpu"] = number(row.samples_per_s_per_gpu);
  made["unit"] = row.unit;
  made["reference"] = row.reference;
  return made;
}

Json json_of(const models::SpeedWork& work) {
  return {{"model", work.model},
          {"unit", work.unit},
          {"rows", work.rows},
          {"level", rounded(work.level, 6)},
          {"matrix", interval(work.matrix)},
          {"memory", interval(work.memory)},
          {"host", interval(work.host)},
          {"step", interval(work.step)},
          {"several", interval(work.several)},
          {"nodes", interval(work.nodes)},
          {"reference_batch", number(work.reference_batch)}};
}

Json json_of(const models::SpeedFactor& factor) {
  const bool half = factor.of == models::SpeedFactor::Of::half, tf32 = factor.of == models::SpeedFactor::Of::tf32;
  constexpr const char* generations[]{"volta", "ampere", "hopper", "blackwell"};
  return {{"of", half   ? "16 bit"
                 : tf32 ? "tf32"
                        : "fp32"},
          {"generation", generations[static_cast<std::size_t>(factor.generation)]},
          {"factor", interval(factor.factor)}};
}

Json json_of(const models::SpeedSpread& spread) {
  return {{"setup", spread.setup},
          {"gpu", spread.gpu},
          {"gpu_source", spread.gpu_source},
          {"width_source", spread.width_source},
          {"gpu_width", spread.gpu_width},
          {"count", spread.count},
          {"cell", spread.cell},
          {"row", spread.row}};
}

Json json_of(const models::SpeedError& error) {
  return {{"what", error.what},
          {"rows", error.rows},
          {"median", rounded(error.median, 3)},
          {"mean", rounded(error.mean, 3)},
          {"p90", rounded(error.p90, 3)},
          {"bias", rounded(error.bias, 2)},
          {"coverage90", rounded(error.coverage90, 3)}};
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

}  // namespace

std::string measured_speed_file(const std::string& measured, const std::string& suspicious,
                                const models::Catalog& catalog) {
  const MeasuredSpeedRows read = read_measured_speeds(measured, suspicious, catalog.gpus);
  const models::MeasuredSpeedTable table = fit_measured_speeds(read.rows, catalog.gpus);
  const auto errors = measured_speed_errors(read.rows, catalog.gpus);
  Json skipped = Json::object();
  for (const auto& [reason, count] : read.skipped) skipped[reason] = count;
  return "{\n" + line_of("format", "fleetcast-measured-speed-1") + line_of("about", about) +
         line_of("rows_skipped", skipped) + lines_of("left_out_errors", errors) + ",\n" +
         line_of("spread", json_of(table.spread)) + lines_of("works", table.works) + ",\n" +
         lines_of("factors", table.factors) + ",\n" + lines_of("sources", read.sources) + ",\n" +
         lines_of("rows", table.rows) + "\n}\n";
}

void write_measured_speed(const std::string& measured, const std::string& suspicious, const models::Catalog& catalog,
                          const std::string& path) {
  const std::string text = measured_speed_file(measured, suspicious, catalog);
  std::ofstream file{path, std::ios::binary};
  file << text << std::flush;
  if (!file) throw models::OutputError{path + " could not be written"};
}

}  // namespace fleetcast::analysis
