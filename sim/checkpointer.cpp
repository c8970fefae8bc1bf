#include "sim/checkpointer.hpp"

#include <algorithm>
#include <limits>

#include "models/errors.hpp"
#include "sim/observer.hpp"

namespace fleetcast::sim {

using scenarios::Checkpoint;

Checkpointer::Checkpointer(const SavePlan& plan, const Draws& draws, Queue& queue, Observer* observer)
    : plan_{plan},
      draws_{draws},
      queue_{queue},
      observer_{observer},
      mean_persist_s_{models::mean(plan.persist)},
      mean_durable_s_{models::mean(plan.blocked) + mean_persist_s_},
      persists_within_interval_{models::upper_bound(plan.persist) < plan.shortest_interval_s} {}

std::uint64_t Checkpointer::next_due(std::uint64_t position) const {
  if (!enabled() || plan_.interval_steps == 0) return std::numeric_limits<std::uint64_t>::max();
  return position + plan_.interval_steps;
}

void Checkpointer::begin(std::uint64_t position, SaveReason reason) {
  position_ = position;
  reason_ = reason;
  saving_ = true;
  waiting_ = in_flight();
  if (waiting_) return;
  const auto number = static_cast<std::uint32_t>(started_++);
  double blocked_s = draws_.value(plan_.blocked, Purpose::checkpoint_blocked, 0, number);
  persist_s_ = draws_.value(plan_.persist, Purpose::checkpoint_persist, 0, number);
  const bool in_background = plan_.mode == Checkpoint::Mode::async && reason == SaveReason::interval;
  if (!in_background) blocked_s += persist_s_;
  done_event_ = queue_.schedule(queue_.now() + Duration::from_seconds(blocked_s), order_completion, event::SaveDone{});
}

bool Checkpointer::finish_blocking() {
  saving_ = false;
  if (plan_.mode == Checkpoint::Mode::async && reason_ == SaveReason::interval) {
    in_flight_position_ = position_;
    persist_in_background(persist_s_);
    return false;
  }
  become_usable(position_);
  return true;
}

void Checkpointer::persist_in_background(double persist_s) {
  usable_at_ = queue_.now() + Duration::from_seconds(persist_s);
  if (observer_) observer_->save_persists(queue_.now(), *in_flight_position_, usable_at_);
  schedule_usable_event();
}

void Checkpointer::schedule_usable_event() {
  usable_event_ = queue_.schedule(usable_at_, order_usable, event::SaveUsable{});
}

void Checkpointer::finish_persisting() {
  models::require(in_flight(), "a save became usable that nobody made");
  become_usable(*in_flight_position_);
  in_flight_position_.reset();
}

void Checkpointer::abandon() {
  if (observer_) observer_->save_abandoned(queue_.now());
  queue_.cancel(done_event_);
  queue_.cancel(usable_event_);
  in_flight_position_.reset();
  saving_ = waiting_ = false;
}

void Checkpointer::become_usable(std::uint64_t position) {
  meter_storage();
  ++usable_;
  keep_more(1);
  usable_position_ = position;
  if (observer_) observer_->save_usable(queue_.now(), position);
}

std::uint64_t Checkpointer::most_kept() const {
  return plan_.keep < 0 ? std::numeric_limits<std::uint64_t>::max() : static_cast<std::uint64_t>(plan_.keep);
}

void Checkpointer::keep_more(std::uint64_t saves) {
  kept_ = std::min(kept_ + saves, most_kept());
}

void Checkpointer::go_back(std::uint64_t saves, std::uint64_t position) {
  models::require(!saving_ && !in_flight(), "a save is in the making");
  meter_storage();
  kept_ = saves;
  usable_position_ = position;
}

void Checkpointer::meter_storage() {
  const double elapsed = (queue_.now() - storage_until_).seconds();
  stored_byte_s_ += elapsed * static_cast<double>(kept_) * plan_.bytes;
  storage_until_ = queue_.now();
}

void Checkpointer::meter_cycles(std::uint64_t cycles, Duration duration) {
  const bool in_background = plan_.mode == Checkpoint::Mode::async;
  const double per_cycle = duration.seconds() / static_cast<double>(cycles);
  // Copies x seconds: what was kept before, and for each save that adds to it the time since it was usable.
  double copies_s = (queue_.now() - storage_until_).seconds() * static_cast<double>(kept_);
  std::uint64_t room = most_kept() - kept_;
  if (in_flight() && room > 0) {
    copies_s += (queue_.now() - usable_at_).seconds();
    --room;
  }
  // Save j was durable at the end of cycle j; in the background a persist later, the last one not yet.
  const auto adding = static_cast<double>(std::min(room, in_background ? cycles - 1 : cycles));
  copies_s += per_cycle * adding * (static_cast<double>(cycles) - 0.5 * (adding + 1.0));
  if (in_background) copies_s -= adding * mean_persist_s_;
  stored_byte_s_ += copies_s * plan_.bytes;
  storage_until_ = queue_.now();
}

void Checkpointer::complete_cycles(std::uint64_t cycles, std::uint64_t position, Duration duration) {
  meter_cycles(cycles, duration);
  if (observer_ && in_flight()) observer_->save_usable(usable_at_, *in_flight_position_);
  started_ += cycles;
  if (plan_.mode == Checkpoint::Mode::sync) {
    usable_ += cycles;
    keep_more(cycles);
    usable_position_ = position;
    return;
  }
  // Asynchronous: the save in flight before and all but the last of these have become usable on the way.
  const std::uint64_t more = cycles - 1 + (in_flight() ? 1 : 0);
  usable_ += more;
  keep_more(more);
  usable_position_ = position - plan_.interval_steps;
  in_flight_position_ = position;
  persist_in_background(
      draws_.value(plan_.persist, Purpose::checkpoint_persist, 0, static_cast<std::uint32_t>(started_ - 1)));
}

void Checkpointer::close() {
  meter_storage();
}

}  // namespace fleetcast::sim
