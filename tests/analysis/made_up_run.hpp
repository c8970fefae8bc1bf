#pragma once
// A made-up run for the tests of statistics and report: plans with facts, outcomes with a plausible spread.
#include <cmath>

#include "analysis/summary.hpp"
#include "made_up.hpp"

namespace made_up {

struct Run {
  fleetcast::scenarios::ScenarioFile file;
  std::vector<fleetcast::sim::Plan> plans;
  std::vector<std::vector<Outcome>> outcomes;
};

inline double normal(Stream& stream) {  // Irwin-Hall: sum of 12 uniforms
  double sum = -6.0;
  for (int i = 0; i < 12; ++i) sum += uniform(stream);
  return sum;
}

/// A finished trial of 128 GPUs.
inline Outcome trial(Stream& stream, double days, double usd_per_gpu_h, double lost_share, double stops) {
  Outcome made;
  made.time_s = days * 86400.0 * (1.0 + 0.02 * normal(stream));
  made.held_gpu_s = 128.0 * made.time_s;
  made.stops = static_cast<std::uint32_t>(std::max(0.0, stops + std::sqrt(stops) * normal(stream)));
  made.stops_by_cause = {made.stops / 2, made.stops - made.stops / 2};
  const double lost = lost_share * (1.0 + 0.1 * normal(stream));
  using fleetcast::sim::Account;
  const auto set = [&](Account account, double share) {
    made.account_gpu_s[static_cast<std::size_t>(account)] = share * made.held_gpu_s;
  };
  set(Account::lost_work, lost);
  set(Account::start_up, lost / 2);
  set(Account::exposed_communication, 0.08);
  set(Account::checkpoint_stall, 0.004);
  set(Account::compute, 0.916 - 1.5 * lost);
  made.held_usd = made.held_gpu_s / 3600.0 * usd_per_gpu_h;
  made.rounding_usd = 12.0 * made.stops;
  made.storage_usd = 260.0;
  made.cost_usd = made.held_usd + made.rounding_usd + made.storage_usd;
  made.kept_steps = 238419;
  made.kept_wall_s = (1.0 - 1.5 * lost - 0.004) * made.time_s;
  made.checkpoints_started = 180 + made.stops;
  made.checkpoints_usable = 180;
  made.bytes_written = made.checkpoints_started * 96e9;
  return made;
}

inline fleetcast::sim::Plan plan(const std::string& name) {
  fleetcast::sim::Plan made;
  made.name = name;
  made.cause_names = {"reclaim", "gpu"};
  made.nodes = 16;
  made.gpus = 128;
  fleetcast::sim::PlanFacts& facts = made.facts;
  facts.strategy = name;
  facts.gpus = 128;
  facts.nodes = 16;
  facts.gpu = "H100";
  facts.precision = "bf16";
  facts.steps = 238419;
  facts.tokens_per_step = 4194304;
  facts.samples_per_step = 512;
  facts.compute_s = 2.55;
  facts.exposed_communication_s = 0.22;
  facts.step_time_s = 2.77;
  facts.step_basis = "achieved efficiency of dense models of 7 to 13 B on H100 in bf16, 14 rows";
  facts.step_grade = fleetcast::models::Grade::fitted;
  facts.model_flops_per_step = 4194304 * 5.1e10;
  facts.peak_flops_per_gpu = 989.4e12;
  facts.checkpoint_mode = "sync";
  facts.checkpoint_bytes = 96e9;
  facts.interval_steps = 1300;
  facts.interval_s = 3600;
  facts.interval_basis = "Young/Daly with 0.012 stops per hour";
  facts.save_blocked_s = 14;
  facts.load_s = 20;
  facts.restart_s = 660;
  facts.wait_s = 300;
  facts.stops_per_hour = 0.012;
  facts.fleet_usd_per_hour = 1573;
  facts.undisturbed_s = 7.7 * 86400;
  facts.horizon_s = 154 * 86400;
  facts.deadline_s = 8.5 * 86400;
  facts.expectation = {7.9 * 86400, 298000, "Young/Daly first order", ""};
  facts.assumptions = {{"/fleet/main/wait", "lognormal(median 5 min, sigma 0.5)", fleetcast::models::Grade::assumed,
                        "on-demand capacity, no public measurement"},
                       {"/training/jitter", "0.03", fleetcast::models::Grade::assumed, "typical of healthy clusters"}};
  return made;
}

/// Four strategies, the third with two unfinished trials.
inline Run run(std::uint32_t replicates = 1000) {
  Run made;
  made.file.name = "quickstart";
  made.file.montecarlo.seed = 1;
  struct Kind {
    const char* name;
    double days, price, lost, stops;
  };
  for (const Kind& kind : {Kind{"base", 8.1, 12.29, 0.01, 2.4}, Kind{"spot", 8.6, 4.8, 0.05, 22},
                           Kind{"spot, async saves", 8.4, 4.8, 0.03, 22}, Kind{"fp8", 6.2, 12.29, 0.01, 2.0}}) {
    made.plans.push_back(plan(kind.name));
    made.file.strategies.emplace_back();
    made.file.strategies.back().strategy = kind.name;
    auto& trials = made.outcomes.emplace_back();
    for (std::uint32_t t = 0; t < replicates; ++t) {
      Stream stream{{1, t, fleetcast::models::Purpose::test, 0, 0}};
      trials.push_back(trial(stream, kind.days, kind.price, kind.lost, kind.stops));
    }
  }
  return made;
}

}  // namespace made_up
