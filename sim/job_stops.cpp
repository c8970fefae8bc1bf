// What stops the gang, and how it comes back.
#include "sim/job.hpp"

namespace fleetcast::sim {
namespace {

/// Index into Plan::cause_names.
constexpr std::size_t counted_as_reclaim = 0;
/// Entity of software failures among the draws that nodes otherwise make by slot.
constexpr std::uint32_t the_gang = ~0U;
/// Entities of Purpose::restart_part, one per part.
enum Part : std::uint32_t { part_detect, part_decide, part_set_up, part_compile, part_load, part_skip, part_fill };

}  // namespace

void Job::on(const event::SoftwareFailure&) {
  const std::uint32_t number = software_failures_++;
  const std::size_t cause = fleet_.software_cause(draws_.uniform(Purpose::failure_cause, the_gang, number));
  software_left_ = draws_.exponential(Purpose::software_failure, 0, number);
  running_since_ = queue_.now();
  if (plan_.causes[cause].planned && checkpointer_.enabled()) {
    schedule_software_failure();
    coming_stop_ = ComingStop{true, cause, std::nullopt};
    if (!checkpointer_.is_saving()) stepper_->stop_at_border();
    return;
  }
  if (plan_.causes[cause].repair)
    repair_s_ = draws_.value(*plan_.causes[cause].repair, Purpose::repair, the_gang, number);
  stop_unplanned(plan_.cause_index[cause], cause);
}

void Job::on(const event::NodeFails& failure) {
  const std::size_t cause = fleet_.failure_cause(failure.slot);
  const CausePlan& what = plan_.causes[cause];
  if (what.planned && phase_ == Phase::running && checkpointer_.enabled()) {
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
    for (const std::uint32_t slot : fleet_.announced()) meter_.book(Account::idle, fleet_.retire(slot));
    watch_budget();
    begin_waiting();
    return;
  }
  ++planned_stops_;
  ++stops_by_cause_[plan_.cause_index[stop.cause]];
  if (observer_) observer_->stop(queue_.now(), StopKind::planned, plan_.cause_index[stop.cause]);
  const CausePlan& cause = plan_.causes[stop.cause];
  if (cause.takes_fleet) {
    fleet_.lose(fleet_.held(), false, &cause);
  } else if (stop.slot) {
    fleet_.lose({*stop.slot}, false, &cause);
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
  if (coming && coming->slot) fleet_.lose({*coming->slot}, false, &plan_.causes[coming->cause]);
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
    ++losses_during_restart_;
    if (observer_) observer_->stop(queue_.now(), StopKind::during_restart, counted_as);
  }
  fleet_.lose(slots, by_provider, cause ? &plan_.causes[*cause] : nullptr);
  if (before == Phase::start_up) begin_detection(cause);
  if (before == Phase::waiting) fleet_.request_missing();
  watch_budget();
}

void Job::begin_detection(std::optional<std::size_t> cause) {
  queue_.cancel(start_event_);
  enter(Phase::detection);
  ++restarts_;
  double seconds = 0.0;
  if (!plan_.restart.whole) {
    GangPart detect = plan_.restart.detect;
    if (cause && plan_.causes[*cause].detect)
      detect = {*plan_.causes[*cause].detect, plan_.causes[*cause].detect_offset};
    seconds = part_s(detect, part_detect) + part_s(plan_.restart.decide, part_decide);
  }
  queue_.schedule(queue_.now() + Duration::from_seconds(seconds), order_decision, event::DecisionMade{});
}

void Job::on(const event::DecisionMade&) {
  settle();
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
  begin_waiting();
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
