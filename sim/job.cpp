#include "sim/job.hpp"

#include <algorithm>
#include <limits>

#include "models/errors.hpp"
#include "sim/node_stepper.hpp"
#include "sim/span_stepper.hpp"
#include "sim/step_stepper.hpp"

namespace fleetcast::sim {
namespace {

/// Money is reckoned to this share of a budget.
constexpr double budget_rounding = 1e-9;

std::unique_ptr<Stepper> make_stepper(const Plan& plan, const Draws& draws, Queue& queue, Meter& meter,
                                      Observer* observer) {
  if (plan.grain == scenarios::Grain::node) return std::make_unique<NodeStepper>(plan, draws, queue, meter, observer);
  if (plan.grain == scenarios::Grain::step) return std::make_unique<StepStepper>(plan, draws, queue, meter);
  return std::make_unique<SpanStepper>(plan, draws, queue, meter);
}

bool may_fall_back(const Plan& plan) {
  return plan.restart.resume_failure > 0.0 ||
         std::any_of(plan.causes.begin(), plan.causes.end(),
                     [](const CausePlan& cause) { return cause.is(scenarios::FailureKind::silent); });
}

}  // namespace

Job::Job(const Plan& plan, const Draws& draws, Queue& queue, Observer* observer)
    : plan_{plan},
      draws_{draws},
      queue_{queue},
      observer_{observer},
      meter_{observer},
      fleet_{plan, draws, queue, observer},
      checkpointer_{plan.save, draws, queue, observer},
      stepper_{make_stepper(plan, draws, queue, meter_, observer)},
      may_fall_back_{may_fall_back(plan)},
      history_{plan.save.keep},
      stops_by_cause_(plan.cause_names.size()) {}

void Job::submit() {
  const auto limit = [this](double seconds, Status status) {
    const Time when = Time::from_seconds(seconds);
    if (when < Time::never()) queue_.schedule(when, order_cutoff, event::Cutoff{status});
  };
  limit(plan_.horizon_s, Status::horizon);
  limit(plan_.stop_time_s, Status::deadline);
  software_left_ = draws_.exponential(Purpose::software_failure, 0, software_failures_++);
  fleet_.follow_courses();
  begin_waiting();
}

void Job::on(const event::Cutoff& cutoff) {
  if (cutoff.status == Status::budget && fleet_.accrued_usd(queue_.now()) < (1.0 - budget_rounding) * plan_.stop_usd) {
    watch_budget();  // only a price has changed
    return;
  }
  cut(cutoff.status);
}

void Job::cut(Status status) {
  phase_ == Phase::running ? interrupt() : settle();
  end(status);
}

void Job::end(Status status) {
  status_ = status;
  enter(Phase::over);
  over_ = true;
  checkpointer_.close();
  fleet_.release_all();
  if (observer_) observer_->over(queue_.now(), status);
}

void Job::enter(Phase phase) {
  phase_ = phase;
  if (observer_) observer_->phase(queue_.now(), phase);
}

void Job::settle() {
  if (phase_ == Phase::running) return;
  const GpuTime elapsed = (queue_.now() - settled_until_).nanoseconds();
  settled_until_ = queue_.now();
  Account account = Account::idle;
  if (phase_ == Phase::start_up) account = Account::start_up;
  if (phase_ == Phase::detection) account = Account::detection;
  meter_.book(account, elapsed * fleet_.ready_gpus());
  meter_.book(Account::start_up, elapsed * fleet_.booting_gpus());
}

void Job::watch_budget() {
  if (!(plan_.stop_usd < std::numeric_limits<double>::infinity())) return;
  queue_.cancel(budget_event_);
  const double left = std::max(0.0, plan_.stop_usd - fleet_.accrued_usd(queue_.now())),
               rate = fleet_.usd_per_second(queue_.now());
  const Time spent = rate > 0.0 ? queue_.now() + Duration::from_seconds(left / rate) : Time::never();
  const Time when = std::min(spent, fleet_.next_price_change(queue_.now()));
  if (when < Time::never()) budget_event_ = queue_.schedule(when, order_cutoff, event::Cutoff{Status::budget});
}

Outcome Job::outcome() const {
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

}  // namespace fleetcast::sim
