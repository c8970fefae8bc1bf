// Awkward moments of notices and saves on notice, to the nanosecond, in all grains. The first save is durable at 42.
#include "tests/sim/story.hpp"

namespace fleetcast::tests {
namespace {

/// The first node is reclaimed at `at_s` and knows it `warning_s` before.
Story noticed(double at_s, double warning_s, Plan plan = steady_plan(2)) {
  plan.pools[0].notice = Constant{warning_s};
  Story story{std::move(plan)};
  story.reclaim(0, at_s);
  return story;
}

}  // namespace

TEST_CASE("a save on notice keeps all work; the announced node idles until it is taken") {
  const Outcome outcome = noticed(80.5, 30.0).play();
  // Notice at 50.5, the step ends at 51, saved at 56; 60 boots, 63 ready, steps from 76 at step 29: 71 s and 4 saves.
  CHECK(outcome.time_s == 167.0);
  CHECK(outcome.stops == 1);
  CHECK(outcome.stops_by_cause == std::vector<std::uint32_t>{1});
  CHECK(outcome.checkpoints_started == 6);
  CHECK(outcome.checkpoints_usable == 6);
  check_accounts(outcome, {{Account::compute, 200},
                           {Account::checkpoint_stall, 60},
                           {Account::idle, 7 + 24.5},
                           {Account::start_up, 26 + 3 + 26}});
}

TEST_CASE("a save on notice that just fits is durable in the nanosecond of the reclaim") {
  const Outcome outcome = noticed(56.0, 5.5).play();
  CHECK(outcome.time_s == 167.0);
  CHECK(outcome.checkpoints_usable == 6);
  CHECK(booked(outcome, Account::lost_work) == 0.0);
  CHECK(booked(outcome, Account::idle) == 7.0);
}

TEST_CASE("a save on notice that misses by a nanosecond is not begun: the gang steps on and loses its work") {
  const Outcome outcome = noticed(56.0 - nanosecond, 5.5).play();
  CHECK(outcome.time_s == doctest::Approx(184.0 - nanosecond).epsilon(1e-13));  // 84 steps again from step 20
  CHECK(outcome.checkpoints_started == 5);
  CHECK(outcome.stops == 1);
  CHECK(booked(outcome, Account::lost_work) == doctest::Approx(2 * (14 - nanosecond)).epsilon(1e-12));
}

TEST_CASE("a notice shorter than a save changes nothing") {
  const Outcome with = noticed(79.25, 3.0).play();
  const Outcome without = Story{steady_plan(2)}.reclaim(0, 79.25).play();
  CHECK(with.time_s == without.time_s);
  CHECK(with.account_gpu_s == without.account_gpu_s);
}

TEST_CASE("a notice that finds nothing new to save stops the gang at once") {
  // Notice at 41, during the save that ends at 42.
  const Outcome outcome = noticed(90.0, 49.0).play();
  CHECK(outcome.time_s == 162.0);  // 42 + 4 + 3 + 13 = 62, then 100 s
  CHECK(outcome.checkpoints_started == 5);
  CHECK(booked(outcome, Account::idle) == 7.0 + 48.0);
}

TEST_CASE("a notice in the nanosecond of a step's end is met at the end of the next step") {
  const Outcome outcome = noticed(80.0, 30.0).play();
  CHECK(outcome.time_s == 167.0);
  CHECK(booked(outcome, Account::idle) == 7.0 + 24.0);
}

TEST_CASE("saves on notice can be switched off") {
  Plan plan = steady_plan(2);
  plan.save.on_notice = false;
  const Outcome outcome = noticed(80.5, 30.0, plan).play();
  CHECK(outcome.checkpoints_started == 5);
  CHECK(booked(outcome, Account::lost_work) == 2 * 13.5);
}

TEST_CASE("the failure of another node aborts a save on notice") {
  Plan plan = steady_plan(2);
  add_cause(plan, "hardware").node_rate = 1.0;
  Story story = noticed(80.5, 30.0, plan);
  story.fail(1, 53.0);
  const Outcome outcome = story.play();
  // 53 stop; 61, 65, 68 the other is back; 80.5 the announced one goes in start-up; 88.5, 92.5, 95.5, 108.5 step 20.
  CHECK(outcome.time_s == 208.5);
  CHECK(outcome.stops_by_cause == std::vector<std::uint32_t>{0, 1});
  CHECK(outcome.losses_during_restart == 1);
  CHECK(outcome.checkpoints_started == 6);
  CHECK(outcome.checkpoints_usable == 5);
  CHECK(booked(outcome, Account::lost_work) == 2 * 11);
}

TEST_CASE("a notice and then a failure of the same node are one loss") {
  Plan plan = steady_plan(2);
  add_cause(plan, "hardware").node_rate = 1.0;
  Story story = noticed(80.5, 3.0, plan);
  story.fail(0, 78.5);
  const Outcome outcome = story.play();
  CHECK(outcome.time_s == 181.5);  // 106.5 steps again from step 40
  CHECK(outcome.stops_by_cause == std::vector<std::uint32_t>{0, 1});
  CHECK(outcome.losses_during_restart == 0);
  CHECK(booked(outcome, Account::lost_work) == 2 * 11.5);
}

TEST_CASE("a reclaim after the end of its own save on notice does not touch the new gang") {
  // The old node idles until 150 while its successor steps from 76 on.
  const Outcome outcome = noticed(150.0, 99.5).play();
  CHECK(outcome.time_s == 167.0);
  CHECK(outcome.stops == 1);
  CHECK(booked(outcome, Account::idle) == 7.0 + 94.0);
}

TEST_CASE("a bulk notice announces all of its nodes and is one stop") {
  Plan plan = steady_plan(1, 3);
  plan.pools[0].bulk_share = 1.0;
  plan.pools[0].bulk_size = scenarios::Bulk::Size::all;
  const Outcome outcome = noticed(80.5, 30.0, plan).play();
  CHECK(outcome.time_s == 167.0);
  CHECK(outcome.stops == 1);
  check_accounts(outcome, {{Account::compute, 300},
                           {Account::checkpoint_stall, 90},
                           {Account::idle, 3 * 24.5},
                           {Account::start_up, 3 * 13 + 3 * 16}});
}

TEST_CASE("a notice while an asynchronous save is in flight waits for it and saves what came after it") {
  Plan plan = steady_plan(2);
  plan.save.mode = Checkpoint::Mode::async;
  plan.save.blocked = Constant{1.0};
  plan.save.persist = Constant{12.0};
  // Snapshot at 38, usable at 50; notice at 43.5: step ends at 44, waits until 50, saves 13 s until 63.
  const Outcome outcome = noticed(100.0, 56.5, plan).play();
  CHECK(outcome.checkpoints_started == 6);
  CHECK(booked(outcome, Account::checkpoint_stall) == 2 * (1 + 6 + 13 + 3 + 13));
  CHECK(outcome.time_s == 63 + 4 + 3 + 13 + 74 + 3 + 13);
  CHECK(booked(outcome, Account::lost_work) == 0.0);
}

TEST_CASE("a notice in the middle of an asynchronous snapshot stops as soon as that state is durable") {
  Plan plan = steady_plan(2);
  plan.save.mode = Checkpoint::Mode::async;
  plan.save.blocked = Constant{1.0};
  plan.save.persist = Constant{12.0};
  const Outcome outcome = noticed(100.0, 62.5, plan).play();  // notice at 37.5
  CHECK(outcome.checkpoints_started == 5);
  CHECK(outcome.time_s == 50 + 4 + 3 + 13 + 80 + 3 + 13);
  CHECK(booked(outcome, Account::lost_work) == 0.0);
}

TEST_CASE("a notice that comes before the gang steps is met at the end of the first step") {
  // Notice at 10, in start-up; the gang steps from 17 on; 21 save, durable at 26; the node idles until it goes at 100.
  const Outcome outcome = noticed(100.0, 90.0).play();
  CHECK(outcome.stops == 1);
  CHECK(booked(outcome, Account::lost_work) == 0.0);
  CHECK(booked(outcome, Account::idle) >= (100.0 - 26.0) * 1.0);
}

}  // namespace fleetcast::tests
