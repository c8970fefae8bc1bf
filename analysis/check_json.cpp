#include <cmath>
#include <nlohmann/json.hpp>

#include "analysis/check_tables.hpp"
#include "analysis/memory_parts.hpp"
#include "analysis/report.hpp"
#include "analysis/step_parts.hpp"

namespace fleetcast::analysis {

namespace {

using Json = nlohmann::ordered_json;
using sim::PlanFacts;

/// What is not finite ("never") is null.
Json number(std::optional<double> value) {
  if (!value || !std::isfinite(*value)) return nullptr;
  return *value;
}

Json text_or_null(const std::string& text) {
  return text.empty() ? Json(nullptr) : Json(text);
}

Json step(const PlanFacts& facts) {
  return {{"step_time_s", number(facts.step_time_s)},
          {"parts_s",
           {{"compute", number(facts.compute_s)},
            {"exposed_communication", number(facts.exposed_communication_s)},
            {"pipeline_bubble", number(facts.pipeline_bubble_s)},
            {"straggler_wait", number(facts.straggler_wait_s)},
            {"data_stall", number(facts.data_stall_s)}}},
          {"grade", name_of(facts.step_grade)},
          {"basis", facts.step_basis},
          {"model_flops", number(facts.model_flops_per_step)},
          {"peak_flops_per_gpu", number(facts.peak_flops_per_gpu)}};
}

/// Seconds of the step model's parts; they sum to the step without the data stall.
Json breakdown(const models::StepBreakdown& parts) {
  Json json = Json::object();
  for (const StepPart& part : step_parts(parts)) json[part.key] = number(part.seconds);
  json["hidden_traffic"] = number(parts.hidden);
  return json;
}

Json estimate(const PlanFacts& facts) {
  if (!facts.estimate) return nullptr;
  const models::StepEstimate& found = *facts.estimate;
  return {{"mfu", number(found.mfu)},
          {"hfu", number(found.hfu)},
          {"bound", found.bound},
          {"breakdown_s", breakdown(found.parts)},
          {"log_sd_common", number(found.log_sd_common)},
          {"log_sd_contrast", number(found.log_sd_contrast)},
          {"grade", name_of(found.grade)},
          {"basis", found.basis},
          {"nearest",
           {{"id", found.nearest.id}, {"what", found.nearest.what}, {"distance", number(found.nearest.distance)}}}};
}

/// GiB by part on the fullest stage, and whether it fits.
Json memory_gib(const std::optional<models::MemoryEstimate>& memory) {
  if (!memory) return nullptr;
  Json json = Json::object();
  for (const auto& [key, value] : memory_figures(*memory)) json[std::string{key}] = number(value);
  json["verdict"] = verdict_name(memory->verdict);
  return json;
}

Json layout(const PlanFacts& facts) {
  if (!facts.layout) return nullptr;
  const models::Layout& found = *facts.layout;
  constexpr const char* shardings[] = {"none", "zero1", "zero2", "zero3", "hsdp"};
  constexpr const char* recomputes[] = {"none", "selective", "full"};
  return {{"tensor", found.tensor},
          {"pipeline", found.pipeline},
          {"virtual", found.virtual_stages},
          {"context", found.context},
          {"expert", found.expert},
          {"data", found.data},
          {"sharding", shardings[static_cast<int>(found.sharding)]},
          {"micro_batch", number(found.micro_batch)},
          {"accumulation", number(found.micro_batches)},
          {"recompute", recomputes[static_cast<int>(found.recompute)]},
          {"text", describe(found)}};
}

Json checkpoint(const PlanFacts& facts) {
  return {{"mode", facts.checkpoint_mode},
          {"bytes", number(facts.checkpoint_bytes)},
          {"interval_steps", number(facts.interval_steps)},
          {"interval_s", number(facts.interval_s)},
          {"interval_basis", facts.interval_basis},
          {"blocked_s", number(facts.save_blocked_s)},
          {"persist_s", number(facts.save_persist_s)},
          {"load_s", number(facts.load_s)}};
}

Json limits(const PlanFacts& facts) {
  return {{"deadline_s", number(facts.deadline_s)},
          {"stop_at_deadline", facts.stop_at_deadline},
          {"budget_usd", number(facts.budget_usd)},
          {"stop_at_budget", facts.stop_at_budget},
          {"horizon_s", number(facts.horizon_s)}};
}

Json assumptions(const scenarios::ScenarioFile& file, const sim::Plan& plan) {
  Json list = Json::array();
  for (const models::Assumption& each : assumptions_of(file, plan))
    list.push_back(
        {{"pointer", each.pointer}, {"value", each.value}, {"grade", name_of(each.grade)}, {"source", each.source}});
  return list;
}

Json strategy(const scenarios::ScenarioFile& file, const sim::Plan& plan) {
  const PlanFacts& facts = plan.facts;
  Json json = {{"name", plan.name},
               {"gpus", number(facts.gpus)},
               {"nodes", number(facts.nodes)},
               {"gpu", facts.gpu},
               {"precision", facts.precision}};
  json["steps"] = number(facts.steps);
  json["tokens_per_step"] = facts.tokens_per_step > 0.0 ? number(facts.tokens_per_step) : Json(nullptr);
  json["samples_per_step"] = facts.samples_per_step > 0.0 ? number(facts.samples_per_step) : Json(nullptr);
  json["step"] = step(facts);
  json["estimate"] = estimate(facts);
  json["layout"] = layout(facts);
  json["memory_gib"] = memory_gib(facts.memory);
  json["checkpoint"] = checkpoint(facts);
  json["restart_s"] = number(facts.restart_s);
  json["wait_s"] = number(facts.wait_s);
  json["stops_per_hour"] = number(facts.stops_per_hour);
  json["fleet_usd_per_hour"] = number(facts.fleet_usd_per_hour);
  json["undisturbed_s"] = number(facts.undisturbed_s);
  json["limits"] = limits(facts);
  json["expectation"] = {{"time_s", number(facts.expectation.time_s)},
                         {"cost_usd", number(facts.expectation.cost_usd)},
                         {"form", text_or_null(facts.expectation.form)},
                         {"why", text_or_null(facts.expectation.why)}};
  json["hopeless"] = text_or_null(facts.hopeless);
  json["assumptions"] = assumptions(file, plan);
  return json;
}

/// How many trials there will be.
Json montecarlo(const scenarios::MonteCarlo& montecarlo) {
  Json json = {{"replicates", montecarlo.replicates}, {"seed", montecarlo.seed}, {"until", nullptr}};
  if (const auto& until = montecarlo.until)
    json["until"] = {
        {"figure", name_of(until->figure)}, {"half_width", until->half_width}, {"at_most", until->at_most}};
  return json;
}

}  // namespace

std::string check_json(const scenarios::ScenarioFile& file, std::span<const sim::Plan> plans) {
  Json json = {{"scenario", file.name}, {"about", file.about}, {"warnings", check_warnings(file, plans)}};
  json["strategies"] = Json::array();
  for (const sim::Plan& plan : plans) json["strategies"].push_back(strategy(file, plan));
  json["montecarlo"] = montecarlo(file.montecarlo);
  json["uncertain"] = Json::object();
  for (const scenarios::Uncertain& each : file.uncertain) json["uncertain"][each.pointer] = each.text;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace fleetcast::analysis
