#pragma once
// A scenario made by hand: 2 nodes of 8 GPUs, 1,000 steps of 2 s, nothing that strikes, no jitter.
#include "sim/plan.hpp"

namespace fleetcast::tests {

inline models::GpuSpec plain_gpu() {
  models::GpuSpec gpu;
  gpu.id = "A100";
  gpu.peaks = {{models::Precision::bf16, models::FlopsPerSecond{312e12}}};
  return gpu;
}

inline scenarios::Pool plain_pool(int nodes) {
  scenarios::Pool pool;
  pool.name = "main";
  pool.nodes = nodes;
  pool.instance.gpus = 8;
  pool.gpu = plain_gpu();
  pool.price_per_node_h = 10.0;
  return pool;
}

inline scenarios::Scenario plain_scenario(int nodes = 2) {
  scenarios::Scenario scenario;
  scenario.workload.amount = {scenarios::Amount::Kind::steps, 1000.0, {}};
  scenario.workload.measured.emplace();
  scenario.workload.measured->step_time = models::Constant{2.0};
  scenario.fleet = {plain_pool(nodes)};
  scenario.training.jitter = 0.0;
  scenario.checkpoint.measured.emplace();
  scenario.checkpoint.measured->blocked = models::Constant{10.0};
  scenario.recovery.whole = models::Constant{60.0};
  return scenario;
}

/// A dense shape of about 7e9 parameters (Llama-2 7B).
inline models::TransformerShape shape_7b() {
  models::TransformerShape shape;
  shape.layers = 32;
  shape.hidden = 4096;
  shape.heads = shape.kv_heads = 32;
  shape.ffn = 11008;
  shape.vocab = 32000;
  return shape;
}

inline sim::Plan plan_of(const scenarios::Scenario& scenario, const scenarios::MonteCarlo& montecarlo = {}) {
  return sim::make_plan(scenario, montecarlo, models::Catalog{});
}

inline scenarios::FailureCause failure_of(const std::string& name, double rate_per_node, bool needs_node = true) {
  scenarios::FailureCause cause;
  cause.name = name;
  cause.rate_per_node = rate_per_node;
  cause.needs_node = needs_node;
  return cause;
}

/// True if one of the texts contains `part`.
inline bool mentions(const std::vector<std::string>& texts, const std::string& part) {
  for (const std::string& text : texts) {
    if (text.find(part) != std::string::npos) return true;
  }
  return false;
}

}  // namespace fleetcast::tests
