#pragma once
// Span grain: all steps up to the next thing that can interrupt are one event, with the exact mean and variance
// of the summed steps.
#include <cstdint>

#include "sim/draws.hpp"
#include "sim/event.hpp"
#include "sim/plan.hpp"
#include "sim/stepper.hpp"
#include "sim/trial_step.hpp"

namespace fleetcast::sim {

class SpanStepper final : public Stepper {
 public:
  SpanStepper(const Plan& plan, const Draws& draws, Queue& queue, Meter& meter);

  void start(std::uint64_t steps) override;
  /// False too if not even two cycles fit.
  bool start_cycles(std::uint64_t most) override;
  [[nodiscard]] CycleBooking cycle_booking() const override;
  using Stepper::on;
  bool on(const event::StepsDone&) override;
  [[nodiscard]] std::uint64_t steps_done() const override { return steps_; }
  void stop_at_border() override;
  Duration interrupt() override;

 private:
  [[nodiscard]] double draw_steps(std::uint64_t steps);
  [[nodiscard]] double draw_blocked(std::uint64_t saves);
  [[nodiscard]] std::uint64_t cycles_that_fit(double room_s, std::uint64_t most) const;
  [[nodiscard]] StepBooking book(std::uint64_t steps, std::int64_t duration_ns) const;

  const Plan& plan_;
  const Draws& draws_;
  Queue& queue_;
  Meter& meter_;
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
