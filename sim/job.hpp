#pragma once
// The training job on its gang: starts, steps, saves, stops, recovers, ends. One story for all grains; only how
// steps are played differs (stepper.hpp).
//
// Phases: waiting for nodes -> start-up -> running -> (a stop) detection -> [repair] -> waiting -> start-up ...
// A loss while detecting or waiting adds to what is missing; a loss during start-up begins with detection again.
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/checkpointer.hpp"
#include "sim/draws.hpp"
#include "sim/event.hpp"
#include "sim/fleet.hpp"
#include "sim/meter.hpp"
#include "sim/observer.hpp"
#include "sim/outcome.hpp"
#include "sim/plan.hpp"
#include "sim/stepper.hpp"

namespace fleetcast::sim {

class Job {
 public:
  Job(const Plan& plan, const Draws& draws, Queue& queue, Observer* observer = nullptr);

  /// Asks for the nodes and sets the limits.
  void submit();
  [[nodiscard]] bool over() const { return over_; }
  /// The trial is cut off where it stands.
  void cut(Status status);
  [[nodiscard]] Outcome outcome() const;

  void on(const event::StepsDone& event) { on_phase(event); }
  void on(const event::CyclesDone&);
  void on(const event::NodeComputed& event) { on_phase(event); }
  void on(const event::GradientsExchanged& event) { on_phase(event); }
  void on(const event::BatchReady& event) { on_phase(event); }
  void on(const event::SaveDone&);
  void on(const event::SaveUsable&);
  void on(const event::Cutoff& cutoff);
  void on(const event::SoftwareFailure&);
  void on(const event::NodeFails& failure);
  void on(const event::NodeReclaimed& reclaim);
  void on(const event::ReclaimNotice& notice);
  void on(const event::NodeBoots& boots);
  void on(const event::NodeReady& ready);
  void on(const event::DecisionMade&);
  void on(const event::RepairDone&);
  void on(const event::GangStarted&);
  void on(const event::CapacityChanges& change);
  void on(const event::CapacityNotice& notice);

 private:
  using Phase = JobPhase;

  /// A stop that is known before it comes: the gang saves at the next step border first.
  struct ComingStop {
    bool planned = false;               ///< by a planned cause; else by an announced reclaim
    std::size_t cause = 0;              ///< index into Plan::causes, for planned ones
    std::optional<std::uint32_t> slot;  ///< node that a planned cause takes
  };

  template <class PhaseEvent>
  void on_phase(const PhaseEvent& event) {
    if (!stepper_->on(event)) return;
    position_ += stepper_->steps_done();
    at_border();
  }

  // running
  void begin_running();
  void leave_running();
  void keep_stepping();
  bool start_cycles();
  void at_border();
  void begin_save(SaveReason reason);
  void after_durable_save(SaveReason reason);
  void heed_notice();
  bool meet_coming_stop();
  [[nodiscard]] bool heeds_notices() const { return plan_.save.on_notice && checkpointer_.enabled(); }
  void stop_as_announced();
  void interrupt();
  void schedule_software_failure();
  void finish_job();

  // stops and recovery
  void lose_nodes(const std::vector<std::uint32_t>& slots, bool by_provider, std::optional<std::size_t> cause);
  void stop_unplanned(std::size_t counted_as, std::optional<std::size_t> cause);
  void begin_detection(std::optional<std::size_t> cause);
  void begin_waiting();
  void begin_start_up();
  [[nodiscard]] double part_s(const GangPart& part, std::uint32_t which) const;
  [[nodiscard]] double start_up_s() const;

  void enter(Phase phase);
  void settle();  ///< books the time since the last event outside running
  void watch_budget();
  void end(Status status);

  const Plan& plan_;
  const Draws& draws_;
  Queue& queue_;
  Observer* observer_;  ///< may be null
  Meter meter_;
  Fleet fleet_;
  Checkpointer checkpointer_;
  std::unique_ptr<Stepper> stepper_;

  Phase phase_ = Phase::waiting;
  bool over_ = false;
  bool first_start_ = true;
  Status status_ = Status::finished;
  Time settled_until_{};
  Time running_since_{}, stall_since_{};
  std::uint64_t position_ = 0, next_save_ = 0;
  std::optional<ComingStop> coming_stop_;
  std::optional<double> repair_s_;  ///< in-place repair before the restart
  std::uint32_t restarts_ = 0;
  double software_left_ = 0.0;  ///< unit exposure left until the next software failure
  std::uint32_t software_failures_ = 0;
  kernel::Handle software_event_{}, budget_event_{}, start_event_{};

  std::uint32_t stops_ = 0, planned_stops_ = 0, losses_during_restart_ = 0;
  std::vector<std::uint32_t> stops_by_cause_;
};

}  // namespace fleetcast::sim
