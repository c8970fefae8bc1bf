#include "sim/meter.hpp"

#include "sim/observer.hpp"

namespace fleetcast::sim {
namespace {

/// The accounts before it are booked provisionally, by steps and saves.
constexpr auto first_not_work = static_cast<std::size_t>(Account::lost_work);

}  // namespace

void Bookings::add(const Bookings& other) {
  for (std::size_t i = 0; i < account_count; ++i) gpu_ns[i] += other.gpu_ns[i];
  steps += other.steps;
  step_wall_ns += other.step_wall_ns;
}

GpuTime Bookings::total() const {
  GpuTime sum = 0;
  for (const GpuTime value : gpu_ns) sum += value;
  return sum;
}

void Meter::book_steps(const StepBooking& steps) {
  const auto add = [this](Account account, GpuTime value) { open_.gpu_ns[static_cast<std::size_t>(account)] += value; };
  add(Account::compute, steps.compute);
  add(Account::exposed_communication, steps.communication);
  add(Account::pipeline_bubble, steps.bubble);
  add(Account::straggler_wait, steps.straggler);
  add(Account::data_stall, steps.data_stall);
  open_.steps += steps.steps;
  open_.step_wall_ns += steps.wall_ns;
}

void Meter::book_stall(GpuTime gpu_ns) {
  open_.gpu_ns[static_cast<std::size_t>(Account::checkpoint_stall)] += gpu_ns;
}

Bookings Meter::kept_work() const {
  Bookings work = kept_;
  for (std::size_t i = first_not_work; i < account_count; ++i) work.gpu_ns[i] = 0;
  return work;
}

Bookings Meter::booked_work() const {
  Bookings work = kept_work();
  work.add(waiting_);
  work.add(open_);
  return work;
}

void Meter::lose_kept_since(const Bookings& work) {
  book_lost(kept_work().total() - work.total());
  for (std::size_t i = 0; i < first_not_work; ++i) kept_.gpu_ns[i] = work.gpu_ns[i];
  kept_.steps = work.steps;
  kept_.step_wall_ns = work.step_wall_ns;
}

void Meter::take_snapshot() {
  waiting_.add(open_);
  open_ = {};
  if (observer_) observer_->snapshot_taken();
}

void Meter::commit_snapshot() {
  kept_.add(waiting_);
  waiting_ = {};
  if (observer_) observer_->snapshot_kept();
}

void Meter::commit_all() {
  commit_snapshot();
  kept_.add(open_);
  open_ = {};
  if (observer_) observer_->all_kept();
}

void Meter::roll_back() {
  book_lost(waiting_.total() + open_.total());
  waiting_ = {};
  open_ = {};
  if (observer_) observer_->all_lost();
}

}  // namespace fleetcast::sim
