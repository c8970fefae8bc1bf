// Size, rates and interval of the saves.
#include <algorithm>
#include <cmath>

#include "sim/plan_parts.hpp"
#include "sim/trial_step.hpp"
#include "sim/young_daly.hpp"

namespace fleetcast::sim {
namespace {

using scenarios::Checkpoint;
using scenarios::Scenario;

constexpr double longest_default_interval_s = 4.0 * models::seconds_per_hour;
constexpr double shortest_default_interval_s = 60.0;
/// Copy of the state from a GPU to its host, bytes/s, pageable memory and all: 14 GB in 0.54 s were reported on H100
/// (26 GB/s); a third of it is assumed.
constexpr double snapshot_rate_per_gpu = 8e9;
constexpr double seconds_per_month = 730.0 * models::seconds_per_hour;

double state_bytes(const Scenario& scenario, Plan& plan) {
  if (scenario.checkpoint.size) return scenario.checkpoint.size->value();
  if (scenario.workload.model) {
    const double bytes = models::checkpoint_bytes(*scenario.workload.model, scenario.training.optimizer).value();
    assume(plan, "/checkpoint/size", std::to_string(std::llround(bytes / 1e9)) + " GB",
           "weights and optimiser state of the model", models::Grade::fitted);
    return bytes;
  }
  return scenario.workload.measured ? scenario.workload.measured->state.value() : 0.0;
}

/// Seconds to move the state between all nodes and the store.
double transfer_s(const models::StoreSpec& store, double bytes, double nodes) {
  if (bytes <= 0.0) return 0.0;
  double rate = store.node_rate.value() * nodes;
  if (store.aggregate.value() > 0.0) rate = std::min(rate, store.aggregate.value());
  return store.fixed.value() + (rate > 0.0 ? bytes / rate : 0.0);
}

void note_store(const Scenario& scenario, double seconds, Plan& plan) {
  if (plan.save.bytes <= 0.0) return;
  const models::StoreSpec& store = scenario.checkpoint.store;
  assume(plan, "/checkpoint/measured", in_words(seconds) + " to move the state to or from " + store.id, store.source,
         store.grade);
}

void fill_times(const Scenario& scenario, Plan& plan) {
  const Checkpoint& checkpoint = scenario.checkpoint;
  SavePlan& save = plan.save;
  const double transfer = transfer_s(checkpoint.store, save.bytes, plan.facts.nodes);
  const bool async = checkpoint.mode == Checkpoint::Mode::async;
  bool used_store = false;
  if (checkpoint.measured) {
    save.blocked = checkpoint.measured->blocked;
    if (checkpoint.measured->persist) {
      save.persist = *checkpoint.measured->persist;
    } else if (async) {
      save.persist = models::Constant{transfer};
      used_store = true;
    }
  } else if (async) {
    const double snapshot = save.bytes / (snapshot_rate_per_gpu * plan.facts.gpus);
    save.blocked = models::Constant{snapshot};
    save.persist = models::Constant{transfer};
    assume(plan, "/checkpoint/measured/blocked", in_words(snapshot), "copy to host memory at 8 GB/s per GPU");
    used_store = true;
  } else {
    save.blocked = models::Constant{transfer};
    used_store = true;
  }
  if (!scenario.recovery.whole && !scenario.recovery.parts.load) {
    const bool measured = checkpoint.measured && checkpoint.measured->load;
    plan.restart.load = {measured ? *checkpoint.measured->load : Distribution{models::Constant{transfer}}, 0.0};
    used_store = used_store || !measured;
  }
  if (used_store) note_store(scenario, transfer, plan);
}

double mean_blocked_s(const SavePlan& save) {
  const double persist = save.mode == Checkpoint::Mode::sync ? models::mean(save.persist) : 0.0;
  return models::mean(save.blocked) + persist;
}

/// Seconds of stepping between saves when the scenario does not say.
double default_interval_s(Plan& plan) {
  const double rate = stop_rates(plan).unplanned();
  PlanFacts& facts = plan.facts;
  if (rate <= 0.0) {
    facts.interval_basis = "nothing stops the gang unplanned: the longest, 4 h";
    return longest_default_interval_s;
  }
  const double best = optimal_interval_s(mean_blocked_s(plan.save), 1.0 / rate);
  facts.interval_basis = "Young/Daly for a stop every " + in_words(1.0 / rate) + " and a save that blocks " +
                         in_words(mean_blocked_s(plan.save));
  const double shortest = std::max(shortest_default_interval_s, models::mean(plan.save.persist));
  if (best < shortest) facts.interval_basis += ", but not before the save before is durable";
  if (best > longest_default_interval_s) facts.interval_basis += ", but at most 4 h";
  return std::clamp(best, std::min(shortest, longest_default_interval_s), longest_default_interval_s);
}

void fill_interval(const Scenario& scenario, Plan& plan) {
  const auto& interval = scenario.checkpoint.interval;
  PlanFacts& facts = plan.facts;
  double steps = 0.0;
  if (interval && interval->in_steps) {
    steps = interval->value;
    facts.interval_basis = "given";
  } else {
    const double seconds = interval ? interval->value : default_interval_s(plan);
    if (interval) facts.interval_basis = "given as time, in whole steps";
    steps = std::max(1.0, std::round(seconds / facts.step_time_s));
  }
  plan.save.interval_steps = static_cast<std::uint64_t>(std::min(steps, 1e18));
  facts.interval_steps = steps;
  facts.interval_s = steps * facts.step_time_s;
  if (!interval) assume(plan, "/checkpoint/interval", in_words(facts.interval_s), facts.interval_basis);
}

/// Saves that are not kept for as long as it takes to find an error do not help against it.
void warn_about_reach(Plan& plan) {
  if (plan.save.keep < 0) return;
  const double reach = static_cast<double>(plan.save.keep) * plan.facts.interval_s;
  for (const CausePlan& cause : plan.causes) {
    if (!cause.is(scenarios::FailureKind::silent) || !cause.detect) continue;
    const double found = models::mean(*cause.detect) + cause.detect_offset;
    if (found <= reach) continue;
    plan.facts.warnings.push_back("cause " + cause.name + ": an error is found after " + in_words(found) +
                                  " on average, and the " + std::to_string(plan.save.keep) +
                                  " saves that are kept reach back " + in_words(reach) +
                                  ": the run begins again from zero where none is old enough; set checkpoint.keep");
  }
}

void warn_about_saves(const Scenario& scenario, Plan& plan) {
  PlanFacts& facts = plan.facts;
  const SavePlan& save = plan.save;
  if (save.interval_steps >= plan.steps) {
    facts.warnings.emplace_back("no checkpoint will be written before the end: the interval (" +
                                in_words(facts.interval_s) +
                                ") is longer than the run; everything is at risk until then");
  }
  const std::uint64_t tail = plan.steps % std::max<std::uint64_t>(1, save.interval_steps);
  if (!save.final_save && tail > 0) {
    facts.warnings.emplace_back("there is no final save: what follows the last save of the interval, " +
                                in_words(static_cast<double>(tail) * facts.step_time_s) +
                                " of steps, is never durable, though it counts as done");
  }
  if (save.bytes <= 0.0 && !scenario.checkpoint.measured && facts.load_s <= 0.0) {
    facts.warnings.push_back(
        "the size of a checkpoint is unknown: saves and loads take no time; set checkpoint.size or "
        "checkpoint.measured");
  }
  if (save.mode == Checkpoint::Mode::async && facts.save_persist_s > facts.interval_s) {
    facts.warnings.emplace_back("a save takes " + in_words(facts.save_persist_s) +
                                " to become durable, longer than the interval (" + in_words(facts.interval_s) +
                                "): the gang waits for it");
  }
  for (const PoolPlan& pool : plan.pools) {
    const double longest = models::upper_bound(pool.notice);
    if (save.on_notice && pool.spot && longest > 0.0 && facts.save_blocked_s + facts.save_persist_s > longest) {
      facts.warnings.emplace_back("a save on notice never fits in pool " + pool.name + ": it takes " +
                                  in_words(facts.save_blocked_s + facts.save_persist_s) + ", the notice is at most " +
                                  in_words(longest));
    }
  }
}

}  // namespace

void plan_saves(const Scenario& scenario, Plan& plan) {
  SavePlan& save = plan.save;
  PlanFacts& facts = plan.facts;
  save.mode = scenario.checkpoint.mode;
  facts.checkpoint_mode = save.mode == Checkpoint::Mode::off    ? "off"
                          : save.mode == Checkpoint::Mode::sync ? "sync"
                                                                : "async";
  if (save.mode == Checkpoint::Mode::off) {
    if (stop_rates(plan).running() > 0.0)
      facts.warnings.emplace_back("no checkpoints: every stop starts from the beginning");
    return;
  }
  save.on_notice = scenario.checkpoint.on_notice;
  save.final_save = scenario.checkpoint.final_save;
  save.keep = scenario.checkpoint.keep.value_or(-1);
  save.bytes = state_bytes(scenario, plan);
  save.usd_per_byte_s = scenario.checkpoint.store.per_gb_month.value() / 1e9 / seconds_per_month;
  save.usd_per_save = scenario.checkpoint.store.per_1k_writes.value() / 1000.0 * facts.gpus;
  fill_times(scenario, plan);
  facts.checkpoint_bytes = save.bytes;
  facts.save_blocked_s = models::mean(save.blocked);
  facts.save_persist_s = models::mean(save.persist);
  facts.load_s = models::mean(plan.restart.load.law) + plan.restart.load.offset_s;
  fill_interval(scenario, plan);
  const double interval_sd = std::sqrt(facts.interval_steps) * step_moments(plan.step, 1.0).sd;
  // Calibration may make steps faster by this much in a trial; 4 sd is far enough for a warning-free shortcut.
  const double spread = 4.0 * std::sqrt(plan.step.log_sd_common * plan.step.log_sd_common +
                                        plan.step.log_sd_contrast * plan.step.log_sd_contrast);
  save.shortest_interval_s = (facts.interval_s - 6.0 * interval_sd) * std::max(0.0, 1.0 - spread);
  warn_about_saves(scenario, plan);
  warn_about_reach(plan);
}

}  // namespace fleetcast::sim
