#include <nlohmann/json.hpp>

#include "analysis/memory_parts.hpp"
#include "analysis/moments.hpp"
#include "analysis/summary.hpp"
#include "models/errors.hpp"

namespace fleetcast::analysis {

namespace {

using Json = nlohmann::ordered_json;
constexpr const char* not_computed = "not computed in this version";

/// A number, or null where there is none. What is not finite is our bug: it has no form in JSON.
Json number(Figure value) {
  if (!value) return nullptr;
  models::require(*value - *value == 0.0, "a figure of the answer is finite");
  return *value;
}

/// Limits to 12 significant digits: more would only show the rounding of the error's own quantile.
Json interval(const Interval& limits) {
  if (!limits) return nullptr;
  return Json::array({number(rounded_to_12_digits(limits->first)), number(rounded_to_12_digits(limits->second))});
}

Json to_object(const std::vector<std::pair<std::string, double>>& pairs) {
  Json object = Json::object();
  for (const auto& [name, value] : pairs) object[name] = number(value);
  return object;
}

Json spread(const Spread& figures) {
  return {{"mean", number(figures.mean)},
          {"mean_at_least", number(figures.mean_at_least)},
          {"ci95", interval(figures.ci95)},
          {"model_interval", interval(figures.model_interval)},
          {"model_share", number(figures.model_share)},
          {"p5", number(figures.p5)},
          {"p50", number(figures.p50)},
          {"p95", number(figures.p95)},
          {"p5_limits", interval(figures.p5_limits)},
          {"p50_limits", interval(figures.p50_limits)},
          {"p95_limits", interval(figures.p95_limits)}};
}

/// GiB by part on the fullest stage, and whether it fits.
Json memory_gib(const std::optional<models::MemoryEstimate>& memory) {
  if (!memory) return nullptr;
  Json json = Json::object();
  for (const auto& [key, value] : memory_figures(*memory)) json[std::string{key}] = number(value);
  json["verdict"] = verdict_name(memory->verdict);
  return json;
}

Json reasons(const StrategySummary& summary) {
  std::map<std::string, std::string> why = summary.why;
  for (const char* figure : {"energy_kwh", "co2_kg"}) why[figure] = not_computed;
  if (!summary.memory) why["memory_gib"] = "no layout is known: the workload has no model, or its speed is given";
  return why;
}

void add_ratios(Json& json, const StrategySummary& summary) {
  json["goodput"] = number(summary.goodput);
  json["goodput_held"] = number(summary.goodput_held);
  json["mfu"] = number(summary.mfu);
  json["mfu_run"] = number(summary.mfu_run);
  json["tokens_per_s_per_gpu"] = number(summary.tokens_per_s_per_gpu);
  json["step_time_s"] = number(summary.step_time_s);
  json["usd_per_token"] = number(summary.usd_per_token);
}

void add_counts(Json& json, const StrategySummary& summary) {
  json["interruptions"] = {{"mean", number(summary.stops)},
                           {"by_cause", to_object(summary.stops_by_cause)},
                           {"planned", number(summary.planned_stops)},
                           {"losses_during_restart", number(summary.losses_during_restart)}};
  json["checkpoints"] = {{"started", number(summary.checkpoints_started)},
                         {"usable", number(summary.checkpoints_usable)},
                         {"bytes_written", number(summary.checkpoint_bytes)}};
}

Json strategy(const StrategySummary& summary) {
  Json json = {{"name", summary.name}, {"replicates", summary.replicates}, {"finished", summary.finished}};
  json["unfinished"] = Json(summary.unfinished_by_status);
  json["cost_usd"] = spread(summary.cost_usd);
  json["time_s"] = spread(summary.time_s);
  json["gpu_hours"] = spread(summary.gpu_hours);
  add_ratios(json, summary);
  json["accounts_gpu_hours"] = to_object(summary.accounts_gpu_hours);
  json["billed"] = to_object(summary.billed);
  json["memory_gib"] = memory_gib(summary.memory);
  add_counts(json, summary);
  json["storage_usd"] = number(summary.storage_usd);
  json["egress_usd"] = number(summary.egress_usd);
  json["energy_kwh"] = nullptr;
  json["co2_kg"] = nullptr;
  json["deadline_met"] = number(summary.deadline_met);
  json["within_budget"] = number(summary.within_budget);
  json["independent_windows"] = number(summary.independent_windows);
  json["why"] = reasons(summary);
  return json;
}

Json paired(const PairedSpread& spread) {
  Json json = {{"mean", number(spread.mean)}, {"ci95", interval(spread.ci95)}};
  if (!spread.why.empty()) json["why"] = spread.why;
  return json;
}

Json difference(const Difference& difference) {
  return {{"to", difference.to},
          {"of", difference.of},
          {"cost_usd", paired(difference.cost_usd)},
          {"time_s", paired(difference.time_s)},
          {"pairs_share", number(difference.pairs_share)}};
}

Json reached(const std::string& name, const WidthReached& width) {
  using Of = WidthReached::Of;
  const Json of = width.of == Of::nothing ? Json(nullptr) : Json(width.of == Of::mean ? "mean" : "mean_at_least");
  return {{"name", name}, {"half_width", number(width.relative_width)}, {"of", of}};
}

/// How montecarlo.until ended the run; null without such a rule.
Json until(const RunSummary& summary) {
  if (!summary.stopping) return nullptr;
  const Stopping& stopping = *summary.stopping;
  Json json = {{"figure", name_of(stopping.rule.figure)},
               {"half_width", number(stopping.rule.half_width)},
               {"at_most", stopping.rule.at_most},
               {"first_look", stopping.first_look},
               {"looks", stopping.looks},
               {"replicates", stopping.last.trials},
               {"met", stopping.last.met}};
  json["reached"] = Json::array();
  for (std::size_t i = 0; i < stopping.last.widths.size(); ++i)
    json["reached"].push_back(reached(summary.strategies[i].name, stopping.last.widths[i]));
  return json;
}

}  // namespace

std::string to_json(const RunSummary& summary) {
  Json json = {{"scenario", summary.scenario}, {"seed", summary.seed}, {"warnings", summary.warnings}};
  json["strategies"] = Json::array();
  for (const StrategySummary& each : summary.strategies) json["strategies"].push_back(strategy(each));
  json["differences"] = Json::array();
  for (const Difference& each : summary.differences) json["differences"].push_back(difference(each));
  json["until"] = until(summary);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace fleetcast::analysis
