#pragma once
// Node grain: every phase of every node is an event, with jitter per node and step.
#include <cstdint>
#include <vector>

#include "sim/draws.hpp"
#include "sim/event.hpp"
#include "sim/plan.hpp"
#include "sim/stepper.hpp"
#include "sim/trial_step.hpp"

namespace fleetcast::sim {

class Observer;

class NodeStepper final : public Stepper {
 public:
  NodeStepper(const Plan& plan, const Draws& draws, Queue& queue, Meter& meter, Observer* observer = nullptr);

  void start(std::uint64_t steps) override;
  bool start_cycles(std::uint64_t) override { return false; }
  [[nodiscard]] CycleBooking cycle_booking() const override { return {}; }
  bool on(const event::StepsDone&) override;
  bool on(const event::NodeComputed& done) override;
  bool on(const event::GradientsExchanged&) override;
  bool on(const event::BatchReady&) override;
  [[nodiscard]] std::uint64_t steps_done() const override { return done_; }
  void stop_at_border() override { wanted_ = done_ + 1; }
  Duration interrupt() override;

 private:
  void begin_step();
  bool finish_step();
  void tell_step() const;

  const Plan& plan_;
  const Draws& draws_;
  Queue& queue_;
  Meter& meter_;
  Observer* observer_;
  TrialStep step_;
  std::vector<std::int64_t> gpus_;         ///< per slot
  std::vector<kernel::Handle> computing_;  ///< per slot
  kernel::Handle after_{};                 ///< the exchange or the wait for the loader
  std::uint64_t done_ = 0, wanted_ = 0;
  std::uint32_t attempts_ = 0;
  std::size_t still_computing_ = 0;
  std::int64_t compute_gpu_ns_ = 0;
  Time start_{}, slowest_{}, exchanged_{};
  std::int64_t exchange_ns_ = 0, bubble_ns_ = 0;
};

}  // namespace fleetcast::sim
