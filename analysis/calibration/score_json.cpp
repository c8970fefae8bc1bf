#include "analysis/calibration/score_json.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "analysis/calibration/calibration_report.hpp"
#include "models/errors.hpp"

namespace fleetcast::analysis {

namespace {

using Json = nlohmann::ordered_json;

/// What is not finite has no form in JSON: that is our bug.
Json number(double value) {
  models::require(std::isfinite(value), "a figure of the answer is finite");
  return value;
}

Json interval(double low, double high) {
  return Json::array({number(low), number(high)});
}

void add_statistics(Json& json, const std::optional<ErrorStatistics>& statistics) {
  const auto figure = [&](double ErrorStatistics::*member) {
    return statistics ? number((*statistics).*member) : Json(nullptr);
  };
  json["median_abs_rel_error"] = figure(&ErrorStatistics::median);
  json["mean_abs_rel_error"] = figure(&ErrorStatistics::mean);
  json["p90_abs_rel_error"] = figure(&ErrorStatistics::p90);
  json["max_abs_rel_error"] = figure(&ErrorStatistics::max);
  json["bias"] = figure(&ErrorStatistics::bias);
  json["coverage90"] = figure(&ErrorStatistics::coverage90);
}

Json object_of(const ScoredRow& row) {
  return {{"id", row.id},
          {"measured", number(row.measured)},
          {"predicted", number(row.predicted)},
          {"rel_error", number(row.rel_error())},
          {"interval90", interval(row.low, row.high)},
          {"grade", models::name_of(row.grade)}};
}

Json object_of(const ErrorGroup& group) {
  Json json = {{"by", group.by}, {"name", group.name}, {"rows", group.statistics.rows}};
  add_statistics(json, group.statistics);
  return json;
}

Json list_of(const std::vector<SkippedRow>& skipped) {
  Json list = Json::array();
  for (const SkippedRow& row : skipped) list.push_back({{"id", row.id}, {"reason", row.reason}});
  return list;
}

Json object_of(const FittedParameter& parameter);
Json object_of(const std::pair<std::string, Score>& validation);
Json object_of(const std::pair<std::string, std::string>& finding);

template <class Item>
Json list_of(const std::vector<Item>& items) {
  Json list = Json::array();
  for (const Item& item : items) list.push_back(object_of(item));
  return list;
}

Json object_of(const Score& score) {
  Json json = {
      {"kind", score.kind}, {"rows", score.rows}, {"scored", score.scored.size()}, {"skipped", list_of(score.skipped)}};
  add_statistics(json, error_statistics(score.scored));
  json["detail"] = list_of(score.scored);
  json["groups"] = list_of(error_groups(score));
  return json;
}

Json object_of(const FittedParameter& parameter) {
  return {{"name", parameter.name},
          {"about", parameter.about},
          {"unit", parameter.unit},
          {"value", number(parameter.value)},
          {"interval90", interval(parameter.low, parameter.high)},
          {"prior", number(parameter.prior)},
          {"prior_interval90", interval(parameter.prior_low, parameter.prior_high)},
          {"fixed", parameter.fixed},
          {"information", number(parameter.information)}};
}

Json object_of(const std::pair<std::string, Score>& validation) {
  Json json = {{"left_out", validation.first}};
  json.update(object_of(validation.second));
  return json;
}

Json object_of(const std::pair<std::string, std::string>& finding) {
  return {{"name", finding.first}, {"text", finding.second}};
}

std::string text_of(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string score_json(const Score& score) {
  return text_of(object_of(score));
}

std::string calibration_report_json(const CalibrationReport& report) {
  return text_of({{"rows", report.rows},
                  {"groups", report.groups},
                  {"skipped", list_of(report.skipped)},
                  {"in_sample", object_of(report.in_sample)},
                  {"cross_validation", list_of(report.cross_validation)},
                  {"parameters", list_of(report.parameters)},
                  {"findings", list_of(report.findings)}});
}

}  // namespace fleetcast::analysis
