// Pools and what takes nodes away.
#include <algorithm>

#include "sim/billing.hpp"
#include "sim/plan_parts.hpp"

namespace fleetcast::sim {
namespace {

using scenarios::Market;
using scenarios::PartTime;
using scenarios::Pool;

/// A node's own start-up part; its per-rank and per-node growth is the same for every node.
Distribution node_part(const PartTime& part, double ranks, double nodes) {
  const double offset = part.per_rank * ranks + part.per_node * nodes;
  if (const auto* constant = std::get_if<models::Constant>(&part.fixed))
    return models::Constant{constant->value + offset};
  return part.fixed;
}

/// A bulk takes nodes before their own clocks do. With the clocks slowed by the mean size, one node's mean life is
/// what the scenario says (for exponential lifetimes its whole law).
Distribution trigger_clock(const Pool& pool) {
  if (std::holds_alternative<models::Never>(pool.lifetime)) return pool.lifetime;
  const double size = mean_reclaim_size(pool.bulk, pool.nodes);
  return size == 1.0 ? pool.lifetime : models::scaled(pool.lifetime, size);
}

PoolPlan plan_pool(const Pool& pool, const scenarios::Recovery& recovery, double ranks, double nodes) {
  PoolPlan plan;
  plan.name = pool.name;
  plan.nodes = pool.nodes;
  plan.gpus_per_node = pool.instance.gpus;
  plan.usd_per_node_h = pool.price_per_node_h;
  plan.billing = pool.billing;
  plan.spot = pool.market == Market::spot;
  plan.lifetime = trigger_clock(pool);
  plan.lifetime_scale_sigma = pool.lifetime_scale_sigma;
  plan.bulk_share = 1.0 - pool.bulk.single;
  plan.bulk_size = pool.bulk.size;
  plan.notice = pool.notice;
  plan.wait = pool.wait;
  if (recovery.whole) return plan;
  plan.boot = recovery.parts.boot ? node_part(*recovery.parts.boot, ranks, nodes) : pool.boot;
  plan.image = recovery.parts.image ? node_part(*recovery.parts.image, ranks, nodes) : pool.image;
  return plan;
}

/// Falls below the whole pool, per second in which it is whole.
double rate_of_falls(const RecordedCourse& capacity, int nodes) {
  const models::Recording& recording = capacity.recording();
  const double whole_s = models::share_at_least(recording, nodes) * recording.length_s;
  return whole_s > 0.0 ? static_cast<double>(models::falls_below(recording, nodes)) / whole_s : 0.0;
}

}  // namespace

void plan_pools(const scenarios::Scenario& scenario, Plan& plan) {
  for (const Pool& pool : scenario.fleet) {
    plan.nodes += pool.nodes;
    plan.gpus += std::int64_t{pool.nodes} * pool.instance.gpus;
  }
  PlanFacts& facts = plan.facts;
  facts.nodes = plan.nodes;
  facts.gpus = static_cast<double>(plan.gpus);
  for (const Pool& pool : scenario.fleet) {
    if (pool.nodes == 0) continue;
    plan.pools.push_back(plan_pool(pool, scenario.recovery, facts.gpus, facts.nodes));
    facts.fleet_usd_per_hour += pool.nodes * pool.price_per_node_h;
    facts.wait_s = std::max(facts.wait_s, models::mean(pool.wait));
    if (facts.gpu.empty()) facts.gpu = pool.gpu.id;
  }
}

StopRates stop_rates(const Plan& plan) {
  StopRates rates;
  for (const PoolPlan& pool : plan.pools) {
    rates.node_losses +=
        pool.capacity ? rate_of_falls(*pool.capacity, pool.nodes) : pool.nodes / models::mean(pool.lifetime);
  }
  for (const CausePlan& cause : plan.causes) {
    const double strikes = cause.gang_strikes(plan.nodes);
    (cause.node_rate > 0.0 ? rates.node_losses : rates.software) += strikes;
    if (cause.is(scenarios::FailureKind::planned)) rates.planned += strikes;
  }
  return rates;
}

}  // namespace fleetcast::sim
