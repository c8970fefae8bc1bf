// Faults that nobody sees at once: hangs, silent errors, saves that cannot be read.
#include <algorithm>

#include "models/errors.hpp"
#include "models/random/deterministic_math.hpp"
#include "sim/job.hpp"

namespace fleetcast::sim {
namespace {

/// Entity of the repairs after silent errors that no node is to blame for.
constexpr std::uint32_t an_error = ~2U;

bool contains(const std::vector<std::uint32_t>& slots, std::uint32_t slot) {
  return std::find(slots.begin(), slots.end(), slot) != slots.end();
}

}  // namespace

/// The gang stands still, all nodes held, until it is found.
void Job::hang(std::size_t cause, std::optional<std::uint32_t> slot) {
  const std::size_t counted_as = plan_.cause_index[cause];
  settle();
  if (phase_ == Phase::running) {
    stop_unplanned(counted_as, cause);
  } else {
    count_loss_in_restart(counted_as);
    begin_detection(cause);
  }
  hang_ = Hang{cause, slot};
}

void Job::take_hung_nodes() {
  if (!hang_) return;
  const Hang hang = *hang_;
  hang_.reset();
  if (!hang.slot) return;
  const CausePlan& cause = plan_.causes[hang.cause];
  lose(cause.takes_fleet ? fleet_.held() : std::vector{*hang.slot}, false, &cause);
  watch_budget();
}

/// The state is wrong from the step under way on. Outside stepping it is from the first step after the restart on.
void Job::hide_error(std::size_t cause, std::optional<std::uint32_t> slot) {
  const CausePlan& what = plan_.causes[cause];
  const GangPart detect = what.detect ? GangPart{*what.detect, what.detect_offset} : plan_.restart.detect;
  HiddenError error{errors_++, cause, slot, {}, {}};
  error.clean_until = phase_ == Phase::running ? position_ : checkpointer_.usable_position();
  const double seconds = detect.offset_s + draws_.value(detect.law, Purpose::error_found, 0, error.number);
  const Time when = queue_.now() + Duration::from_seconds(seconds);
  if (when < Time::never()) error.found = queue_.schedule(when, order_failure, event::ErrorFound{error.number});
  hidden_.push_back(error);
}

void Job::forget_what_hides_in(const std::vector<std::uint32_t>& slots) {
  if (hang_ && hang_->slot && contains(slots, *hang_->slot)) hang_->slot.reset();
  for (HiddenError& error : hidden_) {
    if (error.slot && contains(slots, *error.slot)) error.slot.reset();
  }
}

/// An error is gone with the state that held it, unless the node that errs is still there.
bool Job::still_matters(const HiddenError& error) const {
  return error.slot || phase_ == Phase::running || checkpointer_.usable_position() > error.clean_until;
}

/// The gang is about to step from its newest save.
void Job::leave_errors_behind() {
  if (hidden_.empty()) return;
  const std::uint64_t position = checkpointer_.usable_position();
  const auto is_gone = [&](const HiddenError& error) { return !error.slot && position <= error.clean_until; };
  for (HiddenError& error : hidden_) {
    error.clean_until = std::min(error.clean_until, position);
    if (is_gone(error)) queue_.cancel(error.found);
  }
  hidden_.erase(std::remove_if(hidden_.begin(), hidden_.end(), is_gone), hidden_.end());
}

void Job::on(const event::ErrorFound& found) {
  const auto at = std::find_if(hidden_.begin(), hidden_.end(),
                               [&](const HiddenError& error) { return error.number == found.number; });
  models::require(at != hidden_.end(), "an error was found that nobody made");
  const HiddenError error = *at;
  hidden_.erase(at);
  if (still_matters(error)) undo(error);
}

void Job::undo(const HiddenError& error) {
  const Phase before = phase_;
  const CausePlan& cause = plan_.causes[error.cause];
  const std::size_t counted_as = plan_.cause_index[error.cause];
  settle();
  if (before == Phase::running) {
    stop_unplanned(counted_as, error.cause);
  } else {
    count_loss_in_restart(counted_as);
  }
  history_.drop_after(error.clean_until);
  go_back_to_newest();
  if (error.slot) {
    lose(cause.takes_fleet ? fleet_.held() : std::vector{*error.slot}, false, &cause);
  } else if (cause.repair) {
    repair_s_ = std::max(repair_s_.value_or(0.0), draws_.value(*cause.repair, Purpose::repair, an_error, error.number));
  }
  resume_restart(before, error.cause);
  watch_budget();
}

void Job::go_back_to_newest() {
  const SaveHistory::Save save = history_.newest();
  if (checkpointer_.kept() == history_.count()) return;
  meter_.lose_kept_since(save.work);
  checkpointer_.go_back(history_.count(), save.position);
  if (observer_) observer_->kept_lost(queue_.now(), save.position);
}

/// The number of saves that cannot be read is geometric; they are dropped.
void Job::use_older_saves() {
  const double chance = plan_.restart.resume_failure;
  if (chance <= 0.0 || history_.count() == 0) return;
  const double uniform = 1.0 - draws_.uniform(Purpose::resume, 0, restarts_);
  const double bad = chance < 1.0 ? models::det::log(uniform) / models::det::log(chance) : 1e18;
  history_.drop(static_cast<std::uint64_t>(std::min(bad, static_cast<double>(history_.count()))));
  go_back_to_newest();
}

void Job::remember_save() {
  if (may_fall_back_) history_.add({checkpointer_.usable_position(), meter_.kept_work()});
}

/// `before`: what was booked when the cycles began; `early`: when all but the last were.
void Job::remember_cycles(std::uint64_t cycles, bool was_in_flight, const Bookings& before, const Bookings& early) {
  if (!may_fall_back_) return;
  const std::uint64_t interval = plan_.save.interval_steps, start = position_ - cycles * interval;
  if (was_in_flight) history_.add({start, before});
  history_.add_run(cycles - 1, {start, before}, {position_ - interval, early});
  if (!checkpointer_.in_flight()) remember_save();
}

}  // namespace fleetcast::sim
