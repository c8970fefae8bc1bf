#include "sim/plan_measured.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/errors.hpp"
#include "models/network_scaling.hpp"
#include "sim/plan_layout.hpp"

namespace fleetcast::sim {
namespace {

using scenarios::MeasuredSpeedRow;
using scenarios::MeasuredWorkload;
using scenarios::Pool;
using scenarios::Scenario;
using Scaling = MeasuredWorkload::Scaling;

const Pool& first_pool(const Scenario& scenario) {
  return *std::ranges::find_if(scenario.fleet, [](const Pool& pool) { return pool.nodes > 0; });
}

double micro_batches(const Scenario& scenario) {
  return scenario.training.accumulation.value_or(1);
}

/// The gradients of the measurement over the links of this fleet.
models::ScalingQuestion scaling_of(const Scenario& scenario, const MeasuredWorkload& measured) {
  models::ScalingQuestion question;
  question.gradients = measured.gradients.value();
  question.batch = models::Batch::fixed_per_gpu;
  question.micro_batches = micro_batches(scenario);
  question.sync = scenario.training.gradient_sync.value_or(models::GradientSync::once);
  question.overlap = scenario.training.overlap;
  return question;
}

/// What sticks out of the exchange on so many nodes beside `compute` seconds of computing.
double exposed_on(const Scenario& scenario, const MeasuredWorkload& measured, double compute, int nodes) {
  models::ScalingQuestion question = scaling_of(scenario, measured);
  question.compute = compute;
  return models::scaled_step(question, nodes, models::interconnect(links_of(first_pool(scenario)))).exposed;
}

/// The computing of a measured step: what is left when the exchange that stuck out of it is taken away.
double computing_in(const Scenario& scenario, const MeasuredWorkload& measured, double step, int nodes) {
  double compute = step;
  for (int round = 0; round < 60; ++round)
    compute = std::max(0.05 * step, 0.5 * (compute + step - exposed_on(scenario, measured, compute, nodes)));
  return compute;
}

/// Of this fleet's GPU and precision: with this number of GPUs, else the nearest where scaling is allowed.
const MeasuredSpeedRow* row_for(const MeasuredWorkload& measured, const Scenario& scenario, const PlanFacts& facts) {
  const MeasuredSpeedRow* best = nullptr;
  const auto miss = [&](const MeasuredSpeedRow& row) { return std::max(row.gpus / facts.gpus, facts.gpus / row.gpus); };
  for (const MeasuredSpeedRow& row : measured.rows) {
    if (row.gpu != facts.gpu || row.precision != scenario.training.precision) continue;
    if (measured.scaling == Scaling::none && row.gpus != static_cast<int>(facts.gpus)) continue;
    if (best == nullptr || miss(row) < miss(*best)) best = &row;
  }
  return best;
}

StepTime scaled_row(const Scenario& scenario, const MeasuredWorkload& measured, const MeasuredSpeedRow& row,
                    PlanFacts& facts) {
  const int per_node = first_pool(scenario).instance.gpus;
  const auto nodes_of = [&](double gpus) { return std::max(1, static_cast<int>(std::lround(gpus / per_node))); };
  const double step = facts.samples_per_step / (facts.gpus * row.samples_per_s_per_gpu);
  const double compute = computing_in(scenario, measured, step, nodes_of(row.gpus));
  StepTime time = whole_step(compute,
                             "measured row on " + std::to_string(row.gpus) +
                                 " GPUs; its exchange of gradients by the collective model on this network",
                             facts);
  facts.step_grade = models::Grade::extrapolated;
  time.exposed_communication = exposed_on(scenario, measured, compute, nodes_of(facts.gpus));
  return time;
}

StepTime step_of_rows(const Scenario& scenario, const MeasuredWorkload& measured, PlanFacts& facts) {
  const MeasuredSpeedRow* row = row_for(measured, scenario, facts);
  if (row == nullptr) {
    refuse("/workload/measured/rows",
           "no row for " + std::to_string(static_cast<int>(facts.gpus)) + " " + facts.gpu + " in " +
               std::string{name_of(scenario.training.precision)},
           R"(a row for this fleet, or "scaling": "linear" or "network")");
  }
  if (facts.samples_per_step <= 0.0) {
    refuse("/workload/global_batch", "is needed with measured rows", R"("2048 samples")");
  }
  const bool same = row->gpus == static_cast<int>(facts.gpus);
  if (measured.scaling == Scaling::network && !same) return scaled_row(scenario, measured, *row, facts);
  return whole_step(facts.samples_per_step / (facts.gpus * row->samples_per_s_per_gpu),
                    "measured row of the scenario on " + std::to_string(row->gpus) + " GPUs", facts);
}

/// How often the measured exchange happens in a step: once, after every micro-batch, or every so many steps.
double exchanges_per_step(const Scenario& scenario, double step) {
  const auto& training = scenario.training;
  double times = training.gradient_sync == models::GradientSync::every ? micro_batches(scenario) : 1.0;
  if (const auto& local = training.exchange)
    times /= local->every.in_steps ? local->every.value : std::max(1.0, std::round(local->every.value / step));
  return times;
}

void add_exchange(const Scenario& scenario, const MeasuredWorkload& measured, StepTime& step, Plan& plan) {
  if (!measured.exchange) return;
  const double times = exchanges_per_step(scenario, step.compute);
  step.jitter_is_extra = true;
  if (models::is_constant(*measured.exchange))
    plan.step.exchange_s = times * models::mean(*measured.exchange);
  else
    plan.step.exchange = models::scaled(*measured.exchange, times);
}

}  // namespace

void refuse(const std::string& pointer, const std::string& problem, const std::string& allowed) {
  throw models::InputError{{models::Fault{{}, 0, 0, pointer, problem, allowed, {}}}};
}

StepTime whole_step(double seconds, std::string basis, PlanFacts& facts) {
  facts.step_basis = std::move(basis);
  facts.step_grade = models::Grade::measured;
  return {seconds, 0.0, 0.0, false};
}

StepTime measured_step(const Scenario& scenario, Plan& plan) {
  PlanFacts& facts = plan.facts;
  const MeasuredWorkload measured = scenario.workload.measured.value_or(MeasuredWorkload{});
  if (!measured.rows.empty()) return step_of_rows(scenario, measured, facts);
  const Distribution law = measured.step_time.value_or(models::Constant{1.0});
  const double mean = models::mean(law);
  if (!models::is_constant(law)) plan.step.node_draw = models::scaled(law, 1.0 / mean);
  StepTime step = whole_step(mean, "measured step time of the scenario", facts);
  if (!measured.step_time) facts.step_basis = "a step of 1 s stands for the undisturbed work";
  if (measured.scaling == Scaling::network && !measured.exchange) {
    step.exposed_communication = exposed_on(scenario, measured, mean, static_cast<int>(facts.nodes));
    facts.step_basis = "measured computing of the scenario; exchange by the collective model";
    facts.step_grade = models::Grade::extrapolated;
  }
  add_exchange(scenario, measured, step, plan);
  return step;
}

}  // namespace fleetcast::sim
