#include "analysis/calibration/throughput_file.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "models/compute.hpp"

namespace fleetcast::analysis {

namespace {

using Json = nlohmann::ordered_json;

/// Five digits are more than the fit knows, and keep the file stable over compilers.
double rounded(double value) {
  if (value == 0.0 || !std::isfinite(value)) return 0.0;
  const double digits = 4.0 - std::floor(std::log10(std::abs(value))), scale = std::pow(10.0, std::abs(digits));
  return digits >= 0.0 ? std::round(value * scale) / scale : std::round(value / scale) * scale;
}

Json parameter_json(const FittedParameter& parameter) {
  return {{"name", parameter.name},
          {"value", rounded(parameter.value)},
          {"low", rounded(parameter.low)},
          {"high", rounded(parameter.high)},
          {"prior", rounded(parameter.prior)},
          {"prior_low", rounded(parameter.prior_low)},
          {"prior_high", rounded(parameter.prior_high)},
          {"unit", parameter.unit},
          {"about", parameter.about}};
}

Json error_json(const std::string& left_out, const std::string& what, const ErrorStatistics& errors) {
  return {{"left_out", left_out},         {"what", what},
          {"rows", errors.rows},          {"median", rounded(errors.median)},
          {"mean", rounded(errors.mean)}, {"p90", rounded(errors.p90)},
          {"bias", rounded(errors.bias)}, {"coverage90", rounded(errors.coverage90)}};
}

void add_errors(Json& list, const std::string& left_out, const Score& score) {
  if (const auto all = error_statistics(score.scored)) list.push_back(error_json(left_out, "all", *all));
  for (const ErrorGroup& group : error_groups(score))
    if (group.by != "grade") list.push_back(error_json(left_out, group.name, group.statistics));
}

Json row_json(const ThroughputRow& row) {
  return {{"id", row.id},
          {"model", row.model},
          {"gpu", row.gpu},
          {"precision", models::name_of(row.question.precision)},
          {"mixture", row.mixture()},
          {"params", rounded(models::active_parameters(row.question.shape))},
          {"gpus", row.gpus()},
          {"sequence", row.question.sequence_length},
          {"tokens_per_s_per_gpu", row.measured}};
}

std::string percent(double share) {
  return std::to_string(std::lround(1000.0 * share) / 10) + "." +
         std::to_string(std::lround(1000.0 * std::abs(share)) % 10) + " %";
}

std::string statement(const CalibrationReport& report) {
  std::string text;
  for (const auto& [what, score] : report.cross_validation)
    if (const auto errors = error_statistics(score.scored))
      text += (text.empty() ? "" : " ") + std::string{"With "} + what + ", " + std::to_string(errors->rows) +
              " rows are predicted within " + percent(errors->median) + " (median), nine in ten within " +
              percent(errors->p90) + "; the 90 % intervals hold " + percent(errors->coverage90) + ".";
  return text;
}

std::string sources_of(const StudyRows& rows) {
  std::set<std::string> names;
  for (const auto* list : {&rows.judged, &rows.beside})
    for (const ThroughputRow& row : *list) names.insert(row.source);
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : "; ") + name;
  return text;
}

/// "measurements of 2021 to 2026", the years of the software.
std::string span_of(const StudyRows& rows) {
  double first = 3000.0, last = 0.0;
  for (const ThroughputRow& row : rows.judged) {
    first = std::min(first, row.work.year);
    last = std::max(last, row.work.year);
  }
  return "measurements of " + std::to_string(static_cast<int>(first)) + " to " + std::to_string(static_cast<int>(last));
}

/// One entry a line: the file is read by people, too.
std::string lines_of(const Json& list) {
  std::string text = "[";
  for (std::size_t at = 0; at < list.size(); ++at) text += (at > 0 ? ",\n    " : "\n    ") + list[at].dump();
  return text + "\n  ]";
}

}  // namespace

std::string throughput_file(const StudyRows& rows, const ThroughputStudy& study, const CalibrationReport& report,
                            const std::string& origin) {
  double newest = 0.0;
  Json parameters = Json::array(), spreads = Json::array(), errors = Json::array(), list = Json::array();
  for (const FittedParameter& parameter : report.parameters) parameters.push_back(parameter_json(parameter));
  for (const models::ThroughputSpread& spread : study.spreads)
    spreads.push_back({{"kind", spread.kind},
                       {"known", rounded(spread.known)},
                       {"unseen", rounded(spread.unseen)},
                       {"contrast", rounded(spread.contrast)}});
  for (const auto& [what, score] : report.cross_validation) add_errors(errors, what, score);
  for (const ThroughputRow& row : rows.judged) {
    list.push_back(row_json(row));
    newest = std::max(newest, row.work.year);
  }
  Json skipped = Json::object();
  for (const SkippedReason& reason : skipped_reasons(report.skipped)) skipped[reason.reason] = reason.rows;
  const auto text = [](const std::string& value) { return Json(value).dump(); };
  return "{\n  \"format\": \"fleetcast-throughput-1\",\n  \"about\": " +
         text(
             "Constants of the step model, fitted on published training throughputs. Made by `fleetcast calibrate "
             "throughput " +
             origin + "`; do not edit.") +
         ",\n  \"source\": " + text(sources_of(rows)) + ",\n  \"date\": " + text(span_of(rows)) +
         ",\n  \"error_statement\": " + text(statement(report)) + ",\n  \"newest\": " + Json(rounded(newest)).dump() +
         ",\n  \"rows_skipped\": " + skipped.dump() + ",\n  \"parameters\": " + lines_of(parameters) +
         ",\n  \"spreads\": " + lines_of(spreads) + ",\n  \"left_out_errors\": " + lines_of(errors) +
         ",\n  \"rows\": " + lines_of(list) + "\n}\n";
}

}  // namespace fleetcast::analysis
