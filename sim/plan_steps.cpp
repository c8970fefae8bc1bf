// How many steps, and how long one takes.
#include <algorithm>
#include <cmath>

#include "models/errors.hpp"
#include "models/random/deterministic_math.hpp"
#include "sim/plan_layout.hpp"
#include "sim/plan_measured.hpp"
#include "sim/plan_parts.hpp"
#include "sim/trial_step.hpp"

namespace fleetcast::sim {
namespace {

using models::TransformerShape;
using scenarios::Amount;
using scenarios::MeasuredWorkload;
using scenarios::Pool;
using scenarios::Scenario;
using scenarios::Speed;

constexpr double mebi = 1024.0 * 1024.0;

// ------------------------------------------------------------------------------------------ the batch

/// Default global batch of a transformer: 0.5, 2, 4 Mi tokens below 3B, below 30B, above.
double default_batch_tokens(const TransformerShape& shape) {
  const double size = models::parameters(shape);
  return (size < 3e9 ? 0.5 : size < 30e9 ? 2.0 : 4.0) * mebi;
}

std::string in_mebi(double tokens) {
  const std::string digits = std::to_string(tokens / mebi);
  return digits.substr(0, digits.find('.') + 2) + "Mi tokens";
}

void plan_batch(const Scenario& scenario, PlanFacts& facts, Plan& plan) {
  const auto& workload = scenario.workload;
  const double sequence = workload.sequence_length.value_or(0.0);
  if (workload.global_batch) {
    const bool in_tokens = workload.global_batch->unit == scenarios::GlobalBatch::Unit::tokens;
    const double count = workload.global_batch->count;
    facts.tokens_per_step = in_tokens ? count : count * sequence;
    facts.samples_per_step = !in_tokens ? count : sequence > 0.0 ? count / sequence : 0.0;
  } else if (workload.model) {
    facts.tokens_per_step = default_batch_tokens(*workload.model);
    facts.samples_per_step = facts.tokens_per_step / sequence;
    assume(plan, "/workload/global_batch", in_mebi(facts.tokens_per_step), "usual for models of this size");
  }
}

double amount_per_step(const Amount& amount, const PlanFacts& facts) {
  if (amount.kind == Amount::Kind::steps) return 1.0;
  const bool tokens = amount.kind == Amount::Kind::tokens;
  const double per_step = tokens ? facts.tokens_per_step : facts.samples_per_step;
  if (per_step <= 0.0) {
    refuse("/workload/global_batch",
           std::string{"is needed to turn "} + (tokens ? "tokens" : "samples") + " into steps",
           R"("4Mi tokens" (with sequence_length) or "2048 samples")");
  }
  return per_step;
}

// ------------------------------------------------------------------------------------- the step's time

double peak_of(const Pool& pool, models::Precision precision) {
  const auto peak = pool.gpu.peak(precision);
  if (!peak) throw models::InfeasibleError{pool.gpu.id + " has no " + std::string{name_of(precision)}};
  return peak->value();
}

/// Peak FLOP/s of the whole gang.
double gang_peak(const Scenario& scenario) {
  double sum = 0.0;
  for (const Pool& pool : scenario.fleet) {
    if (pool.nodes > 0) sum += pool.nodes * pool.instance.gpus * peak_of(pool, scenario.training.precision);
  }
  return sum;
}

/// Steps without their exchange; who waits for the slowest node waits for less.
void drop_exchange(models::StepBreakdown& parts) {
  const double before = parts.total() - parts.waiting;
  parts.gradient_traffic = parts.hidden = 0.0;
  parts.waiting *= (parts.total() - parts.waiting) / before;
}

/// Replicas that step on their own for a while exchange weights in one go, which nothing hides.
void apply_local_steps(const Scenario& scenario, const models::StepQuestion& question, models::StepEstimate& estimate) {
  const auto& local = scenario.training.exchange;
  if (!local) return;
  const double bits = local->precision ? models::bits_of(*local->precision) : 32.0;
  const double whole = models::exchange_seconds(question) * bits / 16.0;
  models::StepBreakdown& parts = estimate.parts;
  const double before = parts.total();
  drop_exchange(parts);
  const double every =
      local->every.in_steps ? local->every.value : std::max(1.0, std::round(local->every.value / parts.total()));
  parts.gradient_traffic = whole / every;
  estimate.mfu *= before / parts.total();
  estimate.hfu *= before / parts.total();
}

StepTime time_of(const models::StepBreakdown& parts) {
  StepTime time;
  time.exposed_communication = parts.exposed_communication();
  time.bubble = parts.bubble;
  time.compute = parts.total() - time.exposed_communication - time.bubble;
  return time;
}

/// The calibrated model; the slowest pool sets the pace.
StepTime modelled_step(const Scenario& scenario, const models::Catalog& catalog, Plan& plan) {
  PlanFacts& facts = plan.facts;
  const models::Layout layout = *facts.layout;
  for (const Pool& pool : scenario.fleet) {
    if (pool.nodes == 0) continue;
    const models::StepQuestion question = question_for(scenario, pool, layout);
    models::StepEstimate estimate = models::estimate_step(question, catalog.throughput, scenario.allow_extrapolation);
    apply_local_steps(scenario, question, estimate);
    if (!facts.estimate || estimate.parts.total() > facts.estimate->parts.total()) facts.estimate = std::move(estimate);
  }
  const models::StepEstimate& slowest = *facts.estimate;
  plan.step.log_sd_common = slowest.log_sd_common;
  plan.step.log_sd_contrast = slowest.log_sd_contrast;
  // A stable number per GPU and precision, so that strategies which share them share the error.
  std::uint32_t key = 2166136261U;
  for (const char letter : slowest.contrast_key) key = (key ^ static_cast<unsigned char>(letter)) * 16777619U;
  plan.step.contrast_entity = key | 1U;
  facts.step_basis = slowest.basis;
  facts.step_grade = slowest.grade;
  return time_of(slowest.parts);
}

/// A model's step is computed of its layout; where the speed is given, a given layout is judged by its memory alone.
bool needs_layout(const Scenario& scenario) {
  const auto& training = scenario.training;
  if (scenario.workload.measured) return false;
  return training.speed.kind == Speed::Kind::model ||
         (!training.parallelism.automatic && training.micro_batch.has_value());
}

StepTime step_time(const Scenario& scenario, const models::Catalog& catalog, Plan& plan) {
  PlanFacts& facts = plan.facts;
  const Speed& speed = scenario.training.speed;
  const auto& model = scenario.workload.model;
  switch (speed.kind) {
    case Speed::Kind::step_time:
      return whole_step(speed.value, "given as seconds per step", facts);
    case Speed::Kind::mfu:
      return whole_step(*facts.model_flops_per_step / (gang_peak(scenario) * speed.value), "given as MFU", facts);
    case Speed::Kind::mfu_6nd:
      return whole_step(
          facts.tokens_per_step * models::flops_per_token_6nd(*model) / (gang_peak(scenario) * speed.value),
          "given as MFU by the 6ND rule", facts);
    case Speed::Kind::tokens_per_s_per_gpu:
      if (facts.tokens_per_step <= 0.0)
        refuse("/training/speed", "tokens/s/GPU needs a batch in tokens", "global_batch in tokens");
      return whole_step(facts.tokens_per_step / (facts.gpus * speed.value), "given as tokens/s/GPU", facts);
    case Speed::Kind::model:
      break;
  }
  return model && !scenario.workload.measured ? modelled_step(scenario, catalog, plan) : measured_step(scenario, plan);
}

void fill_loader(const Scenario& scenario, Plan& plan) {
  if (!scenario.data_rate) return;
  double per_step = 1.0;
  if (scenario.data_rate->unit == scenarios::DataRate::Unit::samples) {
    per_step = plan.facts.samples_per_step;
    if (per_step <= 0.0)
      refuse("/data/rate", "samples/s needs a global batch in samples", R"("batches/s" or a global_batch)");
  }
  plan.step.batch_interval_s = per_step / scenario.data_rate->per_second;
}

void fill_facts_of_step(PlanFacts& facts, const StepMoments& step) {
  facts.compute_s = step.compute;
  facts.straggler_wait_s = step.straggler;
  facts.exposed_communication_s = step.exchange;
  facts.pipeline_bubble_s = step.bubble;
  facts.data_stall_s = step.stall;
  facts.step_time_s = step.mean;
}

std::uint64_t count_steps(const Amount& amount, const PlanFacts& facts) {
  double steps = 0.0;
  if (amount.kind == Amount::Kind::work) {
    steps = std::round(amount.work.value() / (facts.step_time_s - facts.data_stall_s));
  } else {
    steps = std::ceil(amount.count / amount_per_step(amount, facts) - 1e-9);
  }
  if (steps > 1e15) refuse("/workload", "more than 10^15 steps", "at most 10^15 steps");
  return static_cast<std::uint64_t>(std::max(1.0, steps));
}

}  // namespace

void plan_steps(const Scenario& scenario, const models::Catalog& catalog, Plan& plan) {
  PlanFacts& facts = plan.facts;
  facts.precision = std::string{name_of(scenario.training.precision)};
  plan_batch(scenario, facts, plan);
  if (const auto& model = scenario.workload.model) {
    facts.model_flops_per_step =
        facts.tokens_per_step * models::model_flops_per_token(*model, *scenario.workload.sequence_length);
    facts.peak_flops_per_gpu = gang_peak(scenario) / facts.gpus;
    if (needs_layout(scenario)) plan_layout(scenario, catalog, plan);
  }
  const StepTime time = step_time(scenario, catalog, plan);
  StepPlan& step = plan.step;
  step.jitter = scenario.training.jitter;
  step.slowest = SlowestNode{plan.nodes, step.jitter};
  step.node_compute_s = time.jitter_is_extra ? time.compute : time.compute / step.slowest.mean();
  if (time.exposed_communication > 0.0) step.exchange_s = time.exposed_communication;
  step.bubble_s = time.bubble;
  fill_loader(scenario, plan);
  fill_facts_of_step(facts, step_moments(step, 1.0));
  plan.steps = count_steps(scenario.workload.amount, facts);
  facts.steps = static_cast<double>(plan.steps);
  if (is_irregular(step)) {
    facts.warnings.push_back(
        "a random step or exchange together with data.rate is drawn step by step: this run is slow");
  }
}

}  // namespace fleetcast::sim
