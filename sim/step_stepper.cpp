#include "sim/step_stepper.hpp"

#include <algorithm>

namespace fleetcast::sim {

StepStepper::StepStepper(const Plan& plan, const Draws& draws, Queue& queue, Meter& meter)
    : plan_{plan},
      draws_{draws},
      queue_{queue},
      meter_{meter},
      step_{plan.step, draws, plan.sample_calibration},
      compute_share_{plan.step.slowest.node_mean() / plan.step.slowest.mean()},
      bubble_ns_{to_ns(step_.factor() * plan.step.bubble_s)},
      batch_interval_ns_{to_ns(plan.step.batch_interval_s)} {}

void StepStepper::start(std::uint64_t steps) {
  done_ = 0;
  wanted_ = steps;
  complete_ = {};
  begin_step();
}

void StepStepper::begin_step() {
  start_ = queue_.now();
  const std::uint32_t attempt = attempts_++;
  under_way_.slowest = to_ns(step_.slowest_draw(draws_, attempt));
  under_way_.exchange = to_ns(step_.exchange_draw(draws_, attempt));
  under_way_.bubble = bubble_ns_;
  const std::int64_t busy = under_way_.slowest + under_way_.exchange + bubble_ns_;
  under_way_.stall = std::max<std::int64_t>(0, batch_interval_ns_ - busy);
  pending_ = queue_.schedule(start_ + Duration{busy + under_way_.stall}, order_completion, event::StepsDone{1});
}

bool StepStepper::on(const event::StepsDone&) {
  complete_.slowest += under_way_.slowest;
  complete_.exchange += under_way_.exchange;
  complete_.bubble += under_way_.bubble;
  complete_.stall += under_way_.stall;
  if (++done_ < wanted_) {
    begin_step();
    return false;
  }
  book_complete();
  return true;
}

void StepStepper::book_complete() {
  const GpuTime gpus = plan_.gpus;
  const auto compute = static_cast<std::int64_t>(static_cast<double>(complete_.slowest) * compute_share_);
  meter_.book_steps({gpus * compute, gpus * complete_.exchange, gpus * complete_.bubble,
                     gpus * (complete_.slowest - compute), gpus * complete_.stall, done_,
                     complete_.slowest + complete_.exchange + complete_.bubble});
}

Duration StepStepper::interrupt() {
  queue_.cancel(pending_);
  book_complete();
  return queue_.now() - start_;
}

}  // namespace fleetcast::sim
