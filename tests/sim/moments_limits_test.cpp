// Limits, money and storage at their moments, in all grains. A node costs 1 USD/s; two are held from 4 to 142.
#include "tests/sim/story.hpp"

namespace fleetcast::tests {
namespace {

Plan priced_plan() {
  Plan plan = steady_plan(2);
  for (sim::PoolPlan& pool : plan.pools) pool.usd_per_node_h = 3600.0;
  return plan;
}

}  // namespace

TEST_CASE("a job that is done exactly at the enforced deadline has met it") {
  Plan plan = steady_plan(2);
  plan.stop_time_s = steady_time_s;
  const Outcome outcome = Story{plan}.play();
  CHECK(outcome.status == Status::finished);
  CHECK(outcome.time_s == plan.stop_time_s);
}

TEST_CASE("an enforced deadline a nanosecond before the end cuts the final save off") {
  Plan plan = steady_plan(2);
  plan.stop_time_s = steady_time_s - nanosecond;
  const Outcome outcome = Story{plan}.play();
  CHECK(outcome.status == Status::deadline);
  CHECK(outcome.time_s == doctest::Approx(142.0 - nanosecond).epsilon(1e-14));
  CHECK(outcome.checkpoints_usable == 4);
  CHECK(outcome.kept_steps == 80);
  CHECK(booked(outcome, Account::lost_work) == doctest::Approx(2 * (25 - nanosecond)).epsilon(1e-13));
}

TEST_CASE("the horizon cuts a run off where it stands and keeps only what is durable") {
  Plan plan = steady_plan(2);
  plan.horizon_s = 100.0;
  const Outcome outcome = Story{plan}.play();
  CHECK(outcome.status == Status::horizon);
  CHECK(outcome.time_s == 100.0);
  check_accounts(
      outcome,
      {{Account::compute, 120}, {Account::checkpoint_stall, 30}, {Account::lost_work, 2 * 8}, {Account::start_up, 26}});
}

TEST_CASE("the horizon cuts a run off in a restart too") {
  Plan plan = steady_plan(2);
  plan.horizon_s = 60.0;
  Story story{plan};
  const Outcome outcome = story.reclaim(0, 50.0).play();
  CHECK(outcome.status == Status::horizon);
  CHECK(booked(outcome, Account::detection) == 8.0);
  CHECK(booked(outcome, Account::idle) == 2.0);
  CHECK(outcome.held_gpu_s == 46.0 + 56.0);
}

TEST_CASE("a horizon before the first node boots holds nothing") {
  Plan plan = priced_plan();
  plan.horizon_s = 3.0;
  const Outcome outcome = Story{plan}.play();
  CHECK(outcome.status == Status::horizon);
  CHECK(outcome.held_gpu_s == 0.0);
  CHECK(outcome.cost_usd == 0.0);
}

TEST_CASE("an enforced budget stops the run in the moment in which it is spent") {
  Plan plan = priced_plan();
  plan.stop_usd = 100.0;
  const Outcome outcome = Story{plan}.play();
  CHECK(outcome.status == Status::budget);
  CHECK(outcome.time_s == 54.0);
  CHECK(outcome.held_usd == doctest::Approx(100.0));
}

TEST_CASE("an enforced budget follows the number of nodes that are held") {
  Plan plan = priced_plan();
  plan.stop_usd = 120.0;
  Story story{plan};
  // 92 USD at 50, one node until 62, then two: 12 more USD at 62, the last 16 in 8 s.
  const Outcome outcome = story.reclaim(0, 50.0).play();
  CHECK(outcome.status == Status::budget);
  CHECK(outcome.time_s == 70.0);
}

TEST_CASE("a budget that is spent exactly at the end is kept") {
  Plan plan = priced_plan();
  plan.stop_usd = 276.0;
  CHECK(Story{plan}.play().status == Status::finished);
  plan.stop_usd = 276.0 - 4 * nanosecond;
  CHECK(Story{plan}.play().status == Status::budget);
}

TEST_CASE("the first hour is free for a life that the provider ends within it, and only for that") {
  Plan plan = priced_plan();
  for (sim::PoolPlan& pool : plan.pools) pool.billing.first_hour_free = true;
  Story story{plan};
  const Outcome outcome = story.reclaim(0, 50.0).play();
  CHECK(outcome.held_usd == doctest::Approx(46 + (178 - 62) + 174));
  CHECK(outcome.forgiven_usd == doctest::Approx(-46));
  CHECK(outcome.cost_usd == doctest::Approx((178 - 62) + 174));
}

TEST_CASE("a failure does not make the first hour free") {
  Plan plan = priced_plan();
  for (sim::PoolPlan& pool : plan.pools) pool.billing.first_hour_free = true;
  add_cause(plan, "hardware").node_rate = 1.0;
  Story story{plan};
  CHECK(story.fail(0, 50.0).play().forgiven_usd == 0.0);
}

TEST_CASE("rounding is per machine life") {
  Plan plan = priced_plan();
  for (sim::PoolPlan& pool : plan.pools) pool.billing.increment = models::Seconds{60.0};
  Story story{plan};
  const Outcome outcome = story.reclaim(0, 50.0).play();
  // Lives of 46, 116 and 174 s are billed as 60, 120 and 180 s.
  CHECK(outcome.rounding_usd == doctest::Approx(14 + 4 + 6));
  CHECK(outcome.cost_usd == doctest::Approx(360.0));
}

TEST_CASE("boot time can be free: a node boots for three seconds") {
  Plan plan = priced_plan();
  for (sim::PoolPlan& pool : plan.pools) pool.billing.boot = false;
  const Outcome outcome = Story{plan}.play();
  CHECK(outcome.forgiven_usd == doctest::Approx(-6.0));
  CHECK(outcome.cost_usd == doctest::Approx(276.0 - 6.0));
}

TEST_CASE("an announced node is paid until it is taken, even beyond the end of the job") {
  Plan plan = priced_plan();
  plan.pools[0].notice = Constant{150.0};
  Story story{plan};
  // Notice at 50, saved at 56; the job ends at 167, the old node at 200.
  const Outcome outcome = story.reclaim(0, 200.0).play();
  CHECK(outcome.time_s == 167.0);
  CHECK(outcome.held_usd == doctest::Approx(163 + 196 + (167 - 60)));
}

TEST_CASE("GPUs weigh the accounts: two pools of different nodes") {
  Plan plan = steady_plan(2);
  plan.pools[0].gpus_per_node = 8;
  plan.pools[1].gpus_per_node = 4;
  plan.gpus = 12;
  Story story{plan};
  const Outcome outcome = story.reclaim(0, 50.0).play();
  check_accounts(outcome, {{Account::compute, 1200},
                           {Account::checkpoint_stall, 300},
                           {Account::lost_work, 12 * 8},
                           {Account::detection, 4 * 8},
                           {Account::idle, 4 * 7},
                           {Account::start_up, 12 * 13 + 8 * 3 + 12 * 13}});
}

TEST_CASE("the parts of a step are booked to their accounts") {
  Plan plan = steady_plan(2);
  plan.step.node_compute_s = 0.5;
  plan.step.exchange_s = 0.25;
  plan.step.bubble_s = 0.125;
  plan.step.batch_interval_s = 1.0;
  const Outcome outcome = Story{plan}.play();
  CHECK(outcome.time_s == steady_time_s);
  CHECK(outcome.kept_wall_s == doctest::Approx(87.5));
  check_accounts(outcome, {{Account::compute, 100},
                           {Account::exposed_communication, 50},
                           {Account::pipeline_bubble, 25},
                           {Account::data_stall, 25},
                           {Account::checkpoint_stall, 50},
                           {Account::start_up, 26}});
}

}  // namespace fleetcast::tests
