// The calibration file of failures.
#include <nlohmann/json.hpp>

#include "analysis/records/failure_fit.hpp"
#include "analysis/records/record_report.hpp"
#include "scenarios/decimal.hpp"

namespace fleetcast::analysis {

namespace {

using Json = nlohmann::ordered_json;

Json estimate_json(const Estimate& estimate) {
  return {
      {"value", five_digits(estimate.value)}, {"low", five_digits(estimate.low)}, {"high", five_digits(estimate.high)}};
}

Json cause_object(const FittedCause& cause) {
  Json object{{"events", cause.ready.events},
              {"exposure", scenarios::format_rounded(cause.ready.exposure, 6) + " GPU-h"}};
  if (cause.detect) object["detect"] = models::describe_time(cause.detect->law);
  if (cause.repair) object["repair"] = models::describe_time(cause.repair->law);
  return object;
}

Json failures_json(const FailureFit& fit) {
  Json causes = Json::object();
  for (const FittedCause& cause : fit.causes) causes[cause.name] = cause_object(cause);
  Json object{{"causes", causes}};
  if (fit.bad_nodes && fit.bad_nodes->shown)
    object["bad_nodes"] = {{"share", five_digits(fit.bad_nodes->share.value)},
                           {"factor", five_digits(fit.bad_nodes->factor.value)}};
  return object;
}

Json delay_json(const std::optional<DelayFit>& fit) {
  if (!fit) return nullptr;
  Json json{{"law", models::describe_time(fit->law)}, {"times", fit->times}, {"zeros", fit->zeros}};
  if (!fit->spread_known) return json;
  json["median_s"] = estimate_json(fit->median_s);
  json["sigma"] = estimate_json(fit->sigma);
  return json;
}

Json between_json(const std::optional<BetweenSources>& between) {
  if (!between) return nullptr;
  return {{"mean_per_gpu_hour", estimate_json(between->mean)},
          {"log_sd",
           {{"value", five_digits(between->log_sd)},
            {"low", five_digits(between->log_sd_low)},
            {"high", between->open_high ? Json(nullptr) : Json(five_digits(between->log_sd_high))}}},
          {"p_equal", five_digits(between->p_equal)},
          {"new_source_per_gpu_hour", estimate_json(between->new_source)}};
}

Json rate_json(const FittedCause& cause) {
  Json sources = Json::array();
  for (const FittedSource& each : cause.sources)
    sources.push_back({{"name", each.source.name},
                       {"events", each.source.counted.events},
                       {"exposure_gpu_hours", five_digits(each.source.counted.exposure)},
                       {"per_gpu_hour", estimate_json(each.rate)},
                       {"note", each.source.note}});
  return {{"cause", cause.name},
          {"events", cause.all.events},
          {"exposure_gpu_hours", five_digits(cause.all.exposure)},
          {"per_gpu_hour", estimate_json(cause.pooled)},
          {"between_sources", between_json(cause.between)},
          {"detect", delay_json(cause.detect)},
          {"repair", delay_json(cause.repair)},
          {"sources", sources}};
}

Json bad_nodes_json(const std::optional<BadNodesFit>& fit) {
  if (!fit) return nullptr;
  return {{"shown", fit->shown},
          {"dispersion", five_digits(fit->dispersion)},
          {"p_equal", five_digits(fit->p_equal)},
          {"share", estimate_json(fit->share)},
          {"factor", estimate_json(fit->factor)},
          {"share_unbounded", fit->share_open},
          {"factor_unbounded", fit->factor_open}};
}

}  // namespace

std::string failures_object(const FailureFit& fit) {
  return failures_json(fit).dump(2, ' ', false, Json::error_handler_t::replace);
}

std::string failures_file(const FailureFit& fit, const FailureRecords& records, const std::string& origin) {
  Json rates = Json::array(), skipped = Json::array();
  for (const FittedCause& cause : fit.causes) rates.push_back(rate_json(cause));
  for (const SkippedRow& row : records.skipped) skipped.push_back({{"id", row.id}, {"reason", row.reason}});
  const Json file{
      {"format", "fleetcast-failures-1"},
      {"about", "Rates of failures, each Gamma(events + 1/2) / exposure. Made by `fleetcast calibrate failures " +
                    origin + "`; do not edit."},
      {"source", origin},
      {"failures", failures_json(fit)},
      {"rates", rates},
      {"bad_nodes", bad_nodes_json(fit.bad_nodes)},
      {"rows_skipped", skipped}};
  return file.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace fleetcast::analysis
