#pragma once
// What one writes without a table of positions: std::priority_queue, where a cancelled event stays until its time comes
// and is then skipped. The same interface as kernel::EventQueue, as far as it is measured.
#include <cstdint>
#include <optional>
#include <queue>
#include <vector>

#include "sim/kernel/event_queue.hpp"

namespace fleetcast::tests {

template <class Event>
class LazyQueue {
 public:
  struct Occurrence {
    sim::kernel::Time time;
    Event event;
  };
  using Handle = sim::kernel::Handle;

  Handle schedule(sim::kernel::Time time, std::uint8_t priority, const Event& event) {
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(generations_.size()));
      generations_.push_back(0);
    }
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    heap_.push({time, std::uint64_t{priority} << 56 | sequence_++, {slot, generations_[slot]}, event});
    return {slot, generations_[slot]};
  }

  bool cancel(Handle handle) {
    if (generations_[handle.slot] != handle.generation) return false;
    release(handle.slot);
    return true;
  }

  std::optional<Occurrence> next() {
    while (!heap_.empty()) {
      const Entry first = heap_.top();
      heap_.pop();
      if (!cancel(first.handle)) continue;
      now_ = first.time;
      return Occurrence{first.time, first.event};
    }
    return std::nullopt;
  }

  [[nodiscard]] sim::kernel::Time now() const { return now_; }

 private:
  struct Entry {
    sim::kernel::Time time;
    std::uint64_t key;
    Handle handle;
    Event event;
    bool operator>(const Entry& other) const { return time != other.time ? time > other.time : key > other.key; }
  };

  void release(std::uint32_t slot) {
    ++generations_[slot];
    free_.push_back(slot);
  }

  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> heap_;
  std::vector<std::uint32_t> generations_, free_;
  std::uint64_t sequence_ = 0;
  sim::kernel::Time now_;
};

}  // namespace fleetcast::tests
