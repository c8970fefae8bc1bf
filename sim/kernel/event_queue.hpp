#pragma once
// The events that are still to come, earliest first.
//
// A four-ary heap in one array with a table of positions, so that any event can be cancelled or moved in place. An
// entry is 16 bytes, so that four siblings are one cache line and one 128-bit comparison orders two entries; the
// events themselves stay put in slots. Taking out an event leaves the root vacant, and the next one scheduled
// goes there: the usual pair of the two costs a single sift.
#include <algorithm>
#include <concepts>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

#include "sim/kernel/cache_line_allocator.hpp"
#include "sim/kernel/time.hpp"

namespace fleetcast::sim::kernel {

/// Names one scheduled event. Stale, and harmless, once that event has been handed out or cancelled.
struct Handle {
  std::uint32_t slot = ~std::uint32_t{0};
  std::uint32_t generation = 0;
  friend bool operator==(const Handle&, const Handle&) = default;
};

/// Order: time, then priority (smaller first), then order of scheduling. `Priority` is one byte: a number or an
/// enum. Fewer than 2^24 events wait at once (std::length_error). An event at Time::never() waits and can be moved but
/// is never handed out. `sequence_bits` below 32 serve only to test the renumbering after 2^32 schedulings.
template <class Event, class Priority = std::uint8_t, unsigned sequence_bits = 32>
class EventQueue {
  static_assert(sizeof(Priority) == 1 && (std::is_enum_v<Priority> || std::unsigned_integral<Priority>));
  static_assert(sequence_bits <= 32);

 public:
  struct Occurrence {
    Time time;
    Priority priority;
    Event event;
    Occurrence(Time at, Priority rank, Event&& what) : time{at}, priority{rank}, event{std::move(what)} {}
  };

  /// `event` becomes an Event where it will wait (a copy on the way would cost a tenth of a trial).
  /// Throws std::logic_error if `time` is before now().
  template <std::convertible_to<Event> Record = Event>
  Handle schedule(Time time, Priority priority, Record&& event) {
    refuse_past(time);
    const std::uint64_t sequence = next_sequence();
    const std::uint32_t slot = take_slot(std::forward<Record>(event));
    const Entry entry = entry_of(time, key_of(priority) | sequence | slot);
    if (root_is_vacant_) {
      root_is_vacant_ = false;
      sift_down(root, entry);
    } else {
      sift_up(append(), entry);
    }
    return {slot, generations_[slot]};
  }

  /// False if the event does not wait any more.
  bool cancel(Handle handle) {
    if (!waits(handle)) return false;
    fill_vacant_root();
    const std::uint32_t position = positions_[handle.slot];
    release(handle.slot);
    const Entry last = remove_last();
    if (position != end_) settle(position, last);
    return true;
  }

  /// Moves a waiting event to another time, as the last of its priority there. False if it does not wait any more.
  /// Throws std::logic_error if `time` is before now().
  bool reschedule(Handle handle, Time time) {
    refuse_past(time);
    if (!waits(handle)) return false;
    fill_vacant_root();
    const std::uint64_t sequence = next_sequence();
    const std::uint32_t position = positions_[handle.slot];
    const std::uint64_t priority = static_cast<std::uint64_t>(heap_[position]) & priority_mask;
    settle(position, entry_of(time, priority | sequence | handle.slot));
    return true;
  }

  /// Takes out the earliest event and moves now() to it. Nothing if no event waits before Time::never().
  std::optional<Occurrence> next() {
    fill_vacant_root();
    if (end_ == root || time_of(heap_[root]) == Time::never()) return std::nullopt;
    const Entry first = heap_[root];
    const std::uint32_t slot = slot_of(first);
    now_ = time_of(first);
    root_is_vacant_ = true;
    release(slot);
    return std::optional<Occurrence>{std::in_place, now_, priority_of(first), std::move(events_[slot])};
  }

  /// Of the event that next() would take; Time::never() if there is none.
  Time next_time() {
    fill_vacant_root();
    return end_ == root ? Time::never() : time_of(heap_[root]);
  }

  [[nodiscard]] bool waits(Handle handle) const {
    return handle.slot < generations_.size() && generations_[handle.slot] == handle.generation;
  }
  /// The time of the event that was taken out last; before that, the start of the run.
  [[nodiscard]] Time now() const { return now_; }
  [[nodiscard]] std::size_t size() const { return end_ - root - (root_is_vacant_ ? 1 : 0); }
  [[nodiscard]] bool empty() const { return size() == 0; }

  /// Back to an empty queue at the start of a run, with the memory kept. Handles from before are stale.
  void clear() {
    fill_vacant_root();
    while (end_ != root) release(slot_of(remove_last()));
    now_ = Time{};
    sequence_ = 0;
  }

 private:
  /// time << 64 | priority << 56 | sequence << 24 | slot: one number, whose order is the order of the events. Times
  /// are never negative. (One number also keeps copies in two general registers; a pair of words that is copied
  /// as a vector waits for the two stores before it.)
  __extension__ using Entry = unsigned __int128;

