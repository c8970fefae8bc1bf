// What must hold for every plan, on plans drawn at random over all options.
#include "tests/sim/random_plans.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <numeric>

#include "sim/trial.hpp"
#include "sim/trial_step.hpp"

namespace fleetcast::tests {
namespace {

using scenarios::Grain;
using sim::Outcome;
using sim::Plan;
using sim::Status;

constexpr std::uint32_t plans = 300;

/// Steps at their fastest conceivable, without start and saves: a lower limit of every finished run.
double least_time_s(const Plan& plan, double calibration) {
  const double step = calibration * plan.step.node_compute_s * std::exp(-6.0 * plan.step.jitter);
  const double shared = plan.step.node_draw ? 0.3 : 1.0;
  return static_cast<double>(plan.steps) * std::max(step * shared, plan.step.batch_interval_s);
}

void check_invariants(const Plan& plan, const Outcome& outcome) {
  CAPTURE(plan.name);
  CAPTURE(static_cast<int>(plan.grain));
  const double sum = std::accumulate(outcome.account_gpu_s.begin(), outcome.account_gpu_s.end(), 0.0);
  CHECK(sum == doctest::Approx(outcome.held_gpu_s).epsilon(1e-9));
  for (const double account : outcome.account_gpu_s) CHECK(account >= 0.0);
  CHECK(std::isfinite(outcome.time_s));
  CHECK(std::isfinite(outcome.cost_usd));
  CHECK(outcome.cost_usd >= -1e-9);
  CHECK(outcome.rounding_usd >= -1e-9);
  CHECK(outcome.forgiven_usd <= 1e-9);
  CHECK(outcome.held_usd + outcome.forgiven_usd >= -1e-9);
  CHECK(outcome.storage_usd >= 0.0);
  CHECK(outcome.checkpoints_usable <= outcome.checkpoints_started);
  CHECK(outcome.time_s <= plan.horizon_s + 1e-9);  // limits are rounded to a nanosecond
  CHECK(outcome.time_s <= plan.stop_time_s + 1e-9);
  const auto counted = std::accumulate(outcome.stops_by_cause.begin(), outcome.stops_by_cause.end(), 0U);
  CHECK(counted == outcome.stops + outcome.planned_stops);
  CHECK(outcome.status != Status::event_limit);
  if (outcome.status == Status::finished) {
    CHECK(outcome.kept_steps == static_cast<double>(plan.steps));
    const double calibration = plan.step.log_sd_common > 0.0 ? std::exp(-1.0) : 1.0;
    CHECK(outcome.time_s >= least_time_s(plan, calibration));
    CHECK(outcome.kept_wall_s <= outcome.time_s + 1e-6);
  } else {
    CHECK(outcome.kept_steps <= static_cast<double>(plan.steps));
  }
}

Outcome play(Plan plan, Grain grain, std::uint32_t trial) {
  plan.grain = grain;
  return run_trial(plan, 5, trial);
}

models::Distribution doubled(const models::Distribution& law) {
  return models::scaled(law, 2.0);
}

void double_every_time(Plan& plan) {
  for (sim::PoolPlan& pool : plan.pools) {
    for (models::Distribution* law : {&pool.lifetime, &pool.notice, &pool.wait, &pool.boot, &pool.image}) {
      *law = doubled(*law);
    }
    pool.billing.increment = models::Seconds{2.0 * pool.billing.increment.value()};
    pool.billing.minimum = models::Seconds{2.0 * pool.billing.minimum.value()};
    pool.billing.first_hour_free = false;  // an hour stays an hour
  }
  plan.step.node_compute_s *= 2.0;
  plan.step.exchange_s *= 2.0;
  plan.step.bubble_s *= 2.0;
  plan.step.batch_interval_s *= 2.0;
  plan.save.blocked = doubled(plan.save.blocked);
  plan.save.persist = doubled(plan.save.persist);
  plan.save.shortest_interval_s *= 2.0;
  sim::RestartPlan& restart = plan.restart;
  for (sim::GangPart* part : {&restart.detect, &restart.decide, &restart.set_up, &restart.compile, &restart.load,
                              &restart.skip, &restart.fill}) {
    *part = {doubled(part->law), 2.0 * part->offset_s};
  }
  plan.horizon_s *= 2.0;
  plan.stop_time_s *= 2.0;
  plan.stop_usd = std::numeric_limits<double>::infinity();
}

}  // namespace

TEST_CASE("300 random plans, both grains: accounts, money, counts and times make sense") {
  std::array<int, 5> statuses{};
  for (std::uint32_t number = 0; number < plans; ++number) {
    const Plan plan = RandomPlans{number}.make();
    for (const Grain grain : {Grain::node, Grain::step, Grain::span}) {
      for (std::uint32_t trial = 0; trial < 5; ++trial) {
        Plan of_grain = plan;
        of_grain.grain = grain;
        const Outcome outcome = run_trial(of_grain, 5, trial);
        check_invariants(of_grain, outcome);
        ++statuses[static_cast<std::size_t>(outcome.status)];
        if (trial == 0) CHECK(outcome == run_trial(of_grain, 5, trial));
      }
    }
  }
  // The plans reach every ending but the event limit.
  CHECK(statuses[static_cast<std::size_t>(Status::finished)] > 1500);
  CHECK(statuses[static_cast<std::size_t>(Status::horizon)] > 10);
  CHECK(statuses[static_cast<std::size_t>(Status::deadline)] > 10);
  CHECK(statuses[static_cast<std::size_t>(Status::budget)] > 10);
}

TEST_CASE("nothing random, nothing that strikes: every trial and both grains give the one answer") {
  for (std::uint32_t number = 0; number < plans; ++number) {
    const Plan plan = RandomPlans{number}.make(true);
    CAPTURE(number);
    const Outcome node = play(plan, Grain::node, 0), span = play(plan, Grain::span, 0);
    const Outcome other = play(plan, Grain::span, 1);
    CHECK(other == span);
    CHECK(node.status == span.status);
    // A step is rounded to a nanosecond in every phase of the node grain, to one as a whole in the span grain.
    const double rounding = 1e-9 * 4.0 * static_cast<double>(plan.steps) + 1e-6;
    CHECK(std::abs(node.time_s - span.time_s) <= rounding);
    CHECK(node.kept_steps == span.kept_steps);
    CHECK(node.checkpoints_started == span.checkpoints_started);
    CHECK(node.checkpoints_usable == span.checkpoints_usable);
    CHECK(node.cost_usd == doctest::Approx(span.cost_usd).epsilon(1e-6));
    for (std::size_t i = 0; i < sim::account_count; ++i) {
      CHECK(std::abs(node.account_gpu_s[i] - span.account_gpu_s[i]) <= rounding * static_cast<double>(plan.gpus));
    }
    CHECK(node.stops == 0);
  }
}

TEST_CASE("doubling every time doubles time, held time and the cost of machines") {
  for (std::uint32_t number = 0; number < plans; ++number) {
    Plan plan = RandomPlans{number}.make(true);
    CAPTURE(number);
    plan.stop_usd = std::numeric_limits<double>::infinity();
    for (sim::PoolPlan& pool : plan.pools) pool.billing.first_hour_free = false;
    const Outcome once = play(plan, Grain::span, 0);
    double_every_time(plan);
    const Outcome twice = play(plan, Grain::span, 0);
    CHECK(twice.time_s == doctest::Approx(2.0 * once.time_s).epsilon(1e-8));
    CHECK(twice.held_gpu_s == doctest::Approx(2.0 * once.held_gpu_s).epsilon(1e-8));
    CHECK(twice.held_usd == doctest::Approx(2.0 * once.held_usd).epsilon(1e-8));
    CHECK(twice.forgiven_usd == doctest::Approx(2.0 * once.forgiven_usd).epsilon(1e-8));
  }
}

TEST_CASE("doubling every time doubles the result of random lives too: the draws are the same") {
  for (std::uint32_t number = 0; number < 100; ++number) {
    Plan plan = RandomPlans{number}.make(true);
    CAPTURE(number);
    plan.stop_usd = std::numeric_limits<double>::infinity();
    for (sim::PoolPlan& pool : plan.pools) pool.lifetime = models::Exponential{3000.0};
    const Outcome once = play(plan, Grain::node, 0);
    double_every_time(plan);
    const Outcome twice = play(plan, Grain::node, 0);
    CHECK(twice.stops == once.stops);
    CHECK(twice.time_s == doctest::Approx(2.0 * once.time_s).epsilon(1e-7));
  }
}

TEST_CASE("halved prices halve the cost of machines and change nothing else") {
  for (std::uint32_t number = 0; number < plans; ++number) {
    Plan plan = RandomPlans{number}.make();
    CAPTURE(number);
    plan.stop_usd = std::numeric_limits<double>::infinity();
    const Outcome full = play(plan, Grain::span, 1);
    for (sim::PoolPlan& pool : plan.pools) {
      pool.usd_per_node_h *= 0.5;
      pool.price_cap *= 0.5;
      if (pool.price_law) pool.price_law->median *= 0.5;
    }
    const Outcome half = play(plan, Grain::span, 1);
    CHECK(half.fingerprint == full.fingerprint);
    CHECK(half.held_usd == doctest::Approx(0.5 * full.held_usd));
    CHECK(half.rounding_usd == doctest::Approx(0.5 * full.rounding_usd));
    CHECK(half.forgiven_usd == doctest::Approx(0.5 * full.forgiven_usd));
    CHECK(half.storage_usd == full.storage_usd);
  }
}

TEST_CASE("lives shorter than the restart end at the horizon, and quickly") {
  Plan plan = RandomPlans{0}.make(true);
  plan.horizon_s = 30.0 * 86'400.0;
  plan.stop_time_s = plan.stop_usd = std::numeric_limits<double>::infinity();
  plan.restart.set_up = {models::Constant{720.0}, 0.0};
  for (sim::PoolPlan& pool : plan.pools) {
    pool.wait = models::Constant{1.0};
    pool.lifetime = models::Uniform{500.0, 700.0};
  }
  for (const Grain grain : {Grain::node, Grain::step, Grain::span}) {
    const auto before = std::chrono::steady_clock::now();
    const Outcome outcome = play(plan, grain, 0);
    CHECK(std::chrono::steady_clock::now() - before < std::chrono::seconds{2});
    CHECK(outcome.status == Status::horizon);
    CHECK(outcome.time_s == plan.horizon_s);
    CHECK(outcome.kept_steps == 0.0);
    CHECK(outcome.stops == 0);
    CHECK(outcome.losses_during_restart > 1000);
  }
}

TEST_CASE("lives of nothing end at the event limit instead of running on in one instant") {
  Plan plan = RandomPlans{0}.make(true);
  plan.stop_time_s = plan.stop_usd = std::numeric_limits<double>::infinity();
  for (sim::PoolPlan& pool : plan.pools) {
    pool.wait = models::Constant{0.0};
    pool.lifetime = models::Constant{0.0};
  }
  CHECK(play(plan, Grain::span, 0).status == Status::event_limit);
}

TEST_CASE("long-tailed steps and saves under short notices never skip a save or lose count") {
  for (std::uint32_t trial = 0; trial < 20'000; ++trial) {
    Plan plan = RandomPlans{1}.make(true);
    plan.stop_time_s = plan.stop_usd = std::numeric_limits<double>::infinity();
    plan.horizon_s = 1e6;
    plan.steps = 400;
    plan.step = {};
    plan.step.slowest = sim::SlowestNode{plan.nodes, 0.0};
    plan.step.node_draw = models::LogNormal{0.4, 1.2};
    plan.save.mode = scenarios::Checkpoint::Mode::sync;
    plan.save.interval_steps = 5;
    plan.save.blocked = models::LogNormal{1.0, 1.2};  // some cycles outlast their room by far
    plan.save.persist = models::Constant{0.0};
    plan.save.on_notice = true;
    for (sim::PoolPlan& pool : plan.pools) {
      pool.lifetime = models::Exponential{300.0 * plan.nodes};
      pool.notice = models::Constant{1.0};
    }
    const Outcome outcome = play(plan, Grain::span, trial);
    check_invariants(plan, outcome);
    CHECK(outcome.status == Status::finished);
  }
}

}  // namespace fleetcast::tests
