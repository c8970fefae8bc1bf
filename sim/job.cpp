#include "sim/job.hpp"

#include <algorithm>

#include "models/errors.hpp"

namespace fleetcast::sim {
namespace {

constexpr std::size_t counted_as_reclaim = 0;
// Entities of Purpose::restart_part, one per part.
enum Part : std::uint32_t { part_detect, part_decide, part_set_up, part_compile, part_load, part_skip, part_fill };

}  // namespace

template <class Stepper>
Stepper Job<Stepper>::make_stepper(const Plan& plan, const Draws& draws, Queue& queue, [[maybe_unused]] Meter& meter) {
  if constexpr (span_grain) {
    return Stepper{plan, draws, queue};
  } else {
    return Stepper{plan, draws, queue, meter};
  }
}

template <class Stepper>
Job<Stepper>::Job(const Plan& plan, const Draws& draws, Queue& queue)
    : plan_{plan},
      draws_{draws},
      queue_{queue},
      fleet_{plan, draws, queue},
      checkpointer_{plan.save, draws, queue},
      stepper_{make_stepper(plan, draws, queue, meter_)},
      stops_by_cause_(plan.cause_names.size()) {}

template <class Stepper>
void Job<Stepper>::submit() {
  const auto limit = [this](double seconds, Status status) {
    const Time when = Time::from_seconds(seconds);
    if (when < Time::never()) queue_.schedule(when, order_cutoff, event::Cutoff{status});
  };
  limit(plan_.horizon_s, Status::horizon);
  limit(plan_.stop_time_s, Status::deadline);
  software_left_ = draws_.exponential(Purpose::software_failure, 0, software_failures_++);
  begin_waiting();
}

// ---------------------------------------------------------------------------------------------- running

template <class Stepper>
void Job<Stepper>::begin_running() {
  phase_ = Phase::running;
  running_since_ = queue_.now();
  position_ = checkpointer_.usable_position();
  next_save_ = checkpointer_.next_due(position_);
  coming_stop_.reset();
  schedule_software_failure();
  keep_stepping();
}

template <class Stepper>
void Job<Stepper>::schedule_software_failure() {
  if (fleet_.software_rate() <= 0.0) return;
  const Time when = queue_.now() + Duration::from_seconds(software_left_ / fleet_.software_rate());
  if (when < Time::never()) software_event_ = queue_.schedule(when, order_failure, event::SoftwareFailure{});
}

template <class Stepper>
void Job<Stepper>::leave_running() {
  software_left_ -= (queue_.now() - running_since_).seconds() * fleet_.software_rate();
  queue_.cancel(software_event_);
  settled_until_ = queue_.now();
  coming_stop_.reset();
}

template <class Stepper>
void Job<Stepper>::keep_stepping() {
  if (position_ >= plan_.steps) {
    plan_.save.final_save&& checkpointer_.enabled() ? begin_save(SaveReason::final) : finish_job();
    return;
  }
  if constexpr (span_grain) {
    const std::uint64_t interval = plan_.save.interval_steps;
    if (next_save_ - position_ == interval && interval < plan_.steps && !coming_stop_) {
      // The last interval is left out: the final save ends it.
      const std::uint64_t most = (plan_.steps - position_ - 1) / interval;
      if (checkpointer_.run_over([&] { return stepper_.start_cycles(most, plan_.save); })) return;
    }
  }
  stepper_.start(std::min(next_save_, plan_.steps) - position_);
}

template <class Stepper>
void Job<Stepper>::on(const event::StepsDone& done) {
  if constexpr (span_grain) meter_.book_steps(stepper_.booking());
  position_ += done.steps;
  at_border();
}

template <class Stepper>
void Job<Stepper>::on(const event::CyclesDone& done) {
  if constexpr (span_grain) {
    const auto cycles = stepper_.cycle_booking();
    meter_.book_steps(cycles.early);
    meter_.book_stall(cycles.early_stall);
    meter_.commit_all();
    meter_.book_steps(cycles.last);
    meter_.book_stall(cycles.last_stall);
    position_ += done.cycles * plan_.save.interval_steps;
    checkpointer_.complete_cycles(done.cycles, position_, cycles.duration);
    checkpointer_.in_flight() ? meter_.take_snapshot() : meter_.commit_all();
    next_save_ = checkpointer_.next_due(position_);
    keep_stepping();
  }
}

template <class Stepper>
void Job<Stepper>::at_border() {
  if (coming_stop_ && meet_coming_stop()) return;
  if (position_ < plan_.steps && position_ == next_save_) {
    begin_save(SaveReason::interval);
  } else {
    keep_stepping();
  }
}

/// Saves for, or gives in to, a stop that was announced. False if there is no point in saving.
template <class Stepper>
bool Job<Stepper>::meet_coming_stop() {
  if (position_ >= plan_.steps) return false;  // the final save is due anyway
  if (checkpointer_.has_usable() && checkpointer_.usable_position() == position_ && !checkpointer_.in_flight()) {
    stop_as_announced();
    return true;
  }
  Time first_loss = Time::never();
  for (const std::uint32_t slot : fleet_.announced()) first_loss = std::min(first_loss, fleet_.reclaim_time(slot));
  if (!coming_stop_->planned && queue_.now() + Duration::from_seconds(checkpointer_.mean_durable_s()) > first_loss) {
    coming_stop_.reset();
    return false;
  }
  begin_save(coming_stop_->planned ? SaveReason::planned : SaveReason::notice);
  return true;
}

template <class Stepper>
void Job<Stepper>::begin_save(SaveReason reason) {
  stall_since_ = queue_.now();
  checkpointer_.begin(position_, reason);
}

template <class Stepper>
void Job<Stepper>::on(const event::SaveDone&) {
  meter_.book_stall(GpuTime{plan_.gpus} * (queue_.now() - stall_since_).nanoseconds());
  const SaveReason reason = checkpointer_.reason();
  if (checkpointer_.finish_blocking()) {
    meter_.commit_all();
    after_durable_save(reason);
    return;
  }
  meter_.take_snapshot();
  next_save_ = checkpointer_.next_due(position_);
  if (coming_stop_ && meet_coming_stop()) return;
  keep_stepping();
}

template <class Stepper>
void Job<Stepper>::after_durable_save(SaveReason reason) {
  if (reason == SaveReason::final) {
    finish_job();
    return;
  }
  if (coming_stop_) {
    stop_as_announced();
    return;
  }
  next_save_ = checkpointer_.next_due(position_);
  keep_stepping();
}

template <class Stepper>
void Job<Stepper>::on(const event::SaveUsable&) {
  meter_.commit_snapshot();
  checkpointer_.finish_persisting();
  if (!checkpointer_.is_waiting()) return;
  if (coming_stop_ && checkpointer_.usable_position() == position_) {
    meter_.book_stall(GpuTime{plan_.gpus} * (queue_.now() - stall_since_).nanoseconds());
    meter_.commit_all();
    checkpointer_.abandon();
    stop_as_announced();
    return;
  }
  checkpointer_.begin(position_, checkpointer_.reason());
}

/// Everything is durable, so the gang stops without losing work.
template <class Stepper>
void Job<Stepper>::stop_as_announced() {
  const ComingStop stop = *coming_stop_;
  leave_running();
  if (!stop.planned) {
    ++stops_;
    ++stops_by_cause_[counted_as_reclaim];
    for (const std::uint32_t slot : fleet_.announced()) meter_.book(Account::idle, fleet_.retire(slot));
    watch_budget();
    begin_waiting();
    return;
  }
  ++planned_stops_;
  ++stops_by_cause_[plan_.cause_index[stop.cause]];
  const CausePlan& cause = plan_.causes[stop.cause];
  if (cause.takes_fleet) {
    for (const std::uint32_t slot : fleet_.held()) fleet_.lose(slot, false, cause.repair);
  } else if (stop.slot) {
    fleet_.lose(*stop.slot, false, cause.repair);
  }
  watch_budget();
  if (!stop.slot && cause.repair) {
    phase_ = Phase::repair;
    const double seconds = draws_.value(*cause.repair, Purpose::repair, 0, restarts_);
    queue_.schedule(queue_.now() + Duration::from_seconds(seconds), order_decision, event::RepairDone{});
    return;
  }
  begin_waiting();
}

/// The gang stops in the middle: what is not durable is lost.
template <class Stepper>
void Job<Stepper>::interrupt() {
  const Duration cut = checkpointer_.is_saving() ? queue_.now() - stall_since_ : stepper_.interrupt();
  meter_.book_lost(GpuTime{plan_.gpus} * cut.nanoseconds());
  checkpointer_.abandon();
  meter_.roll_back();
  const std::optional<ComingStop> coming = coming_stop_;
  leave_running();
  // Planned work on a node does not wait for a better moment.
  if (coming && coming->slot && fleet_.is_held(*coming->slot)) {
    fleet_.lose(*coming->slot, false, plan_.causes[coming->cause].repair);
  }
}

template <class Stepper>
void Job<Stepper>::finish_job() {
  meter_.commit_all();
  leave_running();
  end(Status::finished);
}

// ---------------------------------------------------------------------------------- stops and recovery

template <class Stepper>
void Job<Stepper>::stop_unplanned(std::size_t counted_as, std::optional<std::size_t> cause) {
  ++stops_;
  ++stops_by_cause_[counted_as];
  interrupt();
  begin_detection(cause);
}

template <class Stepper>
void Job<Stepper>::lose_nodes(const std::vector<std::uint32_t>& slots, bool by_provider,
                              std::optional<std::size_t> cause) {
  const Phase before = phase_;
  settle();
  if (before == Phase::running) {
    stop_unplanned(cause ? plan_.cause_index[*cause] : counted_as_reclaim, cause);
  } else {
    ++losses_during_restart_;
  }
  for (const std::uint32_t slot : slots) {
    if (!fleet_.is_held(slot)) continue;
    fleet_.lose(slot, by_provider, cause ? plan_.causes[*cause].repair : std::nullopt);
  }
  if (before == Phase::start_up) begin_detection(cause);
  if (before == Phase::waiting) fleet_.request_missing();
  watch_budget();
}

template <class Stepper>
void Job<Stepper>::begin_detection(std::optional<std::size_t> cause) {
  queue_.cancel(start_event_);
  phase_ = Phase::detection;
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

template <class Stepper>
void Job<Stepper>::on(const event::DecisionMade&) {
  settle();
  if (!repair_s_) {
    begin_waiting();
    return;
  }
  phase_ = Phase::repair;
  queue_.schedule(queue_.now() + Duration::from_seconds(*repair_s_), order_decision, event::RepairDone{});
  repair_s_.reset();
}

template <class Stepper>
void Job<Stepper>::on(const event::RepairDone&) {
  settle();
  begin_waiting();
}

template <class Stepper>
void Job<Stepper>::begin_waiting() {
  phase_ = Phase::waiting;
  fleet_.request_missing();
  if (fleet_.complete()) begin_start_up();
}

template <class Stepper>
void Job<Stepper>::begin_start_up() {
  phase_ = Phase::start_up;
  start_event_ =
      queue_.schedule(queue_.now() + Duration::from_seconds(start_up_s()), order_decision, event::GangStarted{});
}

template <class Stepper>
double Job<Stepper>::part_s(const GangPart& part, std::uint32_t which) const {
  return part.offset_s + draws_.value(part.law, Purpose::restart_part, which, restarts_);
}

template <class Stepper>
double Job<Stepper>::start_up_s() const {
  const RestartPlan& restart = plan_.restart;
  double seconds = part_s(restart.set_up, part_set_up);
  if (restart.whole) return seconds;
  seconds += part_s(restart.compile, part_compile) + part_s(restart.fill, part_fill);
  if (!first_start_) seconds += part_s(restart.skip, part_skip);
  if (checkpointer_.has_usable()) seconds += part_s(restart.load, part_load);
  return seconds;
}

template <class Stepper>
void Job<Stepper>::on(const event::GangStarted&) {
  settle();
  first_start_ = false;
  begin_running();
}

template <class Stepper>
void Job<Stepper>::on(const event::NodeBoots& boots) {
  settle();
  fleet_.boot(boots.slot);
  watch_budget();
}

template <class Stepper>
void Job<Stepper>::on(const event::NodeReady& ready) {
  settle();
  fleet_.make_ready(ready.slot);
  if (phase_ == Phase::waiting && fleet_.complete()) begin_start_up();
}

// ------------------------------------------------------------------------------------- what strikes

template <class Stepper>
void Job<Stepper>::on(const event::SoftwareFailure&) {
  const std::uint32_t number = software_failures_++;
  const std::size_t cause = fleet_.software_cause(draws_.uniform(Purpose::failure_cause, ~0U, number));
  software_left_ = draws_.exponential(Purpose::software_failure, 0, number);
  running_since_ = queue_.now();
  if (plan_.causes[cause].planned && checkpointer_.enabled()) {
    schedule_software_failure();
    coming_stop_ = ComingStop{true, cause, std::nullopt};
    if (!checkpointer_.is_saving()) stepper_.stop_at_border();
    return;
  }
  if (plan_.causes[cause].repair) repair_s_ = draws_.value(*plan_.causes[cause].repair, Purpose::repair, ~0U, number);
  stop_unplanned(plan_.cause_index[cause], cause);
}

template <class Stepper>
void Job<Stepper>::on(const event::NodeFails& failure) {
  const std::size_t cause = fleet_.failure_cause(failure.slot);
  const CausePlan& what = plan_.causes[cause];
  if (what.planned && phase_ == Phase::running && checkpointer_.enabled()) {
    coming_stop_ = ComingStop{true, cause, failure.slot};
    if (!checkpointer_.is_saving()) stepper_.stop_at_border();
    return;
  }
  lose_nodes(what.takes_fleet ? fleet_.held() : std::vector{failure.slot}, false, cause);
}

template <class Stepper>
void Job<Stepper>::on(const event::NodeReclaimed& reclaim) {
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

template <class Stepper>
void Job<Stepper>::on(const event::ReclaimNotice& notice) {
  if (fleet_.is_announced(notice.slot)) return;
  const Time when = fleet_.reclaim_time(notice.slot);
  for (const std::uint32_t slot : fleet_.victims(notice.slot)) fleet_.announce(slot, when);
  if (phase_ != Phase::running || !plan_.save.on_notice || !checkpointer_.enabled()) return;
  if (coming_stop_ && coming_stop_->planned) return;
  coming_stop_ = ComingStop{};
  if (!checkpointer_.is_saving()) stepper_.stop_at_border();
}

// ------------------------------------------------------------------------------------------ the end

template <class Stepper>
void Job<Stepper>::on(const event::Cutoff& cutoff) {
  cut(cutoff.status);
}

template <class Stepper>
void Job<Stepper>::cut(Status status) {
  phase_ == Phase::running ? interrupt() : settle();
  end(status);
}

template <class Stepper>
void Job<Stepper>::end(Status status) {
  status_ = status;
  phase_ = Phase::over;
  over_ = true;
  checkpointer_.close();
  fleet_.release_all();
}

template <class Stepper>
void Job<Stepper>::settle() {
  if (phase_ == Phase::running) return;
  const GpuTime elapsed = (queue_.now() - settled_until_).nanoseconds();
  settled_until_ = queue_.now();
  Account account = Account::idle;
  if (phase_ == Phase::start_up) account = Account::start_up;
  if (phase_ == Phase::detection) account = Account::detection;
  meter_.book(account, elapsed * fleet_.ready_gpus());
  meter_.book(Account::start_up, elapsed * fleet_.booting_gpus());
}

template <class Stepper>
void Job<Stepper>::watch_budget() {
  if (!(plan_.stop_usd < std::numeric_limits<double>::infinity())) return;
  queue_.cancel(budget_event_);
  if (fleet_.usd_per_second() <= 0.0) return;
  const double seconds = std::max(0.0, plan_.stop_usd - fleet_.accrued_usd()) / fleet_.usd_per_second();
  const Time when = queue_.now() + Duration::from_seconds(seconds);
  if (when < Time::never()) budget_event_ = queue_.schedule(when, order_cutoff, event::Cutoff{Status::budget});
}

template <class Stepper>
Outcome Job<Stepper>::outcome() const {
  Outcome result;
  const Bookings& kept = meter_.kept();
  models::require(kept.total() == fleet_.held_gpu_ns(), "the accounts do not sum to the held GPU time");
  result.status = status_;
  result.time_s = queue_.now().seconds();
  for (std::size_t i = 0; i < account_count; ++i) result.account_gpu_s[i] = static_cast<double>(kept.gpu_ns[i]) / 1e9;
  result.held_gpu_s = static_cast<double>(fleet_.held_gpu_ns()) / 1e9;
  const Bill& bill = fleet_.bill();
  result.held_usd = bill.held;
  result.rounding_usd = bill.rounding;
  result.forgiven_usd = bill.forgiven;
  result.storage_usd =
      checkpointer_.stored_byte_s() * plan_.save.usd_per_byte_s + checkpointer_.started() * plan_.save.usd_per_save;
  result.cost_usd = bill.held + bill.rounding + bill.forgiven + result.storage_usd + result.egress_usd;
  result.kept_wall_s = static_cast<double>(kept.step_wall_ns) / 1e9;
  result.kept_steps = static_cast<double>(kept.steps);
  result.stops = stops_;
  result.planned_stops = planned_stops_;
  result.losses_during_restart = losses_during_restart_;
  result.stops_by_cause = stops_by_cause_;
  result.checkpoints_started = checkpointer_.started();
  result.checkpoints_usable = checkpointer_.usable();
  result.bytes_written = checkpointer_.usable() * plan_.save.bytes;
  return result;
}

template class Job<SpanStepper>;
template class Job<NodeStepper>;

}  // namespace fleetcast::sim
