#pragma once
// Span grain: all steps up to the next thing that can interrupt are one event, with the exact mean and variance
// of the summed steps.
#include <cstdint>

#include "sim/draws.hpp"
#include "sim/event.hpp"
#include "sim/meter.hpp"
#include "sim/plan.hpp"
#include "sim/trial_step.hpp"

namespace fleetcast::sim {

class SpanStepper {
 public:
  SpanStepper(const Plan& plan, const Draws& draws, Queue& queue);

  /// Starts `steps` >= 1 steps; StepsDone comes at their end.
  void start(std::uint64_t steps);
  /// Starts as many whole cycles (interval steps and a save that blocks) as surely end before the next event,
  /// at most `most`; CyclesDone comes at their end. False if not even two fit: then nothing was started.
  bool start_cycles(std::uint64_t most, const SavePlan& save);
  /// A notice arrived: the step under way is the last of this span.
  void stop_at_border();
  /// The gang stopped in the middle. Returns the time since the span began; nothing of it is kept.
  Duration interrupt();

  /// What the span that just ended is booked as.
  [[nodiscard]] StepBooking booking() const;
  struct CycleBooking {
    Duration duration;        ///< of all cycles
    StepBooking early, last;  ///< all but the last cycle; the last
    GpuTime early_stall = 0, last_stall = 0;
  };
  [[nodiscard]] CycleBooking cycle_booking() const;

 private:
  [[nodiscard]] double draw_steps(std::uint64_t steps);
  [[nodiscard]] double draw_blocked(std::uint64_t saves, const SavePlan& save);
  [[nodiscard]] std::uint64_t cycles_that_fit(double room_s, std::uint64_t most, const SavePlan& save) const;
  [[nodiscard]] StepBooking book(std::uint64_t steps, std::int64_t duration_ns) const;

  const Plan& plan_;
  const Draws& draws_;
  Queue& queue_;
  TrialStep step_;
  bool irregular_;
  double share_straggler_ = 0.0, share_exchange_ = 0.0, share_bubble_ = 0.0, share_stall_ = 0.0;
  double blocked_mean_, blocked_variance_;
  std::uint32_t draws_made_ = 0, steps_drawn_ = 0;
  Time start_{};
  std::uint64_t steps_ = 0, cycles_ = 0;
  std::int64_t steps_ns_ = 0, blocked_ns_ = 0;
  kernel::Handle pending_{};
};

}  // namespace fleetcast::sim
