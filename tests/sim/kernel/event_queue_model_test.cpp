// The queue against the simplest thing that does the same: a sorted map.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <tuple>
#include <vector>

#include "sim/kernel/event_queue.hpp"

namespace fleetcast::sim::kernel {
namespace {

class MapModel {
 public:
  using Key = std::tuple<std::int64_t, int, std::uint64_t>;  // time, priority, sequence

  void schedule(std::int64_t time, int priority, int id) { put({time, priority, sequence_++}, id); }
  bool cancel(int id) {
    const auto found = keys_.find(id);
    if (found == keys_.end()) return false;
    events_.erase(found->second);
    keys_.erase(found);
    return true;
  }
  bool reschedule(int id, std::int64_t time) {
    const auto found = keys_.find(id);
    if (found == keys_.end()) return false;
    const int priority = std::get<1>(found->second);
    cancel(id);
    put({time, priority, sequence_++}, id);
    return true;
  }
  /// Its key and id; id -1 where nothing waits.
  std::pair<Key, int> next() {
    if (events_.empty()) return {{}, -1};
    const std::pair<Key, int> first = *events_.begin();
    cancel(first.second);
    return first;
  }
  [[nodiscard]] std::size_t size() const { return events_.size(); }

 private:
  void put(const Key& key, int id) {
    events_.emplace(key, id);
    keys_[id] = key;
  }
  std::map<Key, int> events_;
  std::map<int, Key> keys_;
  std::uint64_t sequence_ = 0;
};

/// Mixed random operations on both; small times, so that ties are common. Returns how often they disagreed.
template <class Queue>
int disagreements(std::uint64_t seed, int operations, int wanted_size, int spread) {
  std::mt19937_64 random{seed};
  const auto below = [&random](int n) { return static_cast<int>(random() % static_cast<std::uint64_t>(n)); };
  Queue queue;
  MapModel model;
  std::vector<Handle> handles;
  int wrong = 0;
  for (int i = 0; i < operations; ++i) {
    const std::int64_t time = queue.now().nanoseconds() + below(spread);
    const int choice = below(10), size = static_cast<int>(model.size());
    if (choice < 2 || (choice < 6 && size < wanted_size)) {
      const int id = static_cast<int>(handles.size()), priority = below(3);
      handles.push_back(queue.schedule(Time{time}, static_cast<std::uint8_t>(priority), id));
      model.schedule(time, priority, id);
    } else if (choice < 7 || handles.empty()) {
      const auto taken = queue.next();
      const auto [key, id] = model.next();
      wrong += taken.has_value() != (id >= 0);
      if (taken && id >= 0)
        wrong += taken->event != id || taken->time != Time{std::get<0>(key)} || taken->priority != std::get<1>(key);
    } else {
      // Half of the handles picked are recent ones, so many still wait; the others are mostly stale.
      const int count = static_cast<int>(handles.size()), reach = below(2) ? std::min(count, 2 * wanted_size) : count;
      const int id = count - 1 - below(reach);
      const Handle handle = handles[static_cast<std::size_t>(id)];
      wrong += choice == 7 ? queue.cancel(handle) != model.cancel(id)
                           : queue.reschedule(handle, Time{time}) != model.reschedule(id, time);
    }
    wrong += queue.size() != model.size();
    if (below(20'000) == 0) {
      queue.clear();
      model = MapModel{};
    }
  }
  return wrong;
}

}  // namespace

TEST_CASE("A hundred thousand mixed operations give what a sorted map gives, with few and with many waiting") {
  CHECK(disagreements<EventQueue<int>>(1, 100'000, 3, 5) == 0);
  CHECK(disagreements<EventQueue<int>>(2, 100'000, 20, 50) == 0);
  CHECK(disagreements<EventQueue<int>>(3, 100'000, 300, 1'000) == 0);
  CHECK(disagreements<EventQueue<int>>(4, 100'000, 5'000, 1'000'000) == 0);
}

TEST_CASE("The same holds while sequence numbers run out every thousand schedulings") {
  CHECK(disagreements<EventQueue<int, std::uint8_t, 10>>(5, 100'000, 100, 50) == 0);
}

TEST_CASE("The comparison notices a queue that breaks ties the other way") {
  struct Inverted : EventQueue<int> {
    Handle schedule(Time time, std::uint8_t priority, int event) {
      return EventQueue<int>::schedule(time, static_cast<std::uint8_t>(2 - priority), event);
    }
  };
  CHECK(disagreements<Inverted>(1, 100'000, 20, 50) > 0);
}

}  // namespace fleetcast::sim::kernel
