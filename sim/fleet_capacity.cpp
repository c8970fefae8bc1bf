// Pools whose capacity or price changes by itself: recorded, by the market model, by regimes, by a price law.
#include <algorithm>
#include <utility>

#include "sim/fleet.hpp"

namespace fleetcast::sim {

void Fleet::find_courses() {
  for (std::uint32_t pool = 0; pool < plan_.pools.size(); ++pool) {
    std::unique_ptr<PriceCourse> price = price_course(plan_.pools[pool], draws_);
    std::unique_ptr<CapacityCourse> capacity = capacity_course(plan_, pool, draws_, price.get());
    if (!price && !capacity) continue;
    Followed& entry = followed_.emplace_back();
    entry.pool = pool;
    entry.price = std::move(price);
    entry.capacity = std::move(capacity);
  }
}

void Fleet::follow_courses() {
  for (Followed& entry : followed_) {
    if (!entry.capacity) continue;
    const Time end = entry.capacity->end();
    if (end < Time::never()) queue_.schedule(end, order_cutoff, event::Cutoff{Status::recording});
    schedule_capacity(entry);
  }
}

const Fleet::Followed* Fleet::followed(std::uint32_t pool) const {
  const auto at =
      std::find_if(followed_.begin(), followed_.end(), [&](const Followed& entry) { return entry.pool == pool; });
  return at == followed_.end() ? nullptr : &*at;
}

Fleet::Followed* Fleet::followed(std::uint32_t pool) {
  return const_cast<Followed*>(std::as_const(*this).followed(pool));
}

Fleet::Followed* Fleet::limited(std::uint32_t pool) {
  Followed* const entry = followed(pool);
  return entry != nullptr && entry->capacity ? entry : nullptr;
}

std::size_t Fleet::room_in(const Followed& entry) const {
  const std::size_t taken = entry.held + entry.retired, there = entry.capacity->capacity();
  return there > taken ? there - taken : 0;
}

void Fleet::give_room(Followed& entry) {
  const auto count = static_cast<std::ptrdiff_t>(std::min(room_in(entry), entry.waiting.size()));
  if (count == 0) return;
  const double wait_s = shared_wait(entry.pool, entry.waiting.front());
  std::for_each_n(entry.waiting.begin(), count, [&](std::uint32_t slot) { ask(slot, wait_s + launch_delay(slot)); });
  entry.waiting.erase(entry.waiting.begin(), entry.waiting.begin() + count);
}

/// The next change, and before it, if it is a fall, its notice.
void Fleet::schedule_capacity(Followed& entry) {
  const CapacityCourse::Change next = entry.capacity->next();
  if (!(next.at < Time::never())) return;
  queue_.schedule(next.at, order_reclaim, event::CapacityChanges{entry.pool});
  if (next.capacity >= entry.capacity->capacity()) return;
  const double warning = draws_.value(plan_.pools[entry.pool].notice, Purpose::notice, entry.pool, ++entry.falls);
  if (warning <= 0.0) return;
  const Time noticed = std::max(queue_.now(), next.at - Duration::from_seconds(warning));
  queue_.schedule(noticed, order_notice, event::CapacityNotice{entry.pool});
}

/// The nodes that go when only `capacity` can be held: those announced first, then from the last slot down.
std::vector<std::uint32_t> Fleet::without_room(const Followed& entry, std::size_t capacity) const {
  std::vector<std::uint32_t> leaving;
  const std::size_t held = entry.held;
  for (const bool announced : {true, false}) {
    for (auto slot = static_cast<std::uint32_t>(nodes_.size()); slot-- > 0 && held - leaving.size() > capacity;) {
      const Node& node = nodes_[slot];
      if (node.pool == entry.pool && is_held(slot) && node.announced == announced) leaving.push_back(slot);
    }
  }
  return leaving;
}

std::vector<std::uint32_t> Fleet::follow_capacity(std::uint32_t pool) {
  Followed& entry = *followed(pool);
  entry.retired = 0;
  const std::size_t regime = entry.capacity->regime();
  entry.capacity->advance();
  if (entry.capacity->regime() != regime) begin_regime(entry);
  schedule_capacity(entry);
  give_room(entry);
  return without_room(entry, entry.capacity->capacity());
}

/// Lives go on by the law of the new regime.
void Fleet::begin_regime(Followed& entry) {
  ++entry.regimes;
  for (std::uint32_t slot = 0; slot < nodes_.size(); ++slot) {
    Node& node = nodes_[slot];
    if (node.pool != entry.pool || !is_held(slot) || node.announced) continue;
    queue_.cancel(node.reclaim);
    queue_.cancel(node.notice);
    node.reclaim = node.notice = {};
    schedule_reclaim(slot, queue_.now(), Purpose::regime_lifetime, entry.regimes);
  }
}

void Fleet::announce_fall(std::uint32_t pool) {
  Followed& entry = *followed(pool);
  const CapacityCourse::Change next = entry.capacity->next();
  for (const std::uint32_t slot : without_room(entry, next.capacity)) announce(slot, next.at);
}

double Fleet::usd_per_second(Time at) const {
  double usd = usd_per_second_;
  for (const Followed& entry : followed_) {
    if (entry.price) usd += static_cast<double>(entry.held) * entry.price->value(at) / models::seconds_per_hour;
  }
  return usd;
}

Time Fleet::next_price_change(Time at) const {
  Time next = Time::never();
  for (const Followed& entry : followed_) {
    if (entry.price) next = std::min(next, entry.price->next_change(at));
  }
  return next;
}

double Fleet::usd_of_node(std::uint32_t pool, Time from, Time to) const {
  const Followed* const entry = followed(pool);
  if (entry == nullptr || !entry->price)
    return (to - from).seconds() * plan_.pools[pool].usd_per_node_h / models::seconds_per_hour;
  return entry->price->integral(from, to) / models::seconds_per_hour;
}

}  // namespace fleetcast::sim
