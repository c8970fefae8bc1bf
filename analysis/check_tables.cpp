#include "analysis/check_tables.hpp"

#include <algorithm>
#include <functional>

#include "analysis/memory_parts.hpp"
#include "analysis/step_parts.hpp"
#include "analysis/warnings.hpp"

namespace fleetcast::analysis {

namespace {

using sim::PlanFacts;
using Names = std::vector<std::string>;

class Rows {
 public:
  Rows(Table& table, std::span<const sim::Plan> plans) : table_{table}, plans_{plans} {}

  /// A row, unless no strategy has anything to say there.
  void add(const std::string& name, const std::function<std::string(const PlanFacts&)>& cell) {
    Names cells;
    for (const sim::Plan& plan : plans_) cells.push_back(cell(plan.facts));
    if (std::ranges::all_of(cells, [](const std::string& text) { return text.empty() || text == "n/a"; })) return;
    table_.names.push_back(name);
    for (std::size_t i = 0; i < cells.size(); ++i)
      table_.groups[i].columns[0].cells.push_back(i > 0 && cells[i] == cells[0] ? "=" : cells[i]);
  }

 private:
  Table& table_;
  std::span<const sim::Plan> plans_;
};

std::string seconds(double value) {
  return value > 0.0 ? duration(value) : "";
}
std::string dollars(double value) {
  return "$" + significant(value, 4);
}

/// A part of the step with its share of it.
std::string part(double value, const PlanFacts& facts) {
  if (value <= 0.0 || facts.step_time_s <= 0.0) return "";
  return significant(value, 3) + " s (" + percent(value / facts.step_time_s) + " %)";
}

std::string mfu(const PlanFacts& facts) {
  const double busy_s = facts.step_time_s - facts.data_stall_s;
  if (!facts.model_flops_per_step || !facts.peak_flops_per_gpu || busy_s <= 0.0) return "n/a";
  return percent(*facts.model_flops_per_step / busy_s / facts.gpus / *facts.peak_flops_per_gpu) + " %";
}

void add_size(Rows& rows) {
  rows.add("fleet", [](const PlanFacts& f) { return whole(f.gpus) + " x " + f.gpu; });
  rows.add("nodes", [](const PlanFacts& f) { return whole(f.nodes); });
  rows.add("precision", [](const PlanFacts& f) { return f.precision; });
  rows.add("steps", [](const PlanFacts& f) { return whole(f.steps); });
  rows.add("tokens per step",
           [](const PlanFacts& f) { return f.tokens_per_step > 0 ? whole(f.tokens_per_step) : "n/a"; });
  rows.add("samples per step",
           [](const PlanFacts& f) { return f.samples_per_step > 0 ? whole(f.samples_per_step) : "n/a"; });
}

/// One row for each part that takes time in some strategy; a measured step has none of them.
void add_breakdown(Rows& rows) {
  for (std::size_t at = 0; at < step_parts({}).size(); ++at) {
    const StepPart kind = step_parts({})[at];
    if (kind.key == "bubble") continue;  // has a row of its own above
    rows.add((kind.communication ? "    exposed: " : "    ") + std::string{kind.label}, [at](const PlanFacts& f) {
      return f.estimate ? part(step_parts(f.estimate->parts)[at].seconds, f) : std::string{};
    });
  }
  rows.add("  binding resource", [](const PlanFacts& f) { return f.estimate ? f.estimate->bound : std::string{}; });
}

std::string gib(double bytes) {
  return bytes / bytes_per_gib >= 0.05 ? significant(bytes / bytes_per_gib, 3) + " GiB" : "";
}

void add_memory(Rows& rows) {
  rows.add("layout", [](const PlanFacts& f) { return f.layout ? describe(*f.layout) : std::string{}; });
  rows.add("memory of a GPU", [](const PlanFacts& f) {
    if (!f.memory) return std::string{};
    return gib(f.memory->total) + " of " + gib(f.memory->available) + ", " +
           std::string{verdict_name(f.memory->verdict)};
  });
  for (std::size_t at = 0; at < memory_parts({}).size(); ++at)
    rows.add("  " + std::string{memory_parts({})[at].label}, [at](const PlanFacts& f) {
      return f.memory ? gib(memory_parts(f.memory->parts)[at].bytes) : std::string{};
    });
  rows.add("  in host memory", [](const PlanFacts& f) { return f.memory ? gib(f.memory->host_bytes) : std::string{}; });
}

void add_step(Rows& rows) {
  rows.add("step", [](const PlanFacts& f) { return significant(f.step_time_s, 4) + " s"; });
  rows.add("  compute", [](const PlanFacts& f) { return part(f.compute_s, f); });
  rows.add("  exposed communication", [](const PlanFacts& f) { return part(f.exposed_communication_s, f); });
  rows.add("  pipeline bubble", [](const PlanFacts& f) { return part(f.pipeline_bubble_s, f); });
  rows.add("  straggler wait", [](const PlanFacts& f) { return part(f.straggler_wait_s, f); });
  rows.add("  data stall", [](const PlanFacts& f) { return part(f.data_stall_s, f); });
  rows.add("  evidence", [](const PlanFacts& f) { return std::string{name_of(f.step_grade)}; });
  add_breakdown(rows);
  rows.add("MFU", mfu);
  rows.add("HFU, recomputation counted", [](const PlanFacts& f) {
    return f.estimate && f.estimate->hfu > f.estimate->mfu ? percent(f.estimate->hfu) + " %" : std::string{};
  });
  rows.add("tokens/s per GPU", [](const PlanFacts& f) {
    return f.tokens_per_step > 0 && f.step_time_s > 0 ? significant(f.tokens_per_step / f.step_time_s / f.gpus, 4)
                                                      : "n/a";
  });
}

void add_saves(Rows& rows) {
  rows.add("checkpoint", [](const PlanFacts& f) { return f.checkpoint_mode; });
  rows.add("  size", [](const PlanFacts& f) { return f.checkpoint_bytes > 0 ? byte_size(f.checkpoint_bytes) : ""; });
  rows.add("  every", [](const PlanFacts& f) {
    if (f.interval_steps <= 0) return std::string{"never"};
    return whole(f.interval_steps) + " steps (" + duration(f.interval_s) + ")";
  });
  rows.add("  blocks for", [](const PlanFacts& f) { return seconds(f.save_blocked_s); });
  rows.add("  persists in", [](const PlanFacts& f) { return seconds(f.save_persist_s); });
  rows.add("  loads in", [](const PlanFacts& f) { return seconds(f.load_s); });
}

void add_disruptions(Rows& rows) {
  rows.add("stops, expected", [](const PlanFacts& f) {
    return f.stops_per_hour > 0 ? significant(f.stops_per_hour * 24, 3) + " a day" : std::string{"none"};
  });
  rows.add("  restart", [](const PlanFacts& f) { return seconds(f.restart_s); });
  rows.add("  wait for a node", [](const PlanFacts& f) { return seconds(f.wait_s); });
}

void add_totals(Rows& rows) {
  rows.add("price of the fleet", [](const PlanFacts& f) { return dollars(f.fleet_usd_per_hour) + "/h"; });
  rows.add("undisturbed", [](const PlanFacts& f) { return duration(f.undisturbed_s); });
  rows.add("  at", [](const PlanFacts& f) { return dollars(f.undisturbed_s / 3600.0 * f.fleet_usd_per_hour); });
  rows.add("expected time",
           [](const PlanFacts& f) { return f.expectation.time_s ? duration(*f.expectation.time_s) : "n/a"; });
  rows.add("expected cost",
           [](const PlanFacts& f) { return f.expectation.cost_usd ? dollars(*f.expectation.cost_usd) : "n/a"; });
  rows.add("deadline", [](const PlanFacts& f) {
    return f.deadline_s ? duration(*f.deadline_s) + (f.stop_at_deadline ? ", stops there" : "") : "";
  });
  rows.add("budget", [](const PlanFacts& f) {
    return f.budget_usd ? dollars(*f.budget_usd) + (f.stop_at_budget ? ", stops there" : "") : "";
  });
  rows.add("unfinished after", [](const PlanFacts& f) { return seconds(f.horizon_s); });
}

/// Adds a text for a strategy, or the strategy to the text that is there already.
void note(std::vector<Remark>& list, const std::string& strategy, const std::string& text) {
  const auto found = std::ranges::find(list, text, &Remark::text);
  if (found == list.end())
    list.push_back({{strategy}, text});
  else if (std::ranges::find(found->strategies, strategy) == found->strategies.end())
    found->strategies.push_back(strategy);
}

void note_facts(std::vector<Remark>& list, const PlanFacts& facts) {
  const auto add = [&](const std::string& head, const std::string& text) {
    if (!text.empty()) note(list, facts.strategy, head + text);
  };
  add("No progress can be expected: ", facts.hopeless);
  add("Step: ", facts.step_basis);
  if (facts.estimate && facts.estimate->basis != facts.step_basis) add("Efficiency: ", facts.estimate->basis);
  if (facts.estimate)
    add("Nearest measurement: ",
        facts.estimate->nearest.what + " (log distance " + significant(facts.estimate->nearest.distance, 2) + ")");
  if (facts.interval_steps > 0) add("Checkpoint interval: ", facts.interval_basis);
  add("Expectation by ", facts.expectation.form);
  add("No closed-form expectation: ", facts.expectation.why);
}

bool same(const models::Assumption& a, const models::Assumption& b) {
  return a.pointer == b.pointer && a.value == b.value && a.grade == b.grade && a.source == b.source;
}

/// A list that names every strategy names none.
void shorten(Names& strategies, std::size_t all) {
  if (strategies.size() == all) strategies.clear();
}

}  // namespace

Table plan_table(std::span<const sim::Plan> plans, const Style& style) {
  Table table{plans.size() > 1 ? "(=: as " + shown(plans[0].name, style) + ")" : "", {}, {}, {}};
  for (const sim::Plan& plan : plans) table.groups.push_back({"", {{shown(plan.name, style), {}}}});
  Rows rows{table, plans};
  add_size(rows);
  add_step(rows);
  add_memory(rows);
  add_saves(rows);
  add_disruptions(rows);
  add_totals(rows);
  return table;
}

std::vector<Remark> remarks(std::span<const sim::Plan> plans) {
  std::vector<Remark> list;
  for (const sim::Plan& plan : plans) note_facts(list, plan.facts);
  for (Remark& remark : list) shorten(remark.strategies, plans.size());
  return list;
}

std::vector<models::Assumption> assumptions_of(const scenarios::ScenarioFile& file, const sim::Plan& plan) {
  std::vector<models::Assumption> list = plan.facts.assumptions;
  if (const auto& until = file.montecarlo.until; until && until->at_most_assumed)
    list.push_back({"/montecarlo/until/at_most", std::to_string(until->at_most), models::Grade::assumed,
                    "default: 64 x replicates"});
  const auto scenario = std::ranges::find(file.strategies, plan.name, &scenarios::Scenario::strategy);
  if (scenario == file.strategies.end()) return list;
  for (const models::Assumption& each : scenario->assumptions)
    if (std::ranges::none_of(list, [&](const auto& other) { return other.pointer == each.pointer; }))
      list.push_back(each);
  return list;
}

std::vector<SharedAssumption> shared_assumptions(const scenarios::ScenarioFile& file,
                                                 std::span<const sim::Plan> plans) {
  std::vector<SharedAssumption> list;
  for (const sim::Plan& plan : plans)
    for (const models::Assumption& each : assumptions_of(file, plan)) {
      const auto found = std::ranges::find_if(list, [&](const auto& other) { return same(other.assumption, each); });
      if (found == list.end())
        list.push_back({{plan.name}, each});
      else if (found->strategies.back() != plan.name)
        found->strategies.push_back(plan.name);
    }
  for (SharedAssumption& each : list) shorten(each.strategies, plans.size());
  return list;
}

std::vector<std::string> check_warnings(const scenarios::ScenarioFile& file, std::span<const sim::Plan> plans) {
  std::vector<StrategySummary> strategies;
  for (const sim::Plan& plan : plans) {
    strategies.emplace_back();
    strategies.back().name = plan.name;
    strategies.back().warnings = plan_warnings(file, plan);
  }
  return merged_warnings(strategies);
}

}  // namespace fleetcast::analysis
