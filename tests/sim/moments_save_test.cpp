// Awkward moments of saves, to the nanosecond, in all grains. The story's times are in story.hpp.
#include "tests/sim/story.hpp"

namespace fleetcast::tests {

TEST_CASE("nothing goes wrong: the run takes start, steps and saves, and every second is on an account") {
  const Outcome outcome = Story{steady_plan(2)}.play();
  CHECK(outcome.status == Status::finished);
  CHECK(outcome.time_s == steady_time_s);
  CHECK(outcome.kept_steps == 100);
  CHECK(outcome.kept_wall_s == 100.0);
  CHECK(outcome.checkpoints_started == 5);
  CHECK(outcome.checkpoints_usable == 5);
  CHECK(outcome.stops == 0);
  check_accounts(outcome, {{Account::compute, 200}, {Account::checkpoint_stall, 50}, {Account::start_up, 26}});
}

TEST_CASE("a reclaim during a save means that the save never existed: the restart begins at zero") {
  Story story{steady_plan(2)};
  const Outcome outcome = story.reclaim(0, 40.0).play();
  // 40 stop, 48 request, 52 boots, 55 ready, 65 steps again (nothing to load), then 125 s as if undisturbed.
  CHECK(outcome.time_s == 190.0);
  CHECK(outcome.checkpoints_started == 6);
  CHECK(outcome.checkpoints_usable == 5);
  CHECK(outcome.stops == 1);
  check_accounts(outcome, {{Account::compute, 200},
                           {Account::checkpoint_stall, 50},
                           {Account::lost_work, 2 * 23},
                           {Account::detection, 8},
                           {Account::idle, 4 + 3},
                           {Account::start_up, 26 + 3 + 20}});
}

TEST_CASE("a save that completes in the very nanosecond of a reclaim counts") {
  Story story{steady_plan(2)};
  const Outcome outcome = story.reclaim(0, 42.0).play();
  CHECK(outcome.time_s == 170.0);  // 42 + 8 + 4 + 3 + 13 = 70, then 80 steps and 4 saves
  CHECK(outcome.checkpoints_started == 5);
  CHECK(booked(outcome, Account::lost_work) == 0.0);
}

TEST_CASE("a nanosecond before its completion a save is lost") {
  Story story{steady_plan(2)};
  const Outcome outcome = story.reclaim(0, 42.0 - nanosecond).play();
  CHECK(outcome.time_s == doctest::Approx(192.0 - nanosecond).epsilon(1e-13));
  CHECK(outcome.checkpoints_started == 6);
  CHECK(booked(outcome, Account::lost_work) == doctest::Approx(2 * (25 - nanosecond)).epsilon(1e-13));
}

TEST_CASE("a nanosecond after its completion a save is there and a nanosecond of work is lost") {
  Story story{steady_plan(2)};
  const Outcome outcome = story.reclaim(0, 42.0 + nanosecond).play();
  CHECK(outcome.time_s == doctest::Approx(170.0 + nanosecond).epsilon(1e-13));
  CHECK(booked(outcome, Account::lost_work) == doctest::Approx(2 * nanosecond).epsilon(1e-6));
}

TEST_CASE("a stop goes back to the last finished save and loses what came after it, partial steps included") {
  Story story{steady_plan(2)};
  const Outcome outcome = story.reclaim(0, 79.25).play();
  // At step 40 since 67, 12.25 s after it; 107.25 steps again, then 60 steps and 3 saves.
  CHECK(outcome.time_s == 107.25 + 75.0);
  check_accounts(outcome, {{Account::compute, 200},
                           {Account::checkpoint_stall, 50},
                           {Account::lost_work, 2 * 12.25},
                           {Account::detection, 8},
                           {Account::idle, 7},
                           {Account::start_up, 26 + 3 + 26}});
}

TEST_CASE("a final save that is cut off by a loss is made again after the lost steps") {
  Story story{steady_plan(2)};
  const Outcome outcome = story.reclaim(0, 140.0).play();
  CHECK(outcome.time_s == 193.0);  // 168 steps again from step 80
  CHECK(outcome.checkpoints_started == 6);
  CHECK(outcome.checkpoints_usable == 5);
  CHECK(booked(outcome, Account::lost_work) == 2 * 23);
}

TEST_CASE("the job is done when its final save is, in the nanosecond of a reclaim") {
  Story story{steady_plan(2)};
  const Outcome outcome = story.reclaim(0, steady_time_s).play();
  CHECK(outcome.status == Status::finished);
  CHECK(outcome.time_s == steady_time_s);
  CHECK(outcome.stops == 0);
}

TEST_CASE("without a final save the job is done with its last step") {
  Plan plan = steady_plan(2);
  plan.save.final_save = false;
  plan.steps = 99;
  const Outcome outcome = Story{plan}.play();
  CHECK(outcome.time_s == 136.0);
  CHECK(outcome.checkpoints_started == 4);
}

TEST_CASE("a save of the interval that is due at the last step is made without a final save too") {
  Plan plan = steady_plan(2);
  plan.save.final_save = false;
  const Outcome outcome = Story{plan}.play();
  CHECK(outcome.time_s == steady_time_s);
  CHECK(outcome.checkpoints_started == 5);
}

TEST_CASE("without checkpoints every stop begins at zero and nothing is loaded") {
  Plan plan = steady_plan(2);
  plan.save.mode = Checkpoint::Mode::off;
  Story story{plan};
  const Outcome outcome = story.reclaim(0, 100.0).play();
  CHECK(outcome.time_s == 225.0);  // 100 + 8 + 4 + 3 + 10, then 100 steps
  CHECK(outcome.checkpoints_started == 0);
  CHECK(booked(outcome, Account::lost_work) == 2 * 83);
}

TEST_CASE("an interval as long as the run leaves the final save alone") {
  Plan plan = steady_plan(1);
  plan.save.interval_steps = 100;
  CHECK(Story{plan}.play().checkpoints_started == 1);
  plan.save.interval_steps = 99;
  CHECK(Story{plan}.play().checkpoints_started == 2);
}

TEST_CASE("a random saving time is drawn afresh for each save") {
  Plan plan = steady_plan(1);
  plan.save.blocked = models::Uniform{4.0, 6.0};
  std::vector<double> times;
  for (const Grain grain : {Grain::node, Grain::step, Grain::span}) {
    plan.grain = grain;
    for (std::uint32_t trial = 0; trial < 20; ++trial) {
      times.push_back(run_trial(plan, 1, trial).time_s - 117.0);
      CHECK(times.back() > 20.0);
      CHECK(times.back() < 30.0);
    }
  }
  CHECK(*std::max_element(times.begin(), times.end()) - *std::min_element(times.begin(), times.end()) > 0.5);
}

TEST_CASE("storage holds what is kept, from the moment it is usable to the end of the run") {
  Plan plan = steady_plan(2);
  plan.save.usd_per_byte_s = 1.0;
  plan.save.usd_per_save = 0.5;
  CHECK(Story{plan}.play().storage_usd == doctest::Approx(25 * (1 + 2 + 3 + 4) + 2.5));
  plan.save.keep = 2;
  CHECK(Story{plan}.play().storage_usd == doctest::Approx(25 * (1 + 2 + 2 + 2) + 2.5));
  plan.save.keep = 1;
  CHECK(Story{plan}.play().storage_usd == doctest::Approx(25 * 4 + 2.5));
  CHECK(Story{plan}.play().bytes_written == 5.0);
}

TEST_CASE("storage keeps its checkpoints during a restart; aborted saves are paid but not kept") {
  Plan plan = steady_plan(2);
  plan.save.usd_per_byte_s = 1.0;
  plan.save.usd_per_save = 0.5;
  Story story{plan};
  // Durable at 42, 67, then lost at 90 during the third save; again from 118: 143, 168, 193.
  CHECK(story.reclaim(0, 90.0).play().storage_usd == doctest::Approx(25 * 1 + 76 * 2 + 25 * (3 + 4) + 6 * 0.5));
}

}  // namespace fleetcast::tests
