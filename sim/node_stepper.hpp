#pragma once
// Node grain: every phase of every node is an event, with jitter per node and step.
#include <cstdint>
#include <vector>

#include "sim/draws.hpp"
#include "sim/event.hpp"
#include "sim/meter.hpp"
#include "sim/plan.hpp"
#include "sim/trial_step.hpp"

namespace fleetcast::sim {

class NodeStepper {
 public:
  NodeStepper(const Plan& plan, const Draws& draws, Queue& queue, Meter& meter);

  /// Starts `steps` >= 1 steps. Each one is booked at its end.
  void start(std::uint64_t steps);
  /// Handlers of the three phases; true when the last of the steps is complete (or the border that was asked for).
  bool on(const event::NodeComputed& done);
  bool on(const event::GradientsExchanged&);
  bool on(const event::BatchReady&);
  /// Steps complete since start().
  [[nodiscard]] std::uint64_t steps_done() const { return done_; }
  /// A notice arrived: the step under way is the last.
  void stop_at_border() { wanted_ = done_ + 1; }
  /// The gang stopped in the middle of a step. Returns the time of that step, which is not booked.
  Duration interrupt();

 private:
  void begin_step();
  bool finish_step();

  const Plan& plan_;
  const Draws& draws_;
  Queue& queue_;
  Meter& meter_;
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
