// What stops the gang, and how it comes back.
#include <algorithm>

#include "sim/job.hpp"

namespace fleetcast::sim {
namespace {

using scenarios::FailureKind;

/// Index into Plan::cause_names.
constexpr std::size_t counted_as_reclaim = 0;
/// Entities of software failures, and of the coordinator's recovery, among the draws that nodes otherwise make by slot.
constexpr std::uint32_t the_gang = ~0U, the_coordinator = ~1U;
/// Entities of Purpose::restart_part, one per part.
enum Part : std::uint32_t { part_detect, part_decide, part_set_up, part_compile, part_load, part_skip, part_fill };

}  // namespace

void Job::on(const event::SoftwareFailure&) {
  const std::uint32_t number = software_failures_++;
  const std::size_t cause = fleet_.software_cause(draws_.uniform(Purpose::failure_cause, the_gang, number));
  software_left_ = draws_.exponential(Purpose::software_failure, 0, number);
  running_since_ = queue_.now();
  if (plan_.causes[cause].is(FailureKind::silent)) {
    schedule_software_failure();
    hide_error(cause, std::nullopt);
    return;
  }
  if (plan_.causes[cause].is(FailureKind::planned) && checkpointer_.enabled()) {
    schedule_software_failure();
    coming_stop_ = ComingStop{true, cause, std::nullopt};
    if (!checkpointer_.is_saving()) stepper_->stop_at_border();
    return;
  }
  if (plan_.causes[cause].repair)
    repair_s_ = draws_.value(*plan_.causes[cause].repair, Purpose::repair, the_gang, number);
  if (plan_.causes[cause].is(FailureKind::hang)) {
    hang(cause, std::nullopt);
    return;
  }
  stop_unplanned(plan_.cause_index[cause], cause);
}

void Job::on(const event::NodeFails& failure) {
  const std::size_t cause = fleet_.failure_cause(failure.slot);
  const CausePlan& what = plan_.causes[cause];
  if (what.is(FailureKind::silent)) {
    hide_error(cause, failure.slot);
    fleet_.go_on(failure.slot);
    return;
  }
  if (what.is(FailureKind::hang) && (phase_ == Phase::running || phase_ == Phase::start_up)) {
    hang(cause, failure.slot);
    return;
  }
  if (what.is(FailureKind::planned) && phase_ == Phase::running && checkpointer_.enabled()) {
    coming_stop_ = ComingStop{true, cause, failure.slot};
    if (!checkpointer_.is_saving()) stepper_->stop_at_border();
    return;
  }
  lose_nodes(what.takes_fleet ? fleet_.held() : std::vector{failure.slot}, false, cause);
}

void Job::on(const event::NodeReclaimed& reclaim) {
  std::vector<std::uint32_t> gone;
  if (fleet_.is_announced(reclaim.slot)) {
    for (const std::uint32_t slot : fleet_.announced()) {
      if (fleet_.reclaim_time(slot) <= queue_.now()) gone.push_back(slot);
    }
  } else {
    gone = fleet_.victims(reclaim.slot);
  }
  lose_nodes(gone, true, std::nullopt);
}

void Job::on(const event::ReclaimNotice& notice) {
  if (fleet_.is_announced(notice.slot)) return;
  const Time when = fleet_.reclaim_time(notice.slot);
  for (const std::uint32_t slot : fleet_.victims(notice.slot)) fleet_.announce(slot, when);
  heed_notice();
}

void Job::on(const event::CapacityNotice& notice) {
  fleet_.announce_fall(notice.pool);
  if (fleet_.any_announced()) heed_notice();
}

void Job::on(const event::CapacityChanges& change) {
  const std::vector<std::uint32_t> gone = fleet_.follow_capacity(change.pool);
  if (!gone.empty()) lose_nodes(gone, true, std::nullopt);
}

void Job::heed_notice() {
  if (phase_ != Phase::running || !heeds_notices()) return;
  if (coming_stop_ && coming_stop_->planned) return;
  coming_stop_ = ComingStop{};
  if (!checkpointer_.is_saving()) stepper_->stop_at_border();
}

/// Everything is durable, so the gang stops without losing work.
void Job::stop_as_announced() {
  const ComingStop stop = *coming_stop_;
  leave_running();
  ++restarts_;
  if (!stop.planned) {
    ++stops_;
    ++stops_by_cause_[counted_as_reclaim];
    if (observer_) observer_->stop(queue_.now(), StopKind::announced, counted_as_reclaim);
    const std::vector<std::uint32_t> leaving = fleet_.announced();
    for (const std::uint32_t slot : leaving) meter_.book(Account::idle, fleet_.retire(slot));
    forget_what_hides_in(leaving);
    watch_budget();
    begin_waiting();
    return;
  }
  ++planned_stops_;
  ++stops_by_cause_[plan_.cause_index[stop.cause]];
  if (observer_) observer_->stop(queue_.now(), StopKind::planned, plan_.cause_index[stop.cause]);
  const CausePlan& cause = plan_.causes[stop.cause];
  if (cause.takes_fleet) {
    lose(fleet_.held(), false, &cause);
  } else if (stop.slot) {
    lose({*stop.slot}, false, &cause);
  }
  watch_budget();
  if (!stop.slot && !cause.takes_fleet && cause.repair) {
    enter(Phase::repair);
    const double seconds = draws_.value(*cause.repair, Purpose::repair, the_gang, software_failures_ - 1);
    queue_.schedule(queue_.now() + Duration::from_seconds(seconds), order_decision, event::RepairDone{});
    return;
  }
  begin_waiting();
}

/// The gang stops in the middle: what is not durable is lost.
void Job::interrupt() {
  const Duration cut = checkpointer_.is_saving() ? queue_.now() - stall_since_ : stepper_->interrupt();
  meter_.book_lost(GpuTime{plan_.gpus} * cut.nanoseconds());
  if (observer_) observer_->interrupted(queue_.now());
  checkpointer_.abandon();
  meter_.roll_back();
  const std::optional<ComingStop> coming = coming_stop_;
  leave_running();
  // Planned work on a node does not wait for a better moment.
  if (coming && coming->slot) lose({*coming->slot}, false, &plan_.causes[coming->cause]);
}

void Job::stop_unplanned(std::size_t counted_as, std::optional<std::size_t> cause) {
  ++stops_;
  ++stops_by_cause_[counted_as];
  if (observer_) observer_->stop(queue_.now(), StopKind::unplanned, counted_as);
  interrupt();
  begin_detection(cause);
}

void Job::lose_nodes(const std::vector<std::uint32_t>& slots, bool by_provider, std::optional<std::size_t> cause) {
  const Phase before = phase_;
  const std::size_t counted_as = cause ? plan_.cause_index[*cause] : counted_as_reclaim;
  settle();
  if (before == Phase::running) {
    stop_unplanned(counted_as, cause);
  } else {
    count_loss_in_restart(counted_as);
  }
  lose(slots, by_provider, cause ? &plan_.causes[*cause] : nullptr);
  if (cause && plan_.causes[*cause].is(FailureKind::coordinator)) ask_for_repair(*cause);
  resume_restart(before, cause);
  watch_budget();
}

void Job::count_loss_in_restart(std::size_t counted_as) {
  ++losses_during_restart_;
  if (observer_) observer_->stop(queue_.now(), StopKind::during_restart, counted_as);
}

/// After a loss in this phase.
void Job::resume_restart(Phase before, std::optional<std::size_t> cause) {
  if (before == Phase::start_up || (before == Phase::waiting && repair_s_)) {
    begin_detection(cause);
  } else if (before == Phase::waiting) {
    fleet_.request_missing();
  } else if (before == Phase::detection && hang_) {
    ++restarts_;
    decide_in(detection_s(cause));  // a crash is seen sooner than the hang in which it happens
  }
}

/// The meeting point comes back first; everybody else waits for it.
void Job::ask_for_repair(std::size_t cause) {
  if (!plan_.causes[cause].repair) return;
  const double seconds =
      draws_.value(*plan_.causes[cause].repair, Purpose::repair, the_coordinator, coordinators_lost_++);
  repair_s_ = std::max(seconds, repair_s_.value_or(0.0));
}

void Job::lose(const std::vector<std::uint32_t>& slots, bool by_provider, const CausePlan* cause) {
  fleet_.lose(slots, by_provider, cause);
  forget_what_hides_in(slots);
}

void Job::begin_detection(std::optional<std::size_t> cause) {
  queue_.cancel(start_event_);
  enter(Phase::detection);
  ++restarts_;
  queue_.cancel(decision_event_);
  decision_at_ = Time::never();
  decide_in(detection_s(cause));
}

/// Unless the decision falls sooner anyway.
void Job::decide_in(double seconds) {
  const Time when = queue_.now() + Duration::from_seconds(seconds);
  if (!(when < decision_at_)) return;
  queue_.cancel(decision_event_);
  decision_at_ = when;
  decision_event_ = queue_.schedule(when, order_decision, event::DecisionMade{});
}

/// Until it is known what to do. A silent error has been found already when the gang stops; the watchdog of a hang
/// is no part of a restart that is given as one value.
double Job::detection_s(std::optional<std::size_t> cause) const {
  const CausePlan* what = cause ? &plan_.causes[*cause] : nullptr;
  const bool is_found = what != nullptr && what->is(FailureKind::silent);
  const bool own_counts = what != nullptr && what->detect && !is_found;
  const GangPart own = own_counts ? GangPart{*what->detect, what->detect_offset} : GangPart{};
  if (plan_.restart.whole) return own_counts && what->is(FailureKind::hang) ? part_s(own, part_detect) : 0.0;
  const double decide = part_s(plan_.restart.decide, part_decide);
  if (is_found) return decide;
  return part_s(own_counts ? own : plan_.restart.detect, part_detect) + decide;
}

void Job::on(const event::DecisionMade&) {
  settle();
  take_hung_nodes();
  begin_repair();
}

/// What has to be repaired before anything starts, if anything.
void Job::begin_repair() {
  if (!repair_s_) {
    begin_waiting();
    return;
  }
  enter(Phase::repair);
  queue_.schedule(queue_.now() + Duration::from_seconds(*repair_s_), order_decision, event::RepairDone{});
  repair_s_.reset();
}

void Job::on(const event::RepairDone&) {
  settle();
  begin_repair();
}

void Job::begin_waiting() {
  enter(Phase::waiting);
  fleet_.request_missing();
  if (fleet_.complete()) begin_start_up();
}

void Job::begin_start_up() {
  enter(Phase::start_up);
  start_event_ =
      queue_.schedule(queue_.now() + Duration::from_seconds(start_up_s()), order_decision, event::GangStarted{});
}

double Job::part_s(const GangPart& part, std::uint32_t which) const {
  return part.offset_s + draws_.value(part.law, Purpose::restart_part, which, restarts_);
}

double Job::start_up_s() const {
  const RestartPlan& restart = plan_.restart;
  double seconds = part_s(restart.set_up, part_set_up);
  if (restart.whole) return seconds;
  seconds += part_s(restart.compile, part_compile) + part_s(restart.fill, part_fill);
  if (!first_start_) seconds += part_s(restart.skip, part_skip);
  if (checkpointer_.has_usable()) seconds += part_s(restart.load, part_load);
  return seconds;
}

void Job::on(const event::GangStarted&) {
  settle();
  first_start_ = false;
  begin_running();
}

void Job::on(const event::NodeBoots& boots) {
  settle();
  if (fleet_.boot(boots.slot)) watch_budget();
}

void Job::on(const event::NodeReady& ready) {
  settle();
  fleet_.make_ready(ready.slot);
  if (phase_ == Phase::waiting && fleet_.complete()) begin_start_up();
}

}  // namespace fleetcast::sim
