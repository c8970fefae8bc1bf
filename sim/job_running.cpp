// The job while its gang runs: steps, saves, and a stop that is known before it comes.
#include <algorithm>

#include "sim/job.hpp"

namespace fleetcast::sim {

void Job::begin_running() {
  enter(Phase::running);
  running_since_ = queue_.now();
  use_older_saves();
  leave_errors_behind();
  position_ = checkpointer_.usable_position();
  next_save_ = checkpointer_.next_due(position_);
  coming_stop_.reset();
  schedule_software_failure();
  const bool is_told = heeds_notices() && fleet_.any_announced();  // a notice came before the gang stepped
  if (is_told) coming_stop_ = ComingStop{};
  keep_stepping();
  if (is_told && !checkpointer_.is_saving()) stepper_->stop_at_border();
}

void Job::schedule_software_failure() {
  if (fleet_.software_rate() <= 0.0) return;
  const Time when = queue_.now() + Duration::from_seconds(software_left_ / fleet_.software_rate());
  if (when < Time::never()) software_event_ = queue_.schedule(when, order_failure, event::SoftwareFailure{});
}

void Job::leave_running() {
  const double exposure = (queue_.now() - running_since_).seconds() * fleet_.software_rate();
  software_left_ = std::max(0.0, software_left_ - exposure);  // the moment of the failure was rounded to a nanosecond
  queue_.cancel(software_event_);
  settled_until_ = queue_.now();
  coming_stop_.reset();
}

void Job::keep_stepping() {
  if (observer_) observer_->stepping_begins(queue_.now(), position_, meter_.open());
  if (position_ >= plan_.steps) {
    // Without a final save one that is due now is still made, but nobody waits for it to persist in the background.
    const bool is_due = position_ == next_save_ && plan_.save.mode == scenarios::Checkpoint::Mode::sync;
    if (checkpointer_.enabled() && (plan_.save.final_save || is_due)) {
      begin_save(SaveReason::final);
    } else {
      finish_job();
    }
  } else if (!start_cycles()) {
    stepper_->start(std::min(next_save_, plan_.steps) - position_);
  }
}

/// Plays whole intervals at once where nothing can interfere. The last interval of the run is left out: the final
/// save ends it.
bool Job::start_cycles() {
  const std::uint64_t interval = plan_.save.interval_steps;
  if (coming_stop_ || next_save_ - position_ != interval || interval >= plan_.steps) return false;
  const std::uint64_t most = (plan_.steps - position_ - 1) / interval;
  return checkpointer_.run_over([&] { return stepper_->start_cycles(most); });
}

void Job::on(const event::CyclesDone& done) {
  const CycleBooking cycles = stepper_->cycle_booking();
  const bool was_in_flight = checkpointer_.in_flight();
  const Bookings before = may_fall_back_ ? meter_.booked_work() : Bookings{};
  meter_.book_steps(cycles.early);
  meter_.book_stall(cycles.early_stall);
  meter_.commit_all();
  const Bookings early = may_fall_back_ ? meter_.kept_work() : Bookings{};
  meter_.book_steps(cycles.last);
  meter_.book_stall(cycles.last_stall);
  position_ += done.cycles * plan_.save.interval_steps;
  if (observer_) observer_->intervals_end(queue_.now(), position_, done.cycles, cycles);
  checkpointer_.complete_cycles(done.cycles, position_, cycles.duration);
  checkpointer_.in_flight() ? meter_.take_snapshot() : meter_.commit_all();
  remember_cycles(done.cycles, was_in_flight, before, early);
  next_save_ = checkpointer_.next_due(position_);
  keep_stepping();
}

void Job::at_border() {
  if (observer_) observer_->stepping_ends(queue_.now(), position_, meter_.open());
  if (coming_stop_ && meet_coming_stop()) return;
  if (position_ < plan_.steps && position_ == next_save_) {
    begin_save(SaveReason::interval);
  } else {
    keep_stepping();
  }
}

/// Saves for, or gives in to, a stop that was announced. False if there is no point in saving.
bool Job::meet_coming_stop() {
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

void Job::begin_save(SaveReason reason) {
  stall_since_ = queue_.now();
  if (observer_) observer_->save_begins(queue_.now(), position_, reason);
  checkpointer_.begin(position_, reason);
}

void Job::on(const event::SaveDone&) {
  meter_.book_stall(GpuTime{plan_.gpus} * (queue_.now() - stall_since_).nanoseconds());
  if (observer_) observer_->save_unblocks(queue_.now());
  const SaveReason reason = checkpointer_.reason();
  if (checkpointer_.finish_blocking()) {
    meter_.commit_all();
    remember_save();
    after_durable_save(reason);
    return;
  }
  meter_.take_snapshot();
  next_save_ = checkpointer_.next_due(position_);
  if (coming_stop_ && meet_coming_stop()) return;
  keep_stepping();
}

void Job::after_durable_save(SaveReason reason) {
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

void Job::on(const event::SaveUsable&) {
  meter_.commit_snapshot();
  checkpointer_.finish_persisting();
  remember_save();
  if (!checkpointer_.is_waiting()) return;
  if (coming_stop_ && checkpointer_.usable_position() == position_) {
    meter_.book_stall(GpuTime{plan_.gpus} * (queue_.now() - stall_since_).nanoseconds());
    if (observer_) observer_->save_unblocks(queue_.now());
    meter_.commit_all();
    history_.drop(1);
    remember_save();  // with the wait for it
    checkpointer_.abandon();
    stop_as_announced();
    return;
  }
  checkpointer_.begin(position_, checkpointer_.reason());
}

void Job::finish_job() {
  meter_.commit_all();
  leave_running();
  end(Status::finished);
}

}  // namespace fleetcast::sim
