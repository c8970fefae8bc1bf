#pragma once
// Node grain: every phase of every node is an event, with jitter per node and step. Only the next node of a step waits
// in the queue; the others stand in line, sorted. That is cheaper than N events in the heap, and the same order.
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
  using Stepper::on;
  bool on(const event::NodeComputed& done) override;
  bool on(const event::GradientsExchanged&) override;
  bool on(const event::BatchReady&) override;
  [[nodiscard]] std::uint64_t steps_done() const override { return done_; }
  void stop_at_border() override { wanted_ = done_ + 1; }
  Duration interrupt() override;

 private:
  /// When a node will have done its part, and which: nanoseconds << 64 | slot. One number, because sorting pairs
  /// waits for the two stores of a pair that is copied as a vector (a tenth of the time of a step of 16 nodes).
  __extension__ using Arrival = unsigned __int128;

  void begin_step();
  void draw_jitter(std::uint32_t attempt);
  void schedule_next_node();
  bool finish_step();
  void tell_step() const;

  const Plan& plan_;
  const Draws& draws_;
  Queue& queue_;
  Meter& meter_;
  Observer* observer_;
  TrialStep step_;
  std::vector<std::int64_t> gpus_;  ///< per slot
  std::vector<double> jitter_;      ///< of this step: factor per slot
  std::vector<Arrival> line_;       ///< of this step, earliest first
  std::size_t computed_ = 0;        ///< how many of them have done their part
  kernel::Handle pending_{};        ///< the one event of the step that waits in the queue
  std::uint64_t done_ = 0, wanted_ = 0;
  std::uint32_t attempts_ = 0;
  std::int64_t compute_gpu_ns_ = 0;
  Time start_{}, slowest_{}, exchanged_{};
  std::int64_t exchange_ns_ = 0, bubble_ns_ = 0;
};

}  // namespace fleetcast::sim
