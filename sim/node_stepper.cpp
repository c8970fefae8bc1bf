#include "sim/node_stepper.hpp"

#include <algorithm>

#include "models/random/deterministic_math.hpp"
#include "sim/observer.hpp"

namespace fleetcast::sim {

NodeStepper::NodeStepper(const Plan& plan, const Draws& draws, Queue& queue, Meter& meter, Observer* observer)
    : plan_{plan},
      draws_{draws},
      queue_{queue},
      meter_{meter},
      observer_{observer},
      step_{plan.step, draws, plan.sample_calibration} {
  for (const PoolPlan& pool : plan.pools)
    gpus_.insert(gpus_.end(), static_cast<std::size_t>(pool.nodes), pool.gpus_per_node);
  line_.resize(gpus_.size());
  jitter_.assign(gpus_.size(), 1.0);
  bubble_ns_ = Duration::from_seconds(step_.factor() * plan.step.bubble_s).nanoseconds();
}

void NodeStepper::start(std::uint64_t steps) {
  done_ = 0;
  wanted_ = steps;
  begin_step();
}

void NodeStepper::begin_step() {
  start_ = queue_.now();
  const std::uint32_t attempt = attempts_++;
  const double median_s = step_.factor() * plan_.step.node_compute_s * step_.shared_draw(draws_, attempt);
  compute_gpu_ns_ = 0;
  draw_jitter(attempt);
  for (std::uint32_t slot = 0; slot < gpus_.size(); ++slot) {
    const Duration compute = Duration::from_seconds(median_s * jitter_[slot]);
    compute_gpu_ns_ += compute.nanoseconds() * gpus_[slot];
    line_[slot] = Arrival{static_cast<std::uint64_t>((start_ + compute).nanoseconds())} << 64 | slot;
  }
  std::sort(line_.begin(), line_.end());
  computed_ = 0;
  schedule_next_node();
  exchange_ns_ = Duration::from_seconds(step_.exchange_draw(draws_, attempt)).nanoseconds();
}

void NodeStepper::draw_jitter(std::uint32_t attempt) {
  const double sigma = plan_.step.jitter;
  if (sigma == 0.0) return;
  for (std::uint32_t slot = 0; slot < jitter_.size(); ++slot)
    jitter_[slot] = sigma * draws_.normal(Purpose::step_jitter, slot, attempt);
  models::det::exp_each(jitter_);
}

void NodeStepper::schedule_next_node() {
  const Arrival next = line_[computed_];
  const Time time{static_cast<std::int64_t>(next >> 64)};
  pending_ = queue_.schedule(time, order_completion, event::NodeComputed{static_cast<std::uint32_t>(next)});
}

bool NodeStepper::on(const event::NodeComputed&) {
  if (++computed_ < line_.size()) {
    schedule_next_node();
    return false;
  }
  slowest_ = queue_.now();
  pending_ =
      queue_.schedule(slowest_ + Duration{exchange_ns_ + bubble_ns_}, order_completion, event::GradientsExchanged{});
  return false;
}

bool NodeStepper::on(const event::GradientsExchanged&) {
  exchanged_ = queue_.now();
  const Time batch = start_ + Duration::from_seconds(plan_.step.batch_interval_s);
  if (batch <= exchanged_) return finish_step();
  pending_ = queue_.schedule(batch, order_completion, event::BatchReady{});
  return false;
}

bool NodeStepper::on(const event::BatchReady&) {
  return finish_step();
}

bool NodeStepper::finish_step() {
  const GpuTime gpus = plan_.gpus;
  meter_.book_steps({compute_gpu_ns_, gpus * exchange_ns_, gpus * bubble_ns_,
                     gpus * (slowest_ - start_).nanoseconds() - compute_gpu_ns_,
                     gpus * (queue_.now() - exchanged_).nanoseconds(), 1, (exchanged_ - start_).nanoseconds()});
  if (observer_) tell_step();
  if (++done_ >= wanted_) return true;
  begin_step();
  return false;
}

void NodeStepper::tell_step() const {
  if (!observer_->step_ends(start_, queue_.now())) return;
  std::vector<std::int64_t> compute_ns(gpus_.size());
  for (const Arrival arrival : line_) {
    compute_ns[static_cast<std::uint32_t>(arrival)] = static_cast<std::int64_t>(arrival >> 64) - start_.nanoseconds();
  }
  observer_->step_detail({start_, slowest_, exchanged_, queue_.now(), exchange_ns_, compute_ns});
}

Duration NodeStepper::interrupt() {
  queue_.cancel(pending_);
  return queue_.now() - start_;
}

}  // namespace fleetcast::sim
