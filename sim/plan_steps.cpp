// How many steps, and how long one takes.
#include <algorithm>
#include <cmath>

#include "models/errors.hpp"
#include "models/random/deterministic_math.hpp"
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

[[noreturn]] void refuse(const std::string& pointer, const std::string& problem, const std::string& allowed) {
  throw models::InputError{{models::Fault{{}, 0, 0, pointer, problem, allowed, {}}}};
}

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

/// Mean seconds of the parts of an undisturbed gang step; straggler waits are inside compute.
struct StepTime {
  models::StepParts parts;
  bool jitter_is_extra = false;  ///< compute is one node's, before the wait for the slowest
};

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

models::EfficiencyQuestion question_for(const Scenario& scenario, const Pool& pool, const PlanFacts& facts) {
  models::EfficiencyQuestion question;
  question.shape = *scenario.workload.model;
  question.gpu = pool.gpu;
  question.precision = scenario.training.precision;
  question.gpus = facts.gpus;
  question.sequence_length = *scenario.workload.sequence_length;
  question.tokens_per_step = facts.tokens_per_step;
  const auto& layout = scenario.training.parallelism;
  if (layout.pipeline_or_1() > 1) {
    question.pipeline = layout.pipeline_or_1();
    question.virtual_stages = layout.virtual_or_1();
    const double replicas = facts.gpus / (layout.tensor_or_1() * layout.pipeline_or_1() * layout.context_or_1());
    question.micro_batches =
        std::max(1.0, facts.samples_per_step / (replicas * scenario.training.micro_batch.value_or(1)));
  }
  return question;
}

/// The calibrated model; the slowest pool sets the pace.
StepTime modelled_step(const Scenario& scenario, const models::Catalog& catalog, Plan& plan) {
  PlanFacts& facts = plan.facts;
  for (const Pool& pool : scenario.fleet) {
    if (pool.nodes == 0) continue;
    models::StepEstimate estimate =
        models::estimate_step(question_for(scenario, pool, facts), catalog.efficiency, scenario.allow_extrapolation);
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
  return {slowest.parts, false};
}

StepTime whole_step(double seconds, std::string basis, PlanFacts& facts) {
  facts.step_basis = std::move(basis);
  facts.step_grade = models::Grade::measured;
  return {{seconds, 0.0, 0.0}, false};
}

StepTime measured_by_row(const Scenario& scenario, const MeasuredWorkload& measured, PlanFacts& facts) {
  const std::string& gpu = facts.gpu;
  const scenarios::MeasuredSpeedRow* best = nullptr;
  for (const auto& row : measured.rows) {
    if (row.gpu != gpu || row.precision != scenario.training.precision) continue;
    const bool same_count = row.gpus == static_cast<int>(facts.gpus);
    if (same_count || (measured.scaling == MeasuredWorkload::Scaling::linear && best == nullptr)) best = &row;
    if (same_count) break;
  }
  if (best == nullptr) {
    refuse("/workload/measured/rows",
           "no row for " + std::to_string(static_cast<int>(facts.gpus)) + " " + gpu + " in " +
               std::string{name_of(scenario.training.precision)},
           R"(a row for this fleet, or "scaling": "linear")");
  }
  if (facts.samples_per_step <= 0.0) {
    refuse("/workload/global_batch", "is needed with measured rows", R"("2048 samples")");
  }
  return whole_step(facts.samples_per_step / (facts.gpus * best->samples_per_s_per_gpu),
                    "measured row of the scenario on " + std::to_string(best->gpus) + " GPUs", facts);
}

StepTime measured_step(const Scenario& scenario, Plan& plan) {
  PlanFacts& facts = plan.facts;
  const MeasuredWorkload measured = scenario.workload.measured.value_or(MeasuredWorkload{});
  if (!measured.rows.empty()) return measured_by_row(scenario, measured, facts);
  const Distribution law = measured.step_time.value_or(models::Constant{1.0});
  const double mean = models::mean(law);
  if (!models::is_constant(law)) plan.step.node_draw = models::scaled(law, 1.0 / mean);
  StepTime step = whole_step(mean, "measured step time of the scenario", facts);
  if (!measured.step_time) facts.step_basis = "a step of 1 s stands for the undisturbed work";
  if (measured.exchange) {
    step.jitter_is_extra = true;
    if (models::is_constant(*measured.exchange)) {
      plan.step.exchange_s = models::mean(*measured.exchange);
    } else {
      plan.step.exchange = *measured.exchange;
    }
  }
  return step;
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
  }
  const StepTime time = step_time(scenario, catalog, plan);
  StepPlan& step = plan.step;
  step.jitter = scenario.training.jitter;
  step.slowest = SlowestNode{plan.nodes, step.jitter};
  step.node_compute_s = time.jitter_is_extra ? time.parts.compute : time.parts.compute / step.slowest.mean();
  if (time.parts.exposed_communication > 0.0) step.exchange_s = time.parts.exposed_communication;
  step.bubble_s = time.parts.pipeline_bubble;
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
