// Failure causes and the parts of a restart.
#include <algorithm>

#include "sim/plan_parts.hpp"

namespace fleetcast::sim {
namespace {

using scenarios::FailureCause;
using scenarios::PartTime;
using scenarios::Scenario;

double offset_of(const PartTime& part, const PlanFacts& facts) {
  return part.per_rank * facts.gpus + part.per_node * facts.nodes;
}

/// Rate of one cause per node and second; a rate of the fleet is spread evenly over the nodes that it strikes.
double node_rate_of(const FailureCause& cause, const PlanFacts& facts, double nodes) {
  const double gpus_per_node = facts.gpus / facts.nodes;
  return cause.rate_per_node + cause.rate_per_gpu * gpus_per_node + cause.rate_of_fleet / nodes;
}

CausePlan plan_cause(const FailureCause& cause, const PlanFacts& facts) {
  CausePlan plan;
  plan.name = cause.name;
  plan.kind = cause.kind;
  const double nodes = cause.kind == scenarios::FailureKind::coordinator ? 1.0 : facts.nodes;
  const double per_node = node_rate_of(cause, facts, nodes);
  (cause.needs_node ? plan.node_rate : plan.gang_rate) = cause.needs_node ? per_node : per_node * nodes;
  if (cause.events) plan.gamma_shape = *cause.events + 0.5;
  plan.rate_sigma = cause.rate_sigma;
  if (cause.detect) {
    plan.detect = cause.detect->fixed;
    plan.detect_offset = offset_of(*cause.detect, facts);
  }
  if (cause.repair_given) plan.repair = cause.repair;
  plan.takes_fleet = cause.takes_fleet;
  plan.returns = cause.returns;
  return plan;
}

/// A part as given, or its default, which is then noted.
struct PartDefault {
  const char* name;
  PartTime part;
  const char* text;
  const char* source;
};

GangPart choose(const std::optional<PartTime>& given, const PartDefault& otherwise, Plan& plan) {
  if (!given) assume(plan, std::string{"/recovery/restart/"} + otherwise.name, otherwise.text, otherwise.source);
  const PartTime& part = given ? *given : otherwise.part;
  return {part.fixed, offset_of(part, plan.facts)};
}

PartTime seconds(double fixed, double per_rank = 0.0) {
  return {models::Constant{fixed}, per_rank, 0.0};
}

double mean_of(const GangPart& part) {
  return models::mean(part.law) + part.offset_s;
}

/// Detection and decision after a stop by this cause, as the job has them.
double detection_of(const CausePlan& cause, const Plan& plan) {
  const double own = cause.detect ? models::mean(*cause.detect) + cause.detect_offset : mean_of(plan.restart.detect);
  if (plan.restart.whole) return cause.is(scenarios::FailureKind::hang) ? own : 0.0;
  return (cause.is(scenarios::FailureKind::silent) ? 0.0 : own) + mean_of(plan.restart.decide);
}

/// Weighted by rate.
class RateMean {
 public:
  void add(double rate, double value) {
    rate_ += rate;
    sum_ += rate * value;
  }
  [[nodiscard]] double mean_or(double otherwise) const { return rate_ > 0.0 ? sum_ / rate_ : otherwise; }

 private:
  double rate_ = 0.0, sum_ = 0.0;
};

/// Weighted by how often the causes stop the gang.
double mean_detection(const Plan& plan) {
  RateMean detection;
  const double own = mean_of(plan.restart.detect) + mean_of(plan.restart.decide);
  for (const PoolPlan& pool : plan.pools) detection.add(rate_of_losses(pool), own);
  for (const CausePlan& cause : plan.causes) detection.add(cause.gang_strikes(plan.nodes), detection_of(cause, plan));
  return detection.mean_or(own);
}

/// Boot and image of the slowest kind of node.
double node_start_s(const Plan& plan) {
  double start = 0.0;
  for (const PoolPlan& pool : plan.pools) {
    start = std::max(start, models::mean(pool.boot) + models::mean(pool.image));
  }
  return start;
}

}  // namespace

void plan_failures(const Scenario& scenario, Plan& plan) {
  plan.bad_nodes = scenario.bad_nodes;
  for (const FailureCause& cause : scenario.failures) {
    CausePlan planned = plan_cause(cause, plan.facts);
    if (planned.node_rate + planned.gang_rate > 0.0) plan.causes.push_back(std::move(planned));
  }
}

void plan_restart(const Scenario& scenario, Plan& plan) {
  RestartPlan& restart = plan.restart;
  restart.resume_failure = scenario.recovery.resume_failure;
  if (scenario.recovery.whole) {
    restart.whole = true;
    restart.set_up = {*scenario.recovery.whole, 0.0};
    return;
  }
  const auto& given = scenario.recovery.parts;
  restart.detect = choose(given.detect, {"detect", seconds(30.0), "30 s", "a health check every half minute"}, plan);
  restart.decide = choose(given.decide, {"decide", seconds(0.0), "0 s", "automatic restart"}, plan);
  restart.set_up = choose(given.setup,
                          {"setup", seconds(30.0, 0.04), "{ \"fixed\": \"30 s\", \"per_rank\": \"40 ms\" }",
                           "communicators: 31 s on one machine, 2.5 min on a few thousand GPUs (NCCL reports 2024-25)"},
                          plan);
  restart.compile = choose(given.compile, {"compile", seconds(0.0), "0 s", "no compiled graphs"}, plan);
  restart.skip = choose(given.skip, {"skip", seconds(0.0), "0 s", "the loader resumes from its state"}, plan);
  restart.fill = choose(given.fill, {"fill", seconds(60.0), "1 min", "first batches and warm-up steps"}, plan);
  if (given.load) restart.load = {given.load->fixed, offset_of(*given.load, plan.facts)};
}

RestartMeans first_start_means(const Plan& plan) {
  RestartMeans means;
  for (const PoolPlan& pool : plan.pools) {
    means.node = std::max(means.node, models::mean(pool.wait) + models::mean(pool.boot) + models::mean(pool.image));
  }
  means.start_up = mean_of(plan.restart.set_up) + mean_of(plan.restart.compile) + mean_of(plan.restart.fill);
  return means;
}

NodeMeans node_means(const Plan& plan) {
  const double fresh = first_start_means(plan).node, start = node_start_s(plan);
  RateMean any, lost;
  for (const PoolPlan& pool : plan.pools) {
    const double rate = rate_of_losses(pool);
    any.add(rate, fresh);
    lost.add(rate, fresh);
  }
  for (const CausePlan& cause : plan.causes) {
    const double rate = cause.gang_strikes(plan.nodes), repair = cause.repair ? models::mean(*cause.repair) : 0.0;
    if (cause.node_rate > 0.0) lost.add(rate, cause.repair ? repair + start : fresh);
    any.add(rate, cause.gang_rate > 0.0 ? repair : cause.repair ? repair + start : fresh);
  }
  return {any.mean_or(fresh), lost.mean_or(fresh)};
}

RestartMeans restart_means(const Plan& plan) {
  RestartMeans means = first_start_means(plan);
  means.detection = mean_detection(plan);
  if (plan.restart.whole) return means;
  means.start_up += mean_of(plan.restart.skip);
  if (plan.save.mode != scenarios::Checkpoint::Mode::off) means.start_up += mean_of(plan.restart.load);
  return means;
}

}  // namespace fleetcast::sim
