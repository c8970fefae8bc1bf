#pragma once
// The meter books GPU time to accounts. What the stepping gang books is provisional until a checkpoint that
// covers it is usable; a rollback turns it into lost work.
#include <array>
#include <cstdint>

#include "sim/account.hpp"
#include "sim/event.hpp"

namespace fleetcast::sim {

class Observer;

/// GPU-nanoseconds. 16,384 GPUs for 54 days are 7.6e19: more than 64 bits.
__extension__ using GpuTime = __int128;

/// GPU time by account, with the kept steps and their wall time that belong to it.
struct Bookings {
  std::array<GpuTime, account_count> gpu_ns{};
  std::uint64_t steps = 0;
  std::int64_t step_wall_ns = 0;  ///< without data stall
  void add(const Bookings& other);
  [[nodiscard]] GpuTime total() const;
};

/// One stretch of stepping of the whole gang: nanoseconds x GPUs by account.
struct StepBooking {
  GpuTime compute = 0, communication = 0, bubble = 0, straggler = 0, data_stall = 0;
  std::uint64_t steps = 0;
  std::int64_t wall_ns = 0;  ///< without data stall
};

class Meter {
 public:
  explicit Meter(Observer* observer = nullptr) : observer_{observer} {}

  /// Final at once: detection, start-up, idle.
  void book(Account account, GpuTime gpu_ns) { kept_.gpu_ns[static_cast<std::size_t>(account)] += gpu_ns; }
  /// Provisional: steps of the gang.
  void book_steps(const StepBooking& steps);
  /// Provisional: the gang is blocked by a save.
  void book_stall(GpuTime gpu_ns);
  /// Work of the gang that can never be kept (a step that was cut off).
  void book_lost(GpuTime gpu_ns) { book(Account::lost_work, gpu_ns); }

  /// The state of now is being saved in the background: what is booked so far waits for that save.
  void take_snapshot();
  /// The save in the background is usable.
  void commit_snapshot();
  /// The state of now is durable: everything is kept.
  void commit_all();
  /// Everything since the last usable checkpoint is lost.
  void roll_back();

  /// What is kept of the work of the gang, and what would be if all were durable now.
  [[nodiscard]] Bookings kept_work() const;
  [[nodiscard]] Bookings booked_work() const;
  /// What was kept since this was all kept work is lost after all.
  void lose_kept_since(const Bookings& work);

  [[nodiscard]] const Bookings& kept() const { return kept_; }
  /// Since the last snapshot; no save covers it yet.
  [[nodiscard]] const Bookings& open() const { return open_; }

 private:
  Observer* observer_;
  Bookings kept_, waiting_, open_;
};

}  // namespace fleetcast::sim
