#pragma once
// How the steps of a running gang are played: the only thing in which the grains differ.
#include <cstdint>

#include "models/errors.hpp"
#include "sim/event.hpp"
#include "sim/meter.hpp"
#include "sim/plan.hpp"

namespace fleetcast::sim {

/// What whole intervals with their saves are booked as: all but the last, and the last, which may still have to
/// become usable.
struct CycleBooking {
  Duration duration;  ///< of all cycles
  StepBooking early, last;
  GpuTime early_stall = 0, last_stall = 0;
};

class Stepper {
 public:
  virtual ~Stepper() = default;

  /// Starts `steps` >= 1 steps. They are booked as they complete.
  virtual void start(std::uint64_t steps) = 0;
  /// Starts as many whole cycles (an interval of steps and the save that blocks) as surely end before the next event,
  /// at most `most`; CyclesDone comes at their end. False if nothing was started: finer grains never do.
  virtual bool start_cycles(std::uint64_t /*most*/) { return false; }
  [[nodiscard]] virtual CycleBooking cycle_booking() const { return {}; }
  /// Handlers of the phases of a step; true when the last of the steps is complete. A grain has those that it needs.
  virtual bool on(const event::StepsDone&) { return wrong_grain(); }
  virtual bool on(const event::NodeComputed&) { return wrong_grain(); }
  virtual bool on(const event::GradientsExchanged&) { return wrong_grain(); }
  virtual bool on(const event::BatchReady&) { return wrong_grain(); }
  /// Steps complete since start().
  [[nodiscard]] virtual std::uint64_t steps_done() const = 0;
  /// A stop is coming: the step under way is the last.
  virtual void stop_at_border() = 0;
  /// The gang stopped in the middle. Returns the time that was not booked and is lost.
  virtual Duration interrupt() = 0;

 protected:
  static std::int64_t to_ns(double seconds) { return Duration::from_seconds(seconds).nanoseconds(); }

 private:
  [[noreturn]] static bool wrong_grain() { throw models::ContractError{"an event of another grain"}; }
};

}  // namespace fleetcast::sim
