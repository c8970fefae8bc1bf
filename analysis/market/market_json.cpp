// The calibration file, and the answer as JSON.
#include <cmath>
#include <nlohmann/json.hpp>

#include "analysis/market/jobs_report.hpp"
#include "analysis/market/market_calibration.hpp"
#include "analysis/market/market_score.hpp"
#include "models/errors.hpp"

namespace fleetcast::analysis {

namespace {

using Json = nlohmann::ordered_json;

/// Six significant digits: more than any fit knows.
Json number(double value) {
  models::require(std::isfinite(value), "a figure of a market is finite");
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return std::strtod(text, nullptr);
}

Json number(const std::optional<double>& value) {
  return value ? number(*value) : Json{};
}

Json estimate_json(const Estimate& estimate) {
  return {{"value", number(estimate.value)}, {"low", number(estimate.low)}, {"high", number(estimate.high)}};
}

Json quantiles_json(const RunQuantiles& runs) {
  return {{"p50", number(runs.p50_h)}, {"p90", number(runs.p90_h)}, {"runs", runs.runs}};
}

Json statistics_json(const MarketStatistics& statistics) {
  const LevelStatistics& one = statistics.levels.front();
  Json json{{"up_fraction", number(one.up_fraction)},
            {"up_hours", quantiles_json(one.up)},
            {"down_hours", quantiles_json(one.down)},
            {"losses_in_groups", number(statistics.losses_in_groups)},
            {"hourly_loss_dispersion", number(statistics.hourly_loss_dispersion)},
            {"losses_per_hour", number(statistics.losses_per_h)},
            {"levels", Json::array()}};
  for (const LevelStatistics& level : statistics.levels)
    json["levels"].push_back({{"nodes", level.nodes},
                              {"up_fraction", number(level.up_fraction)},
                              {"up_hours", quantiles_json(level.up)},
                              {"down_hours", quantiles_json(level.down)}});
  return json;
}

Json compared_json(const std::vector<ComparedStatistic>& compared) {
  Json json = Json::array();
  for (const ComparedStatistic& each : compared)
    json.push_back({{"statistic", each.name},
                    {"of", each.detail},
                    {"trace", number(each.of_trace)},
                    {"model", number(each.of_model)},
                    {"within", each.within}});
  return json;
}

Json run_laws_json(const RunLaws& laws) {
  Json json{{"runs", laws.runs},
            {"complete", laws.complete},
            {"distance_limit", number(laws.distance_limit)},
            {"fits", Json::array()}};
  for (const FittedLaw& fit : laws.fits) {
    Json law{{"form", name_of(fit.law.form)},
             {"scale_h", estimate_json({fit.law.scale_h, fit.scale_low_h, fit.scale_high_h, true})}};
    if (fit.law.form != LawForm::exponential)
      law["shape"] = estimate_json({fit.law.shape, fit.shape_low, fit.shape_high, true});
    law["aic"] = number(fit.information_criterion);
    law["distance"] = number(fit.distance);
    json["fits"].push_back(std::move(law));
  }
  return json;
}

Json laws_json(const TraceCalibration& trace) {
  Json runs = Json::array();
  for (const LevelLaws& laws : trace.laws)
    runs.push_back({{"nodes", laws.nodes}, {"up", run_laws_json(laws.up)}, {"down", run_laws_json(laws.down)}});
  Json regimes = Json::array();
  for (std::size_t r = 0; r < regime_count; ++r) {
    Json next;
    for (std::size_t to = 0; to < regime_count; ++to) next[regime_names[to]] = number(trace.regimes.next[r][to]);
    regimes.push_back({{"regime", regime_names[r]},
                       {"share", number(trace.regimes.share[r])},
                       {"stays", run_laws_json(trace.regimes.stays[r])},
                       {"next", next}});
  }
  Json sizes = Json::array();
  for (const SizeLaw& law : trace.bulk.laws)
    sizes.push_back(
        {{"form", law.form}, {"parameter", number(law.parameter)}, {"aic", number(law.information_criterion)}});
  return {
      {"runs", runs},
      {"regimes", regimes},
      {"bulk",
       {{"events", trace.bulk.events},
        {"single_share", estimate_json({trace.bulk.single_share, trace.bulk.single_low, trace.bulk.single_high, true})},
        {"sizes", sizes}}}};
}

Json source_json(const MarketTrace& trace) {
  return {{"file", trace.file},
          {"source", trace.source},
          {"provider", trace.provider},
          {"zone", trace.zone},
          {"instance", trace.instance},
          {"start", trace.start},
          {"kind", name_of(trace.kind)},
          {"days", number(trace.series.hours() / 24.0)},
          {"interval_s", number(trace.series.interval_h * 3600.0)},
          {"nodes", trace.series.nodes}};
}

Json fit_json(const TraceCalibration& trace) {
  return {{"file", trace.trace.file},
          {"trace", statistics_json(trace.observed)},
          {"model", statistics_json(trace.modelled)},
          {"compared", compared_json(trace.compared)}};
}

std::string kind_of_all(const MarketCalibration& calibration) {
  const TraceKind first = calibration.traces.front().trace.kind;
  for (const TraceCalibration& each : calibration.traces)
    if (each.trace.kind != first) return name_of(TraceKind::not_stated);
  return name_of(first);
}

Json layers_json(const MarketCalibration& calibration) {
  Json layers = Json::array();
  for (std::size_t i = 0; i < models::market_layer_count; ++i)
    layers.push_back({{"weight", estimate_json(calibration.dynamics[i])},
                      {"mean_gap_h", estimate_json(calibration.dynamics[i + models::market_layer_count])}});
  return layers;
}

Json shares_json(const std::vector<AgreedShare>& agreed) {
  Json shares;
  for (const AgreedShare& each : agreed)
    shares[each.name] = {{"within", each.statistics > 0 ? number(each.share) : Json{}},
                         {"statistics", each.statistics}};
  return shares;
}

/// Mean share of capacity as a normal quantile: as the traces had it, and as a period to come is expected to have it.
Json level_json(const models::LayeredMarket& market) {
  const double seen = models::mean_level(market);
  return {{"seen", number(seen)}, {"expected", number(models::forecast_of_any_zone(seen).level)}};
}

Json market_json(const MarketCalibration& calibration) {
  constexpr std::size_t lone = 2 * models::market_layer_count;
  Json json{{"format", "fleetcast-market-1"},
            {"about", "Spot capacity of a zone: thresholds on a sum of layers, fitted to recorded traces"},
            {"kind", kind_of_all(calibration)},
            {"sources", Json::array()},
            {"nodes", calibration.market.thresholds.size()},
            {"layers", layers_json(calibration)},
            {"thresholds", Json::array()}};
  for (const TraceCalibration& each : calibration.traces) json["sources"].push_back(source_json(each.trace));
  for (const double threshold : calibration.market.thresholds) json["thresholds"].push_back(number(threshold));
  json["level"] = level_json(calibration.market);
  const bool has_lone = calibration.dynamics.size() > lone;
  json["lone_loss_per_h"] = estimate_json(has_lone ? calibration.dynamics[lone] : Estimate{});
  const double default_return_h = models::LayeredMarket{}.lone_return_s / 3600.0;
  json["lone_return_h"] =
      estimate_json(has_lone ? calibration.dynamics[lone + 1]
                             : Estimate{default_return_h, default_return_h, default_return_h, false});
  json["daily_swing"] = estimate_json(calibration.daily_swing);
  json["daily_peak_utc_h"] = estimate_json(calibration.daily_peak_h);
  json["climate"] = estimate_json(calibration.climate);
  json["regional"] = estimate_json(calibration.regional);
  json["not_fitted"] = Json::array();
  if (!calibration.daily_swing.fitted) json["not_fitted"].push_back("daily_swing");
  if (!calibration.climate.fitted) json["not_fitted"].push_back("climate");
  if (!calibration.regional.fitted) json["not_fitted"].push_back("regional");
  json["grade"] = "fitted";
  json["fit"] = {{"within", shares_json(agreed_shares(calibration))}, {"traces", Json::array()}};
  json["laws"] = Json::array();
  for (const TraceCalibration& each : calibration.traces) {
    json["fit"]["traces"].push_back(fit_json(each));
    Json laws = laws_json(each);
    laws["file"] = each.trace.file;
    json["laws"].push_back(std::move(laws));
  }
  return json;
}

Json pairs_json(const MarketCalibration& calibration) {
  Json pairs = Json::array();
  for (const ZonePair& pair : calibration.pairs)
    pairs.push_back(
        {{"a", pair.a}, {"b", pair.b}, {"same_region", pair.same_region}, {"correlation", number(pair.correlation)}});
  return pairs;
}

Json trace_detail_json(const TraceCalibration& trace) {
  Json figures;
  const std::vector<MarketFigure> own = dynamics_figures(trace.fit.market);
  for (std::size_t i = 0; i < own.size(); ++i)
    figures[own[i].name] = estimate_json({own[i].value, trace.intervals[i].low, trace.intervals[i].high, true});
  return {{"file", trace.trace.file},
          {"dynamics", figures},
          {"misfit", number(trace.fit.misfit)},
          {"daily",
           {{"known", trace.daily.known},
            {"amplitude",
             estimate_json({trace.daily.amplitude, trace.daily.amplitude_low, trace.daily.amplitude_high, true})},
            {"peak_utc_h", number(trace.daily.peak_h)},
            {"calendar_known", trace.trace.has_calendar},
            {"p_value", number(trace.daily.chance)}}}};
}

Json score_json(const ForecastScore& score) {
  return {
      {"coverage90", number(score.coverage)}, {"crps", number(score.crps)}, {"kolmogorov", number(score.kolmogorov)}};
}

Json summaries_json(const std::vector<ForecastPair>& pairs) {
  Json json = Json::array();
  for (const ForecastSummary& summary : summarize(pairs)) {
    Json models;
    for (std::size_t m = 0; m < forecast_models.size(); ++m) {
      models[name_of(forecast_models[m])] = {
          {"time", score_json(summary.mean[m].time)},
          {"cost", score_json(summary.mean[m].cost)},
          {"share_covered_80",
           {{"time", number(summary.well_covered[m].first)}, {"cost", number(summary.well_covered[m].second)}}}};
    }
    json.push_back({{"group", summary.group}, {"forecasts", summary.pairs}, {"models", models}});
  }
  return json;
}

}  // namespace

std::string market_file_json(const MarketCalibration& calibration) {
  return market_json(calibration).dump(2) + "\n";
}

std::string market_calibration_json(const MarketCalibration& calibration) {
  Json json = market_json(calibration);
  json["traces"] = Json::array();
  for (const TraceCalibration& each : calibration.traces) json["traces"].push_back(trace_detail_json(each));
  json["correlations"] = pairs_json(calibration);
  return json.dump(2) + "\n";
}

std::string market_score_json(const MarketCalibration& calibration) {
  Json json{{"kind", "market"}, {"within", shares_json(agreed_shares(calibration))}, {"traces", Json::array()}};
  for (const TraceCalibration& each : calibration.traces) json["traces"].push_back(fit_json(each));
  return json.dump(2) + "\n";
}

std::string jobs_study_json(const JobsStudy& study) {
  Json skipped = Json::array();
  for (const auto& [file, reason] : study.skipped) skipped.push_back({{"file", file}, {"reason", reason}});
  return Json{{"kind", "market jobs"},
              {"later_half", summaries_json(study.later)},
              {"next_zone", summaries_json(study.neighbour)},
              {"within",
               {{"later_half", shares_json(agreed_shares(study.later))},
                {"next_zone", shares_json(agreed_shares(study.neighbour))}}},
              {"skipped", skipped}}
             .dump(2) +
         "\n";
}

}  // namespace fleetcast::analysis
