#include "scenarios/context.hpp"

namespace fleetcast::scenarios {
namespace {

constexpr std::string_view language = "fleetcast-scenario-1";

void check_language(const Object& top) {
  const auto field = top.find("$schema");
  if (!field || (field->is_text() && field->node().text == language)) return;
  if (field->is_text()) {
    field->fault({"found the language version " + in_quotes(field->node().text), in_quotes(language), ""});
  } else {
    field->wrong_kind(in_quotes(language));
  }
}

void read_start(Context& context) {
  const auto field = context.top.find("start");
  if (!field) return;
  context.scenario.start_utc_s = read_with_unit<std::int64_t>(*field, "a date", "2026-03-02T11:30Z", parse_date);
  if (context.scenario.start_utc_s) context.scenario.start = field->node().text;
}

void read_extrapolation(Context& context) {
  const auto field = context.top.find("allow_extrapolation");
  if (field) context.scenario.allow_extrapolation = read_flag(*field).value_or(false);
}

}  // namespace

Scenario read_scenario(const Node& document, const std::string& strategy, const models::Catalog& catalog,
                       Report& report) {
  const Object top{Field{document, "", report}, known::top};
  Scenario scenario;
  scenario.strategy = strategy;
  if (!top.field().is_object()) return scenario;
  Library library{catalog, top.find("define")};
  Context context{top, library, scenario};
  check_language(top);
  const std::size_t before = report.count();
  read_start(context);
  read_workload(context);
  read_fleet(context);
  read_training(context);
  const bool sound = report.count() == before;
  read_data(context);
  read_checkpoint(context);
  read_recovery(context);
  read_sourcing(context);
  read_failures(context);
  read_limits(context);
  read_extrapolation(context);
  if (!sound) return scenario;
  check_layout(context);
  check_batch(context);
  check_plausibility(context);
  return scenario;
}

}  // namespace fleetcast::scenarios
