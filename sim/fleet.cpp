#include "sim/fleet.hpp"

#include <algorithm>
#include <limits>

#include "models/daily_hazard.hpp"
#include "models/errors.hpp"
#include "sim/billing.hpp"
#include "sim/observer.hpp"
#include "sim/unknowns.hpp"

namespace fleetcast::sim {
namespace {

/// A node held within this time of a reclaim in its pool gets the pool's early lifetime.
constexpr Duration soon_after_reclaim = Duration::from_seconds(models::seconds_per_hour);
constexpr int most_launch_failures = 1000;

}  // namespace

Fleet::Fleet(const Plan& plan, const Draws& draws, Queue& queue, Observer* observer)
    : plan_{plan},
      draws_{draws},
      queue_{queue},
      observer_{observer},
      last_reclaim_(plan.pools.size(), Time::never()),
      start_hour_{start_hour(plan, draws)} {
  nodes_.resize(static_cast<std::size_t>(plan.nodes));
  missing_.reserve(nodes_.size());
  std::uint32_t slot = 0;
  for (std::uint32_t pool = 0; pool < plan.pools.size(); ++pool) {
    for (int i = 0; i < plan.pools[pool].nodes; ++i) {
      nodes_[slot].pool = pool;
      missing_.push_back(slot++);
    }
  }
  find_courses();
  draw_rates();
}

void Fleet::request_missing() {
  std::sort(missing_.begin(), missing_.end());
  std::optional<std::uint32_t> pool_of_wait;
  double wait_s = 0.0;
  const double brake_s = brake_of_replacement();
  for (const std::uint32_t slot : missing_) {
    Node& node = nodes_[slot];
    ++node.incarnation;
    const double repair_s = node.repair_s.value_or(0.0);
    const bool is_repaired = node.repair_s && node.comes_back;
    node.repair_s.reset();
    if (is_repaired) {
      ask(slot, brake_s + repair_s);
      continue;
    }
    if (pool_of_wait != node.pool) {
      pool_of_wait = node.pool;
      wait_s = shared_wait(node.pool, slot);
    }
    ask(slot, brake_s + repair_s + wait_s + launch_delay(slot));
  }
  missing_.clear();
}

/// Replacement pauses while many are missing; the first request does not.
double Fleet::brake_of_replacement() const {
  const auto lost = std::count_if(missing_.begin(), missing_.end(),
                                  [this](std::uint32_t slot) { return nodes_[slot].incarnation > 0; });
  const double most = plan_.brake_above * static_cast<double>(nodes_.size());
  return static_cast<double>(lost) > most ? plan_.brake_s : 0.0;
}

double Fleet::shared_wait(std::uint32_t pool, std::uint32_t first) const {
  const PoolPlan& what = plan_.pools[pool];
  const Distribution& wait = what.regimes.empty() ? what.wait : what.regimes[regime_of(pool)].wait;
  return draws_.value(wait, Purpose::wait, first, nodes_[first].incarnation);
}

double Fleet::launch_delay(std::uint32_t slot) const {
  const Node& node = nodes_[slot];
  const PoolPlan& pool = pool_of(node);
  if (pool.launch_failure <= 0.0) return 0.0;
  const double u = draws_.uniform(Purpose::launch, slot, node.incarnation);
  double chance = pool.launch_failure, delay_s = 0.0, pause_s = plan_.retry.first_s;
  for (int failures = 0; u < chance && failures < most_launch_failures; ++failures) {
    delay_s += pause_s;
    pause_s = std::min(plan_.retry.longest_s, pause_s * plan_.retry.factor);
    chance *= pool.launch_failure;
  }
  return delay_s;
}

void Fleet::ask(std::uint32_t slot, double wait_s) {
  Node& node = nodes_[slot];
  node.state = State::requested;
  if (observer_) observer_->node(queue_.now(), slot, NodeStage::asked_for);
  node.arrival = queue_.schedule(queue_.now() + Duration::from_seconds(wait_s), order_arrival, event::NodeBoots{slot});
}

bool Fleet::boot(std::uint32_t slot) {
  Node& node = nodes_[slot];
  const PoolPlan& pool = pool_of(node);
  if (Followed* const entry = limited(node.pool); entry != nullptr && room_in(*entry) == 0) {
    entry->waiting.push_back(slot);
    return false;
  }
  if (observer_) tell_price_changes();
  accrued_usd_ = accrued_usd(queue_.now());
  accrued_until_ = node.held_since = queue_.now();
  if (Followed* entry = followed(node.pool)) ++entry->held;
  if (pool.price_is_constant()) usd_per_second_ += pool.usd_per_node_h / models::seconds_per_hour;
  node.state = State::booting;
  if (observer_) observer_->node(queue_.now(), slot, NodeStage::booting);
  if (observer_) tell_money();
  booting_gpus_ += pool.gpus_per_node;
  const double start_s = draws_.value(pool.boot, Purpose::boot, slot, node.incarnation) +
                         draws_.value(pool.image, Purpose::image, slot, node.incarnation);
  node.ready_at = queue_.now() + Duration::from_seconds(start_s);
  node.arrival = queue_.schedule(node.ready_at, order_arrival, event::NodeReady{slot});
  schedule_end(slot);
  return true;
}

void Fleet::schedule_end(std::uint32_t slot) {
  Node& node = nodes_[slot];
  node.announced = false;
  node.failure = node.reclaim = node.notice = {};
  node.clock = 0;
  const double share = plan_.bad_nodes.share;
  node.bad = share > 0.0 && draws_.uniform(Purpose::bad_node, slot, node.incarnation) < share;
  if (node_failure_rate(slot) > 0.0) {
    schedule_failure(slot, draws_.exponential(Purpose::failure_time, slot, node.incarnation));
  }
  schedule_reclaim(slot, node.held_since, Purpose::lifetime, node.incarnation);
}

std::size_t Fleet::regime_of(std::uint32_t pool) const {
  const Followed* const entry = followed(pool);
  return entry != nullptr && entry->capacity ? entry->capacity->regime() : 0;
}

const Distribution& Fleet::lifetime_law(const Node& node) const {
  const PoolPlan& pool = pool_of(node);
  const Time last = last_reclaim_[node.pool];
  const bool soon = pool.early_lifetime && last < Time::never() && node.held_since - last <= soon_after_reclaim;
  if (soon) return *pool.early_lifetime;
  return pool.regimes.empty() ? pool.lifetime : pool.regimes[regime_of(node.pool)].lifetime;
}

void Fleet::schedule_reclaim(std::uint32_t slot, Time since, Purpose purpose, std::uint32_t sample) {
  Node& node = nodes_[slot];
  const PoolPlan& pool = pool_of(node);
  const Distribution& law = lifetime_law(node);
  const bool mortal = !std::holds_alternative<models::Never>(law);
  double life = std::numeric_limits<double>::infinity();
  if (mortal) life = draws_.value(law, purpose, slot, sample);
  if (mortal && pool.daily > 0.0)
    life = models::time_of_daily_hazard(life, pool.daily, start_hour_ + since.seconds() / models::seconds_per_hour);
  node.reclaim_at = std::min(since + Duration::from_seconds(life), node.held_since + pool.max_life);
  if (!(node.reclaim_at < Time::never())) return;
  node.reclaim = queue_.schedule(node.reclaim_at, order_reclaim, event::NodeReclaimed{slot});
  const double warning = draws_.value(pool.notice, Purpose::notice, slot, node.incarnation);
  if (warning <= 0.0) return;
  const Time noticed = std::max(since, node.reclaim_at - Duration::from_seconds(warning));
  node.notice = queue_.schedule(noticed, order_notice, event::ReclaimNotice{slot});
}

void Fleet::make_ready(std::uint32_t slot) {
  Node& node = nodes_[slot];
  node.state = State::ready;
  if (observer_) observer_->node(queue_.now(), slot, NodeStage::ready);
  ++ready_count_;
  ready_gpus_ += pool_of(node).gpus_per_node;
  booting_gpus_ -= pool_of(node).gpus_per_node;
}

void Fleet::leave_held(Node& node) {
  const PoolPlan& pool = pool_of(node);
  if (observer_) tell_price_changes();
  accrued_usd_ = accrued_usd(queue_.now());
  accrued_until_ = queue_.now();
  if (Followed* entry = followed(node.pool)) --entry->held;
  if (pool.price_is_constant()) usd_per_second_ -= pool.usd_per_node_h / models::seconds_per_hour;
  if (node.state == State::ready) {
    --ready_count_;
    ready_gpus_ -= pool.gpus_per_node;
  } else {
    booting_gpus_ -= pool.gpus_per_node;
    queue_.cancel(node.arrival);
  }
  if (node.announced) --announced_count_;
  node.announced = false;
  queue_.cancel(node.failure);
  queue_.cancel(node.reclaim);
  queue_.cancel(node.notice);
  node.state = State::absent;
}

void Fleet::close_life(const Node& node, Time end, bool by_provider) {
  const PoolPlan& pool = pool_of(node);
  held_gpu_ns_ += GpuTime{(end - node.held_since).nanoseconds()} * pool.gpus_per_node;
  const double held_s = (end - node.held_since).seconds();
  const double boot_s = std::min(held_s, (node.ready_at - node.held_since).seconds());
  const double usd_per_h = !pool.price_is_constant() && held_s > 0.0
                               ? usd_of_node(node.pool, node.held_since, end) / held_s * models::seconds_per_hour
                               : pool.usd_per_node_h;
  const LifeBill life = bill_of_life({held_s, boot_s, by_provider}, usd_per_h, pool.billing);
  bill_.held += life.held;
  bill_.rounding += life.rounding;
  bill_.forgiven += life.forgiven;
}

void Fleet::lose(const std::vector<std::uint32_t>& slots, bool by_provider, const CausePlan* cause) {
  std::optional<double> repair_s;
  if (cause != nullptr) choose_who_comes_back(slots, *cause);
  for (const std::uint32_t slot : slots) {
    if (!is_held(slot)) continue;
    if (observer_) observer_->node_gone(queue_.now(), slot, by_provider ? NodeEnd::reclaimed : NodeEnd::failed, cause);
    const bool has_repair = cause != nullptr && cause->repair && !cause->is(scenarios::FailureKind::coordinator);
    const bool needs_draw = has_repair && !(repair_s && cause->takes_fleet);
    if (needs_draw) repair_s = draws_.value(*cause->repair, Purpose::repair, slot, nodes_[slot].incarnation);
    if (by_provider) last_reclaim_[nodes_[slot].pool] = queue_.now();
    lose_one(slot, by_provider, repair_s);
  }
}

void Fleet::lose_one(std::uint32_t slot, bool by_provider, std::optional<double> repair_s) {
  Node& node = nodes_[slot];
  leave_held(node);
  close_life(node, queue_.now(), by_provider);
  if (observer_) tell_money();
  node.repair_s = repair_s;
  missing_.push_back(slot);
  if (Followed* const entry = limited(node.pool)) give_room(*entry);
}

GpuTime Fleet::retire(std::uint32_t slot) {
  Node& node = nodes_[slot];
  const Duration left = node.reclaim_at - queue_.now();
  leave_held(node);
  accrued_usd_ += usd_of_node(node.pool, queue_.now(), node.reclaim_at);
  if (Followed* const entry = limited(node.pool)) ++entry->retired;
  last_reclaim_[node.pool] = node.reclaim_at;
  close_life(node, node.reclaim_at, true);
  if (observer_) observer_->node_leaves(queue_.now(), slot, node.reclaim_at);
  if (observer_) tell_money();
  missing_.push_back(slot);
  return GpuTime{left.nanoseconds()} * pool_of(node).gpus_per_node;
}

void Fleet::release_all() {
  for (std::uint32_t slot = 0; slot < nodes_.size(); ++slot) {
    Node& node = nodes_[slot];
    if (node.state == State::absent) continue;
    if (observer_) observer_->node_gone(queue_.now(), slot, NodeEnd::released, nullptr);
    if (node.state == State::requested) {
      queue_.cancel(node.arrival);
      node.state = State::absent;
      continue;
    }
    leave_held(node);
    close_life(node, queue_.now(), false);
  }
  if (observer_) tell_money();
}

void Fleet::tell_money() const {
  observer_->money(queue_.now(), usd_per_second(queue_.now()), accrued_usd(queue_.now()));
}

/// Nobody waits for a recorded price to change; who is watching hears of it when a node comes or goes.
void Fleet::tell_price_changes() const {
  for (Time at = next_price_change(accrued_until_); at < queue_.now(); at = next_price_change(at)) {
    observer_->money(at, usd_per_second(at), accrued_usd(at));
  }
}

double Fleet::accrued_usd(Time at) const {
  double usd = accrued_usd_ + (at - accrued_until_).seconds() * usd_per_second_;
  for (const Followed& entry : followed_) {
    if (!entry.price) continue;
    usd += static_cast<double>(entry.held) * usd_of_node(entry.pool, accrued_until_, at);
  }
  return usd;
}

bool Fleet::is_held(std::uint32_t slot) const {
  return nodes_[slot].state == State::booting || nodes_[slot].state == State::ready;
}

std::vector<std::uint32_t> Fleet::held() const {
  std::vector<std::uint32_t> slots;
  for (std::uint32_t slot = 0; slot < nodes_.size(); ++slot) {
    if (is_held(slot)) slots.push_back(slot);
  }
  return slots;
}

std::vector<std::uint32_t> Fleet::announced() const {
  std::vector<std::uint32_t> slots;
  for (std::uint32_t slot = 0; slot < nodes_.size(); ++slot) {
    if (is_held(slot) && nodes_[slot].announced) slots.push_back(slot);
  }
  return slots;
}

void Fleet::announce(std::uint32_t slot, Time when) {
  Node& node = nodes_[slot];
  if (!node.announced) ++announced_count_;
  node.announced = true;
  queue_.cancel(node.notice);
  if (observer_) observer_->notice(queue_.now(), slot, std::min(node.reclaim_at, when));
  if (node.reclaim_at <= when) return;
  queue_.cancel(node.reclaim);
  node.reclaim_at = when;
  node.reclaim = queue_.schedule(when, order_reclaim, event::NodeReclaimed{slot});
}

std::vector<std::uint32_t> Fleet::victims(std::uint32_t slot) const {
  std::vector<std::uint32_t> taken{slot};
  const Node& first = nodes_[slot];
  const PoolPlan& pool = pool_of(first);
  if (pool.bulk_share <= 0.0) return taken;
  models::Stream bits = draws_.stream(Purpose::bulk, slot, first.incarnation);
  if (models::unit_uniform(bits) >= pool.bulk_share) return taken;
  std::vector<std::uint32_t> others;
  for (std::uint32_t other = 0; other < nodes_.size(); ++other) {
    if (other != slot && nodes_[other].pool == first.pool && is_held(other)) others.push_back(other);
  }
  const std::size_t extra = bulk_extra(pool.bulk_size, others.size(), bits);
  // Neighbours in slot order from a random place: lives are exchangeable, so any choice has the same law.
  const auto first_taken = static_cast<std::size_t>(models::unit_uniform(bits) * static_cast<double>(others.size()));
  for (std::size_t i = 0; i < extra; ++i) taken.push_back(others[(first_taken + i) % others.size()]);
  return taken;
}

}  // namespace fleetcast::sim
