#pragma once
// The training job on its gang: starts, steps, saves, stops, recovers, ends. One story for all grains; only how
// steps are played differs (stepper.hpp).
//
// Phases: waiting for nodes -> start-up -> running -> (a stop) detection -> [repair] -> waiting -> start-up ...
// A loss while detecting or waiting adds to what is missing; a loss during start-up begins with detection again.
// A hang is a detection in which the gang stands still with all its nodes. A silent error lets it step on; found, it
// throws the gang back past every save that was begun after it.
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
#include "sim/save_history.hpp"
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
  void on(const event::ErrorFound& found);

 private:
  using Phase = JobPhase;

  /// A stop that is known before it comes: the gang saves at the next step border first.
  struct ComingStop {
    bool planned = false;               ///< by a planned cause; else by an announced reclaim
    std::size_t cause = 0;              ///< index into Plan::causes, for planned ones
    std::optional<std::uint32_t> slot;  ///< node that a planned cause takes
  };

  /// A silent error that nobody has found yet.
  struct HiddenError {
    std::uint32_t number = 0;
    std::size_t cause = 0;              ///< index into Plan::causes
    std::optional<std::uint32_t> slot;  ///< node that goes on to err until it is gone
    std::uint64_t clean_until = 0;      ///< saves at later positions hold the error
    kernel::Handle found{};
  };

  /// A hang that has not been found yet, with the node that hangs unless it is gone or none.
  struct Hang {
    std::size_t cause = 0;
    std::optional<std::uint32_t> slot;
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
  void count_loss_in_restart(std::size_t counted_as);
  void resume_restart(Phase before, std::optional<std::size_t> cause);
  void begin_detection(std::optional<std::size_t> cause);
  void decide_in(double seconds);
  [[nodiscard]] double detection_s(std::optional<std::size_t> cause) const;
  void ask_for_repair(std::size_t cause);
  void begin_repair();
  /// Nodes are gone; what they were about to do goes with them.
  void lose(const std::vector<std::uint32_t>& slots, bool by_provider, const CausePlan* cause);
  void begin_waiting();
  void begin_start_up();
  [[nodiscard]] double part_s(const GangPart& part, std::uint32_t which) const;
  [[nodiscard]] double start_up_s() const;

  // faults that nobody sees at once (job_faults.cpp)
  void hang(std::size_t cause, std::optional<std::uint32_t> slot);
  void take_hung_nodes();
  void hide_error(std::size_t cause, std::optional<std::uint32_t> slot);
  void forget_what_hides_in(const std::vector<std::uint32_t>& slots);
  void leave_errors_behind();
  [[nodiscard]] bool still_matters(const HiddenError& error) const;
  void undo(const HiddenError& error);
  void use_older_saves();
  void go_back_to_newest();
  void remember_save();
  void remember_cycles(std::uint64_t cycles, bool was_in_flight, const Bookings& before, const Bookings& early);

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
  kernel::Handle software_event_{}, budget_event_{}, start_event_{}, decision_event_{};
  Time decision_at_{};
  std::optional<Hang> hang_;
  std::vector<HiddenError> hidden_;
  std::uint32_t errors_ = 0, coordinators_lost_ = 0;
  bool may_fall_back_;   ///< to a save that is not the newest
  SaveHistory history_;  ///< empty unless it may

  std::uint32_t stops_ = 0, planned_stops_ = 0, losses_during_restart_ = 0;
  std::vector<std::uint32_t> stops_by_cause_;
};

}  // namespace fleetcast::sim
