// `calibrate throughput`: fit, leave out, report.
#include <array>
#include <cmath>
#include <filesystem>
#include <set>

#include "analysis/calibration/csv_faults.hpp"
#include "analysis/calibration/row_fields.hpp"
#include "analysis/calibration/throughput_commands.hpp"
#include "analysis/calibration/throughput_file.hpp"
#include "analysis/calibration/throughput_findings.hpp"
#include "analysis/calibration/throughput_scores.hpp"
#include "analysis/calibration/throughput_study.hpp"

namespace fleetcast::analysis {

namespace {

constexpr double rows_of_a_grid = 15.0;  // weight of a table of one code, however many shapes it runs through

std::set<std::string> ids_in(const std::optional<std::string>& path) {
  std::set<std::string> ids;
  if (!path) return ids;
  const std::vector<CsvLine> lines = read_csv(*path);
  require_columns(*path, lines, std::array<std::string_view, 1>{"id"});
  for (const CsvLine& line : lines) ids.insert(text_in(line, "id"));
  return ids;
}

bool is_fitted(const ThroughputRow& row) {
  return row.question.task != models::TrainingTask::lora && row.decoder();
}

StudyRows rows_for(const CalibrationInput& input, const models::Catalog& catalog, CalibrationReport& report) {
  const std::set<std::string> doubtful = ids_in(input.doubtful);
  ThroughputRows table = read_throughput_rows(input.data, catalog);
  report.skipped = std::move(table.skipped);
  report.in_sample.rows = table.in_file;
  StudyRows rows;
  for (ThroughputRow& row : table.rows) {
    if (doubtful.contains(row.id))
      report.skipped.push_back({row.id, "listed as doubtful"});
    else
      (is_fitted(row) ? rows.judged : rows.unfitted).push_back(std::move(row));
  }
  for (const std::string& path : input.also)
    for (ThroughputRow& row : read_throughput_rows(path, catalog).rows)
      if (is_fitted(row)) rows.beside.push_back(std::move(row));
  for (ThroughputRow& row : rows.beside) row.weight = rows_of_a_grid / static_cast<double>(rows.beside.size());
  return rows;
}

FittedParameter fitted_parameter(const models::ParameterInfo& info, double theta, double sd) {
  const auto plain = [&](double value) { return info.logarithmic ? std::exp(value) : value; };
  const double prior = info.logarithmic ? std::log(info.prior) : info.prior;
  FittedParameter parameter;
  parameter.name = info.name;
  parameter.about = info.about;
  parameter.unit = info.unit;
  parameter.value = plain(theta);
  parameter.low = plain(theta - models::normal90 * sd);
  parameter.high = plain(theta + models::normal90 * sd);
  parameter.prior = info.prior;
  parameter.prior_low = plain(prior - models::normal90 * info.spread);
  parameter.prior_high = plain(prior + models::normal90 * info.spread);
  parameter.fixed = info.spread <= 0.0;
  parameter.information = parameter.fixed ? 0.0 : std::max(0.0, 1.0 - sd / info.spread);
  return parameter;
}

std::vector<FittedParameter> fitted_parameters(const ThroughputFit& fit) {
  std::vector<FittedParameter> parameters;
  std::size_t at = 0;
  for (const models::ParameterInfo& info : models::parameter_list()) {
    parameters.push_back(fitted_parameter(info, fit.theta[at], fit.sd[at]));
    ++at;
  }
  return parameters;
}

Score left_out_score(const std::vector<ThroughputRow>& rows, const LeftOut& left) {
  Score score{"throughput",
              rows.size(),
              {},
              {},
              "Tokens per second and GPU of rows whose " + left.what + " was left out of the fit."};
  for (std::size_t at = 0; at < rows.size(); ++at)
    score.scored.push_back(scored_row(rows[at], left.predicted[at], left.half_width[at], models::Grade::fitted));
  return score;
}

void add_fit(CalibrationReport& report, const StudyRows& rows, const ThroughputStudy& study) {
  const auto parameters = parameters_of(study.fit.theta);
  report.in_sample.kind = "throughput";
  report.in_sample.about = "Tokens per second and GPU of the rows that were fitted.";
  for (std::size_t at = 0; at < rows.judged.size(); ++at)
    report.in_sample.scored.push_back(scored_row(rows.judged[at], predicted_speed(rows.judged[at], parameters),
                                                 study.by_model.half_width[at], models::Grade::fitted));
}

}  // namespace

Calibration calibrate_throughput(const CalibrationInput& input, const models::Catalog& catalog, unsigned threads) {
  Calibration calibration;
  CalibrationReport& report = calibration.report;
  const StudyRows rows = rows_for(input, catalog, report);
  if (rows.judged.empty()) return calibration;
  const ThroughputStudy study = study_throughput(rows, threads);
  report.rows = rows.judged.size() + rows.beside.size();
  report.groups = std::set<std::string>(study.by_model.group.begin(), study.by_model.group.end()).size();
  report.parameters = fitted_parameters(study.fit);
  report.cross_validation = {{"source and model left out", left_out_score(rows.judged, study.by_model)},
                             {"whole source left out", left_out_score(rows.judged, study.by_source)}};
  add_fit(report, rows, study);
  report.findings = throughput_findings(rows, study);
  calibration.json = throughput_file(rows, study, report, std::filesystem::path{input.data}.filename().string());
  return calibration;
}

}  // namespace fleetcast::analysis
