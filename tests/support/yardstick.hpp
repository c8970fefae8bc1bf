#pragma once
// The yardstick: a small gang model that is easy to write down and to program barely, as a plan.
// N nodes; a step is the longest of N log-normal compute times (median 0.9 s, sigma 0.03), then an all-reduce
// (0.1 s); after every 100 steps a checkpoint (5 s); node lives exponential with mean 1,150 s x N; back to the last
// finished checkpoint, an exponential wait (mean 120 s), restart; 10,000 steps.
#include "sim/plan.hpp"

namespace fleetcast::tests {

inline sim::Plan yardstick_plan(int nodes, scenarios::Grain grain) {
  sim::Plan plan;
  plan.name = "yardstick";
  plan.nodes = nodes;
  plan.gpus = nodes;
  sim::PoolPlan pool;
  pool.name = "main";
  pool.nodes = nodes;
  pool.gpus_per_node = 1;
  pool.lifetime = models::Exponential{1150.0 * nodes};
  pool.wait = models::Exponential{120.0};
  plan.pools = {pool};
  plan.steps = 10'000;
  plan.step.node_compute_s = 0.9;
  plan.step.jitter = 0.03;
  plan.step.slowest = sim::SlowestNode{nodes, 0.03};
  plan.step.exchange_s = 0.1;
  plan.save.mode = scenarios::Checkpoint::Mode::sync;
  plan.save.interval_steps = 100;
  plan.save.blocked = models::Constant{5.0};
  plan.save.on_notice = false;
  plan.save.bytes = 1.0;
  plan.restart.whole = true;
  plan.cause_names = {"reclaim"};
  plan.grain = grain;
  return plan;
}

}  // namespace fleetcast::tests
