#pragma once
// The saves of the gang: one at a time, durable only when all of it has arrived.
#include <cstdint>
#include <optional>

#include "sim/draws.hpp"
#include "sim/event.hpp"
#include "sim/plan.hpp"

namespace fleetcast::sim {

class Observer;

/// Why a save is made. Only an asynchronous `interval` save returns before it is durable.
enum class SaveReason { interval, notice, planned, final };

class Checkpointer {
 public:
  Checkpointer(const SavePlan& plan, const Draws& draws, Queue& queue, Observer* observer = nullptr);

  [[nodiscard]] bool enabled() const { return plan_.mode != scenarios::Checkpoint::Mode::off; }
  /// The step at which the next save of the interval is due after one at `position`; never without an interval.
  [[nodiscard]] std::uint64_t next_due(std::uint64_t position) const;
  /// The newest step count that a restart can go back to.
  [[nodiscard]] std::uint64_t usable_position() const { return usable_position_; }
  [[nodiscard]] bool has_usable() const { return kept_ > 0; }
  /// Usable saves that the store holds now.
  [[nodiscard]] std::uint64_t kept() const { return kept_; }
  [[nodiscard]] bool in_flight() const { return in_flight_position_.has_value(); }
  /// Mean time until a save started now is durable, s.
  [[nodiscard]] double mean_durable_s() const { return mean_durable_s_; }

  /// Starts a save of the state at `position`; its blocking part ends with SaveDone. While another is in flight
  /// the gang waits for that first (SaveUsable, then call again).
  void begin(std::uint64_t position, SaveReason reason);
  [[nodiscard]] bool is_saving() const { return saving_; }
  [[nodiscard]] bool is_waiting() const { return waiting_; }
  [[nodiscard]] SaveReason reason() const { return reason_; }
  /// The blocking part is over: returns true if the state is durable now, false if it persists in the background.
  bool finish_blocking();
  /// The save in the background is durable. If the gang waits for that (is_waiting), begin() again.
  void finish_persisting();
  /// A save that was being made or in flight never existed.
  void abandon();
  /// Only so many of the newest saves can be used, the newest of them at `position`; those after it are dropped.
  /// Nothing may be in the making.
  void go_back(std::uint64_t saves, std::uint64_t position);

  /// Span grain: `cycles` intervals were done, each ended by a save; the last ended now, at `position`. Their
  /// time, `duration`, is needed for the storage bill. For asynchronous saves the last one is still in flight.
  /// The caller books and commits.
  void complete_cycles(std::uint64_t cycles, std::uint64_t position, Duration duration);
  /// Lets `start`, which returns whether it started anything, plan as if no save were in flight: a save in the
  /// background does not interrupt. Only where it is sure to be usable before the next one is due.
  template <class Start>
  bool run_over(Start start) {
    if (plan_.mode == scenarios::Checkpoint::Mode::async && !persists_within_interval_) return false;
    if (!in_flight()) return start();
    queue_.cancel(usable_event_);
    if (start()) return true;
    schedule_usable_event();
    return false;
  }

  /// Stops the storage meter at the present time.
  void close();
  [[nodiscard]] std::uint32_t started() const { return static_cast<std::uint32_t>(started_); }
  [[nodiscard]] std::uint32_t usable() const { return static_cast<std::uint32_t>(usable_); }
  /// Byte-seconds kept in the store.
  [[nodiscard]] double stored_byte_s() const { return stored_byte_s_; }

 private:
  [[nodiscard]] std::uint64_t most_kept() const;
  void keep_more(std::uint64_t saves);
  void meter_storage();
  void meter_cycles(std::uint64_t cycles, Duration duration);
  void become_usable(std::uint64_t position);
  void persist_in_background(double persist_s);
  void schedule_usable_event();

  const SavePlan& plan_;
  const Draws& draws_;
  Queue& queue_;
  Observer* observer_;
  double mean_persist_s_, mean_durable_s_;
  bool persists_within_interval_;
  bool saving_ = false, waiting_ = false;
  SaveReason reason_ = SaveReason::interval;
  std::uint64_t position_ = 0, usable_position_ = 0;
  double persist_s_ = 0.0;
  std::optional<std::uint64_t> in_flight_position_;
  Time usable_at_{};
  kernel::Handle done_event_{}, usable_event_{};
  std::uint64_t started_ = 0, usable_ = 0;
  std::uint64_t kept_ = 0;
  double stored_byte_s_ = 0.0;
  Time storage_until_{};
};

}  // namespace fleetcast::sim
