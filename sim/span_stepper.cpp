#include "sim/span_stepper.hpp"

#include <algorithm>
#include <cmath>

namespace fleetcast::sim {
namespace {

/// From so many terms on a sum is drawn as a normal; fewer are drawn one by one.
constexpr std::uint64_t normal_from = 30;
/// Standard deviations kept free before the next event when whole cycles run up to it: P(overrun) = 1e-9.
constexpr double safety_sds = 6.0;

std::int64_t share_of(std::int64_t ns, double share) {
  return static_cast<std::int64_t>(static_cast<double>(ns) * share);
}

}  // namespace

SpanStepper::SpanStepper(const Plan& plan, const Draws& draws, Queue& queue, Meter& meter)
    : plan_{plan},
      draws_{draws},
      queue_{queue},
      meter_{meter},
      step_{plan.step, draws, plan.sample_calibration},
      irregular_{is_irregular(plan.step)},
      blocked_mean_{models::mean(plan.save.blocked)},
      blocked_variance_{models::is_constant(plan.save.blocked) ? 0.0 : models::variance(plan.save.blocked)} {
  if (plan.save.mode == scenarios::Checkpoint::Mode::sync) {
    blocked_mean_ += models::mean(plan.save.persist);
    blocked_variance_ += models::is_constant(plan.save.persist) ? 0.0 : models::variance(plan.save.persist);
  }
  const StepMoments& m = step_.moments();
  share_straggler_ = m.straggler / m.mean;
  share_exchange_ = m.exchange / m.mean;
  share_bubble_ = m.bubble / m.mean;
  share_stall_ = m.stall / m.mean;
}

double SpanStepper::draw_steps(std::uint64_t steps) {
  const StepMoments& m = step_.moments();
  const auto count = static_cast<double>(steps);
  if (m.sd == 0.0 && !irregular_) return count * m.mean;
  if (steps >= normal_from && !irregular_) {
    const double sum = count * m.mean + std::sqrt(count) * m.sd * draws_.normal(Purpose::span, 0, draws_made_++);
    return std::max(sum, 1e-9 * count);
  }
  double sum = 0.0;
  for (std::uint64_t i = 0; i < steps; ++i) sum += step_.draw(draws_, steps_drawn_++);
  return sum;
}

void SpanStepper::start(std::uint64_t steps) {
  start_ = queue_.now();
  steps_ = steps;
  cycles_ = 0;
  steps_ns_ = to_ns(draw_steps(steps));
  pending_ = queue_.schedule(start_ + Duration{steps_ns_}, order_completion, event::StepsDone{steps});
}

double SpanStepper::draw_blocked(std::uint64_t saves) {
  const SavePlan& save = plan_.save;
  const auto count = static_cast<double>(saves);
  if (blocked_variance_ == 0.0) return count * blocked_mean_;
  if (saves >= normal_from) {
    const double sd = std::sqrt(count * blocked_variance_);
    return std::max(0.0, count * blocked_mean_ + sd * draws_.normal(Purpose::span, 1, draws_made_++));
  }
  double sum = 0.0;
  for (std::uint64_t i = 0; i < saves; ++i) {
    sum += draws_.value(save.blocked, Purpose::span, 2, draws_made_++);
    if (save.mode == scenarios::Checkpoint::Mode::sync) {
      sum += draws_.value(save.persist, Purpose::span, 3, draws_made_++);
    }
  }
  return sum;
}

std::uint64_t SpanStepper::cycles_that_fit(double room_s, std::uint64_t most) const {
  const StepMoments& m = step_.moments();
  const auto interval = static_cast<double>(plan_.save.interval_steps);
  const double mean = interval * m.mean + blocked_mean_;
  const double sd = std::sqrt(interval * m.sd * m.sd + blocked_variance_);
  if (!(room_s > mean)) return 0;
  // Largest k with k mean + safety sqrt(k) sd <= room: a quadratic in sqrt(k).
  const double root =
      (-safety_sds * sd + std::sqrt(safety_sds * safety_sds * sd * sd + 4.0 * mean * room_s)) / (2.0 * mean);
  return static_cast<std::uint64_t>(std::min(root * root, static_cast<double>(most)));
}

bool SpanStepper::start_cycles(std::uint64_t most) {
  if (irregular_ || most < 2) return false;
  const double room_s = (queue_.next_time() - queue_.now()).seconds();
  const std::uint64_t cycles = cycles_that_fit(room_s, most);
  if (cycles < 2) return false;
  start_ = queue_.now();
  cycles_ = cycles;
  steps_ = cycles * plan_.save.interval_steps;
  steps_ns_ = to_ns(draw_steps(steps_));
  blocked_ns_ = to_ns(draw_blocked(cycles));
  const Time end = start_ + Duration{steps_ns_ + blocked_ns_};
  if (end > queue_.next_time()) return false;  // beyond the safety: rare, unless saves have a long tail
  pending_ = queue_.schedule(end, order_completion, event::CyclesDone{cycles});
  return true;
}

void SpanStepper::stop_at_border() {
  const double done_share = static_cast<double>((queue_.now() - start_).nanoseconds()) /
                            static_cast<double>(std::max<std::int64_t>(1, steps_ns_));
  const auto count = static_cast<double>(steps_);
  // Given the total, the steps done by now are a Brownian bridge.
  const double spread = step_.moments().sd / step_.moments().mean * std::sqrt(count * done_share * (1.0 - done_share));
  const double noise = spread > 0.0 ? spread * draws_.normal(Purpose::span, 4, draws_made_++) : 0.0;
  const double done = std::clamp(count * done_share + noise, 0.0, count);
  const auto whole = static_cast<std::uint64_t>(done);
  if (whole + 1 >= steps_) return;
  const double rest_s = (static_cast<double>(whole + 1) - done) * step_.moments().mean;
  const Time border = std::min(queue_.now() + Duration::from_seconds(rest_s), start_ + Duration{steps_ns_});
  queue_.cancel(pending_);
  steps_ = whole + 1;
  steps_ns_ = (border - start_).nanoseconds();
  pending_ = queue_.schedule(border, order_completion, event::StepsDone{steps_});
}

Duration SpanStepper::interrupt() {
  queue_.cancel(pending_);
  return queue_.now() - start_;
}

StepBooking SpanStepper::book(std::uint64_t steps, std::int64_t duration_ns) const {
  const std::int64_t straggler = share_of(duration_ns, share_straggler_);
  const std::int64_t exchange = share_of(duration_ns, share_exchange_);
  const std::int64_t bubble = share_of(duration_ns, share_bubble_);
  const std::int64_t stall = share_of(duration_ns, share_stall_);
  const GpuTime gpus = plan_.gpus;
  return {gpus * (duration_ns - straggler - exchange - bubble - stall),
          gpus * exchange,
          gpus * bubble,
          gpus * straggler,
          gpus * stall,
          steps,
          duration_ns - stall};
}

bool SpanStepper::on(const event::StepsDone&) {
  meter_.book_steps(book(steps_, steps_ns_));
  return true;
}

CycleBooking SpanStepper::cycle_booking() const {
  const std::int64_t last_ns = steps_ns_ / static_cast<std::int64_t>(cycles_);
  const std::int64_t last_blocked_ns = blocked_ns_ / static_cast<std::int64_t>(cycles_);
  const std::uint64_t last_steps = steps_ / cycles_;
  return {Duration{steps_ns_ + blocked_ns_}, book(steps_ - last_steps, steps_ns_ - last_ns), book(last_steps, last_ns),
          GpuTime{plan_.gpus} * (blocked_ns_ - last_blocked_ns), GpuTime{plan_.gpus} * last_blocked_ns};
}

}  // namespace fleetcast::sim
