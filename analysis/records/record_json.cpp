// The report of a calibration from records, as JSON.
#include <cmath>
#include <nlohmann/json.hpp>

#include "analysis/records/record_report.hpp"
#include "models/errors.hpp"

namespace fleetcast::analysis {

namespace {

using Json = nlohmann::ordered_json;

Json figure(const std::optional<double>& value) {
  if (!value) return nullptr;
  models::require(std::isfinite(*value), "a figure of a calibration is finite");
  return five_digits(*value);
}

}  // namespace

std::string record_report_json(const RecordReport& report) {
  Json parameters = Json::array(), findings = Json::array(), skipped = Json::array();
  for (const RecordParameter& each : report.parameters)
    parameters.push_back({{"name", each.name},
                          {"value", figure(each.value)},
                          {"low", figure(each.low)},
                          {"high", figure(each.high)},
                          {"unit", each.unit},
                          {"about", each.about}});
  for (const auto& [name, text] : report.findings) findings.push_back({{"name", name}, {"text", text}});
  for (const SkippedRow& row : report.skipped) skipped.push_back({{"id", row.id}, {"reason", row.reason}});
  const Json all{{"kind", report.kind},           {"headline", report.headline}, {"rows", report.rows},
                 {"parameters", parameters},      {"findings", findings},        {"skipped", skipped},
                 {"ready_for", report.ready_for}, {"ready", report.ready}};
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace fleetcast::analysis
