#pragma once
// Step grain: a step of the gang is one event; the slowest of its nodes is drawn directly.
#include <cstdint>

#include "sim/draws.hpp"
#include "sim/event.hpp"
#include "sim/plan.hpp"
#include "sim/stepper.hpp"
#include "sim/trial_step.hpp"

namespace fleetcast::sim {

class StepStepper final : public Stepper {
 public:
  StepStepper(const Plan& plan, const Draws& draws, Queue& queue, Meter& meter);

  void start(std::uint64_t steps) override;
  using Stepper::on;
  bool on(const event::StepsDone&) override;
  [[nodiscard]] std::uint64_t steps_done() const override { return done_; }
  void stop_at_border() override { wanted_ = done_ + 1; }
  Duration interrupt() override;

 private:
  /// Nanoseconds of whole steps by part, summed until they are booked.
  struct Parts {
    std::int64_t slowest = 0, exchange = 0, bubble = 0, stall = 0;
  };

  void begin_step();
  void book_complete();

  const Plan& plan_;
  const Draws& draws_;
  Queue& queue_;
  Meter& meter_;
  TrialStep step_;
  double compute_share_;  ///< of the slowest node's time that a node computes in the mean; the rest it waits
  std::int64_t bubble_ns_, batch_interval_ns_;
  std::uint32_t attempts_ = 0;
  std::uint64_t done_ = 0, wanted_ = 0;
  Time start_{};
  Parts under_way_, complete_;
  kernel::Handle pending_{};
};

}  // namespace fleetcast::sim