  static constexpr unsigned slot_bits = 24, priority_shift = 56;
  static constexpr std::uint64_t slot_mask = (std::uint64_t{1} << slot_bits) - 1;
  static constexpr std::uint32_t no_slot = ~std::uint32_t{0};
  static constexpr std::uint64_t priority_mask = ~std::uint64_t{0} << priority_shift;
  static constexpr std::uint64_t sequence_limit = std::uint64_t{1} << sequence_bits;
  /// Children of position p are 4 (p - 2) to 4 (p - 2) + 3; starting at 3 puts every such group on one cache line.
  static constexpr std::uint32_t root = 3;
  /// After every entry; fills the group of the last entries, so that the least of four needs no bounds check.
  static constexpr Entry sentinel = ~Entry{0};

  static Entry entry_of(Time time, std::uint64_t key) {
    return Entry{static_cast<std::uint64_t>(time.nanoseconds())} << 64 | key;
  }
  static std::uint64_t key_of(Priority priority) { return static_cast<std::uint64_t>(priority) << priority_shift; }
  static Time time_of(Entry entry) { return Time{static_cast<std::int64_t>(entry >> 64)}; }
  static Priority priority_of(Entry entry) {
    return static_cast<Priority>(static_cast<std::uint64_t>(entry) >> priority_shift);
  }
  static std::uint32_t slot_of(Entry entry) { return static_cast<std::uint32_t>(entry & slot_mask); }

  void refuse_past(Time time) const {
    if (time < now_) throw std::logic_error{"event queue: an event was scheduled into the past"};
  }

  std::uint64_t next_sequence() {
    if (sequence_ == sequence_limit) renumber();
    return sequence_++ << slot_bits;
  }

  /// Sorted order is heap order, and small sequence numbers are free again.
  void renumber() {
    fill_vacant_root();
    std::sort(heap_.begin() + root, heap_.begin() + end_);
    sequence_ = 0;
    for (std::uint32_t position = root; position != end_; ++position) {
      const Entry sequence_mask = Entry{~(priority_mask | slot_mask)};
      place(position, (heap_[position] & ~sequence_mask) | Entry{sequence_++} << slot_bits);
    }
    if (sequence_ == sequence_limit) throw std::length_error{"event queue: too many events wait"};
  }

  template <class Record>
  std::uint32_t take_slot(Record&& event) {
    if (free_slot_ == no_slot) return new_slot(std::forward<Record>(event));
    const std::uint32_t slot = std::exchange(free_slot_, positions_[free_slot_]);
    events_[slot] = std::forward<Record>(event);
    return slot;
  }

  template <class Record>
  std::uint32_t new_slot(Record&& event) {
    if (events_.size() == slot_mask) throw std::length_error{"event queue: too many events wait"};
    events_.emplace_back(std::forward<Record>(event));
    positions_.push_back(0);
    generations_.push_back(0);
    return static_cast<std::uint32_t>(events_.size() - 1);
  }

  void release(std::uint32_t slot) {
    ++generations_[slot];
    positions_[slot] = std::exchange(free_slot_, slot);
  }

  std::uint32_t append() {
    if (end_ == heap_.size()) heap_.insert(heap_.end(), 4, sentinel);
    return end_++;
  }

  Entry remove_last() { return std::exchange(heap_[--end_], sentinel); }

  void fill_vacant_root() {
    if (!root_is_vacant_) return;
    root_is_vacant_ = false;
    const Entry last = remove_last();
    if (end_ != root) sift_down(root, last);
  }

  void place(std::uint32_t position, Entry entry) {
    heap_[position] = entry;
    positions_[slot_of(entry)] = position;
  }

  void settle(std::uint32_t position, Entry entry) {
    if (position != root && entry < heap_[parent_of(position)]) {
      sift_up(position, entry);
    } else {
      sift_down(position, entry);
    }
  }

  static std::uint32_t parent_of(std::uint32_t position) { return position / 4 + 2; }

  void sift_up(std::uint32_t position, Entry entry) {
    while (position != root) {
      const std::uint32_t parent = parent_of(position);
      if (entry > heap_[parent]) break;
      place(position, heap_[parent]);
      position = parent;
    }
    place(position, entry);
  }

  void sift_down(std::uint32_t position, Entry entry) {
    for (std::uint32_t child = 4 * (position - 2); child < end_; child = 4 * (position - 2)) {
      const std::uint32_t least = least_of_four(child);
      if (entry < heap_[least]) break;
      place(position, heap_[least]);
      position = least;
    }
    place(position, entry);
  }

  std::uint32_t least_of_four(std::uint32_t first) const {
    const std::uint32_t left = first + (heap_[first + 1] < heap_[first] ? 1 : 0);
    const std::uint32_t right = first + (heap_[first + 3] < heap_[first + 2] ? 3 : 2);
    return heap_[right] < heap_[left] ? right : left;
  }

  std::vector<Entry, CacheLineAllocator<Entry>> heap_ = std::vector<Entry, CacheLineAllocator<Entry>>(4, sentinel);
  std::uint32_t end_ = root;     ///< position after the last entry
  bool root_is_vacant_ = false;  ///< what stands there was handed out
  std::uint64_t sequence_ = 0;
  Time now_;
  // per slot
  std::vector<Event> events_;
  std::vector<std::uint32_t> positions_;    ///< in heap_ while the event waits; of a free slot: the next free one
  std::vector<std::uint32_t> generations_;  ///< counts the events that have left the slot
  std::uint32_t free_slot_ = no_slot;
};

}  // namespace fleetcast::sim::kernel
