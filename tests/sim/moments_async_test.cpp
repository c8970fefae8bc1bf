// Awkward moments of asynchronous saves: 1 s of blocking, then 12 s until the state is durable. Saves block until 38,
// 59, 80, 101 and are usable at 50, 71, 92, 113; the final save takes 13 s and ends at 134.
#include "tests/sim/story.hpp"

namespace fleetcast::tests {
namespace {

Plan async_plan(double persist_s = 12.0) {
  Plan plan = steady_plan(2);
  plan.save.mode = Checkpoint::Mode::async;
  plan.save.blocked = Constant{1.0};
  plan.save.persist = Constant{persist_s};
  plan.save.shortest_interval_s = 20.0;
  return plan;
}

}  // namespace

TEST_CASE("an asynchronous save blocks only for its snapshot; the final one until it is durable") {
  const Outcome outcome = Story{async_plan()}.play();
  CHECK(outcome.time_s == 134.0);
  CHECK(outcome.checkpoints_started == 5);
  CHECK(outcome.checkpoints_usable == 5);
  check_accounts(outcome,
                 {{Account::compute, 200}, {Account::checkpoint_stall, 2 * (4 + 13)}, {Account::start_up, 26}});
}

TEST_CASE("a loss while the first save is in flight begins at zero") {
  Story story{async_plan()};
  const Outcome outcome = story.reclaim(0, 50.0 - nanosecond).play();
  CHECK(outcome.time_s == doctest::Approx(192.0 - nanosecond).epsilon(1e-13));  // 75 steps again, 117 more
  CHECK(outcome.checkpoints_usable == 5);
  CHECK(outcome.checkpoints_started == 6);
  CHECK(booked(outcome, Account::lost_work) == doctest::Approx(2 * (33 - nanosecond)).epsilon(1e-13));
}

TEST_CASE("a save that becomes usable in the nanosecond of a loss counts, its later steps do not") {
  Story story{async_plan()};
  const Outcome outcome = story.reclaim(0, 50.0).play();
  CHECK(outcome.time_s == 174.0);  // 78 steps again from step 20: 80 steps, 3 saves of 1 s, the final 13 s
  CHECK(booked(outcome, Account::lost_work) == 2 * 12);
  CHECK(booked(outcome, Account::checkpoint_stall) == 2 * (4 + 13));
}

TEST_CASE("a loss while the second save is in flight falls back to the first") {
  Story story{async_plan()};
  const Outcome outcome = story.reclaim(0, 70.0).play();
  CHECK(outcome.time_s == 194.0);  // 98 steps again from step 20
  CHECK(outcome.checkpoints_started == 6);
  CHECK(outcome.checkpoints_usable == 5);
  check_accounts(outcome, {{Account::compute, 200},
                           {Account::checkpoint_stall, 2 * (4 + 13)},
                           {Account::lost_work, 2 * 32},
                           {Account::detection, 8},
                           {Account::idle, 7},
                           {Account::start_up, 26 + 3 + 26}});
}

TEST_CASE("a persist longer than the interval makes the gang wait: one save is in flight at a time") {
  Plan plan = async_plan(30.0);
  // Snapshots at 37, 68, 99, 130; usable at 68, 99, 130, 161; steps end at 151, the final save waits until 161.
  const Outcome outcome = Story{plan}.play();
  CHECK(outcome.time_s == 192.0);
  CHECK(booked(outcome, Account::checkpoint_stall) == 2 * 75);
  CHECK(outcome.checkpoints_usable == 5);
}

TEST_CASE("a persist exactly as long as the interval does not make the gang wait") {
  Plan plan = async_plan(20.0);
  const Outcome outcome = Story{plan}.play();
  CHECK(outcome.time_s == 121.0 + 21.0);
}

TEST_CASE("a loss while the gang waits for the save in flight falls back to the one before") {
  Story story{async_plan(30.0)};
  // Waiting since 89 for the save of step 40 to be usable at 99.
  const Outcome outcome = story.reclaim(0, 95.0).play();
  // 123 steps again from step 20: 20, 1, 20, wait 10, 1, 20, wait 10, 1, 20, wait 10, 31 = 144.
  CHECK(outcome.time_s == 267.0);
  CHECK(booked(outcome, Account::lost_work) == 2 * (20 + 1 + 20 + 6 + 10));
}

TEST_CASE("storage of asynchronous saves counts from when they are durable, in a span over many saves too") {
  Plan plan = async_plan();
  plan.save.usd_per_byte_s = 1.0;
  CHECK(Story{plan}.play().storage_usd == doctest::Approx(21 * (1 + 2 + 3 + 4)));
  plan.save.keep = 2;
  CHECK(Story{plan}.play().storage_usd == doctest::Approx(21 * (1 + 2 + 2 + 2)));
  plan.steps = 1000;  // 49 saves of the interval, then the final one
  CHECK(Story{plan}.play().storage_usd == doctest::Approx(21 * (1 + 48 * 2)));
  plan.save.keep = -1;
  CHECK(Story{plan}.play().storage_usd == doctest::Approx(21 * 49 * 50 / 2));
}

TEST_CASE("storage of asynchronous saves after a stop counts what was usable before and what was in flight") {
  Plan plan = async_plan();
  plan.save.usd_per_byte_s = 1.0;
  Story story{plan};
  // Usable at 50; the save of step 40 never existed; 98 steps again, usable at 131, 152, 173, 194.
  CHECK(story.reclaim(0, 70.0).play().storage_usd == doctest::Approx(81 * 1 + 21 * (2 + 3 + 4)));
}

}  // namespace fleetcast::tests
