// Pools and what takes nodes away.
#include <algorithm>
#include <string>

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
Distribution trigger_clock(const Distribution& lifetime, const Pool& pool) {
  if (std::holds_alternative<models::Never>(lifetime)) return lifetime;
  const double size = mean_reclaim_size(pool.bulk, pool.nodes);
  return size == 1.0 ? lifetime : models::scaled(lifetime, size);
}

double hour_of_day(std::int64_t utc_s) {
  constexpr std::int64_t day_s = 86'400;
  return static_cast<double>((utc_s % day_s + day_s) % day_s) / models::seconds_per_hour;
}

/// FNV-1a, 32 bits.
std::uint32_t number_of(const std::string& text) {
  std::uint32_t hash = 2166136261U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return hash;
}

/// Pools of one kind of machine in one zone see the same weather; where no place is said, every pool has its own.
void number_place(const Pool& pool, PoolPlan& plan) {
  const std::string place = pool.region.empty() ? "pool " + pool.name : pool.region;
  const std::string kind = " " + pool.gpu.id + " " + std::to_string(pool.instance.gpus);
  plan.region = number_of(place + kind);
  plan.zone = number_of(place + "/" + (pool.zone.empty() ? "any" : pool.zone) + kind);
}

PoolPlan plan_pool(const Pool& pool, const scenarios::Recovery& recovery, double ranks, double nodes) {
  PoolPlan plan;
  plan.name = pool.name;
  plan.nodes = pool.nodes;
  plan.gpus_per_node = pool.instance.gpus;
  plan.usd_per_node_h = pool.price_per_node_h;
  plan.billing = pool.billing;
  plan.spot = pool.market == Market::spot;
  plan.lifetime = trigger_clock(pool.lifetime, pool);
  if (pool.early_lifetime) plan.early_lifetime = trigger_clock(*pool.early_lifetime, pool);
  if (pool.max_life) plan.max_life = Duration::from_seconds(pool.max_life->value());
  plan.daily = pool.daily;
  plan.bulk_share = 1.0 - pool.bulk.single;
  plan.bulk_size = pool.bulk.size;
  plan.notice = pool.notice;
  plan.wait = pool.wait;
  plan.launch_failure = pool.launch_failure;
  if (pool.spot_model) plan.market = pool.spot_model->market;
  plan.regimes = pool.regimes;
  for (scenarios::Regime& regime : plan.regimes) regime.lifetime = trigger_clock(regime.lifetime, pool);
  plan.price_law = pool.price_law;
  if (pool.price_cap) plan.price_cap = *pool.price_cap;
  number_place(pool, plan);
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

/// The same for the market model, lone losses included.
double rate_of_falls(const models::LayeredMarket& market, int nodes) {
  return models::falls_per_second(market, nodes) / models::share_at_least(market, nodes) +
         nodes * market.lone_loss_per_s;
}

/// The mean over the regimes' time, of those in which all nodes can be held; leaving one of them for another with less
/// room is a fall too.
double rate_of_falls(const PoolPlan& pool) {
  double whole_s = 0.0, losses = 0.0;
  for (std::size_t i = 0; i < pool.regimes.size(); ++i) {
    const scenarios::Regime& regime = pool.regimes[i];
    if (regime.capacity < pool.nodes) continue;
    const double stay = models::mean(regime.stay);
    whole_s += stay;
    losses += stay * pool.nodes / models::mean(regime.lifetime);
    const bool next_is_short = i + 1 < pool.regimes.size() && pool.regimes[i + 1].capacity < regime.capacity;
    losses += next_is_short ? (i == 0 ? 1.0 : 0.5) : 0.0;
  }
  return whole_s > 0.0 ? losses / whole_s : 0.0;
}

/// Until a node boots; by the market model until all nodes can be held again.
double mean_wait(const PoolPlan& pool) {
  const double acquisition = models::mean(pool.wait);
  if (!pool.market) return acquisition;
  const models::LayeredMarket& market = *pool.market;
  const double falls = models::falls_per_second(market, pool.nodes);
  return acquisition + (falls > 0.0 ? (1.0 - models::share_at_least(market, pool.nodes)) / falls : 0.0);
}

}  // namespace

double rate_of_losses(const PoolPlan& pool) {
  if (pool.capacity) return rate_of_falls(*pool.capacity, pool.nodes);
  if (pool.market) return rate_of_falls(*pool.market, pool.nodes);
  const double lives = pool.regimes.empty() ? pool.nodes / models::mean(pool.lifetime) : rate_of_falls(pool);
  return std::max(lives, pool.nodes / pool.max_life.seconds());
}

void plan_pools(const scenarios::Scenario& scenario, Plan& plan) {
  for (const Pool& pool : scenario.fleet) {
    plan.nodes += pool.nodes;
    plan.gpus += std::int64_t{pool.nodes} * pool.instance.gpus;
  }
  PlanFacts& facts = plan.facts;
  facts.nodes = plan.nodes;
  plan.retry = scenario.retry;
  if (scenario.brake) {
    plan.brake_above = scenario.brake->above;
    plan.brake_s = scenario.brake->pause.value();
  }
  if (scenario.start_utc_s) plan.start_hour = hour_of_day(*scenario.start_utc_s);
  facts.gpus = static_cast<double>(plan.gpus);
  for (const Pool& pool : scenario.fleet) {
    if (pool.nodes == 0) continue;
    plan.pools.push_back(plan_pool(pool, scenario.recovery, facts.gpus, facts.nodes));
    facts.fleet_usd_per_hour += pool.nodes * pool.price_per_node_h;
    facts.wait_s = std::max(facts.wait_s, mean_wait(plan.pools.back()));
    if (facts.gpu.empty()) facts.gpu = pool.gpu.id;
  }
}

StopRates stop_rates(const Plan& plan) {
  StopRates rates;
  for (const PoolPlan& pool : plan.pools) rates.node_losses += rate_of_losses(pool);
  for (const CausePlan& cause : plan.causes) {
    const double strikes = cause.gang_strikes(plan.nodes);
    (cause.node_rate > 0.0 ? rates.node_losses : rates.software) += strikes;
    if (cause.is(scenarios::FailureKind::planned)) rates.planned += strikes;
  }
  return rates;
}

}  // namespace fleetcast::sim
