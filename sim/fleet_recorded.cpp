// Pools whose capacity or price was recorded.
#include <algorithm>

#include "models/errors.hpp"
#include "sim/fleet.hpp"

namespace fleetcast::sim {

/// Where this trial is in the recordings.
void Fleet::place_windows() {
  for (std::uint32_t pool = 0; pool < plan_.pools.size(); ++pool) {
    const PoolPlan& what = plan_.pools[pool];
    if (!what.capacity && !what.price) continue;
    Followed& entry = followed_.emplace_back();
    entry.pool = pool;
    if (what.capacity) entry.capacity_window = what.capacity->window(draws_);
    if (what.price) entry.price_window = what.price->window(draws_);
  }
}

void Fleet::follow_recordings() {
  for (Followed& entry : followed_) {
    const auto& capacity = plan_.pools[entry.pool].capacity;
    if (!capacity) continue;
    const Time end = capacity->end(entry.capacity_window);
    if (end < Time::never()) queue_.schedule(end, order_cutoff, event::Cutoff{Status::recording});
    schedule_capacity(entry);
  }
}

Fleet::Followed* Fleet::followed(std::uint32_t pool) {
  const auto at =
      std::find_if(followed_.begin(), followed_.end(), [&](const Followed& entry) { return entry.pool == pool; });
  return at == followed_.end() ? nullptr : &*at;
}

std::size_t Fleet::room_in(const Followed& entry) const {
  const double capacity = plan_.pools[entry.pool].capacity->value(entry.capacity_window, queue_.now());
  const std::size_t taken = entry.held + entry.retired;
  const auto there = static_cast<std::size_t>(capacity);
  return there > taken ? there - taken : 0;
}

void Fleet::give_room(Followed& entry) {
  const auto count = static_cast<std::ptrdiff_t>(std::min(room_in(entry), entry.waiting.size()));
  std::for_each_n(entry.waiting.begin(), count, [this](std::uint32_t slot) { ask(slot, 0.0); });
  entry.waiting.erase(entry.waiting.begin(), entry.waiting.begin() + count);
}

/// The next change, and before it, if it is a fall, its notice.
void Fleet::schedule_capacity(Followed& entry) {
  const PoolPlan& pool = plan_.pools[entry.pool];
  const Time next = pool.capacity->next_change(entry.capacity_window, queue_.now());
  if (!(next < Time::never())) return;
  queue_.schedule(next, order_reclaim, event::CapacityChanges{entry.pool});
  const double before = pool.capacity->value(entry.capacity_window, queue_.now());
  if (pool.capacity->value(entry.capacity_window, next) >= before) return;
  const double warning = draws_.value(pool.notice, Purpose::notice, entry.pool, ++entry.falls);
  if (warning <= 0.0) return;
  const Time noticed = std::max(queue_.now(), next - Duration::from_seconds(warning));
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
  const double capacity = plan_.pools[pool].capacity->value(entry.capacity_window, queue_.now());
  schedule_capacity(entry);
  give_room(entry);
  return without_room(entry, static_cast<std::size_t>(capacity));
}

void Fleet::announce_fall(std::uint32_t pool) {
  const Followed& entry = *followed(pool);
  const RecordedCourse& course = *plan_.pools[pool].capacity;
  const Time when = course.next_change(entry.capacity_window, queue_.now());
  const auto capacity = static_cast<std::size_t>(course.value(entry.capacity_window, when));
  for (const std::uint32_t slot : without_room(entry, capacity)) announce(slot, when);
}

double Fleet::usd_per_second(Time at) const {
  double usd = usd_per_second_;
  for (const Followed& entry : followed_) {
    const auto& price = plan_.pools[entry.pool].price;
    if (price) usd += static_cast<double>(entry.held) * price->value(entry.price_window, at) / models::seconds_per_hour;
  }
  return usd;
}

Time Fleet::next_price_change(Time at) const {
  Time next = Time::never();
  for (const Followed& entry : followed_) {
    const auto& price = plan_.pools[entry.pool].price;
    if (price) next = std::min(next, price->next_change(entry.price_window, at));
  }
  return next;
}

double Fleet::usd_of_node(std::uint32_t pool, Time from, Time to) const {
  const PoolPlan& what = plan_.pools[pool];
  if (!what.price) return (to - from).seconds() * what.usd_per_node_h / models::seconds_per_hour;
  const auto entry =
      std::find_if(followed_.begin(), followed_.end(), [&](const Followed& each) { return each.pool == pool; });
  return what.price->integral(entry->price_window, from, to) / models::seconds_per_hour;
}

}  // namespace fleetcast::sim
