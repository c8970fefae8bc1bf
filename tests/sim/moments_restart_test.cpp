// Losses in every phase of a restart, failures by kind, planned stops; to the nanosecond, in all grains.
// The first node is reclaimed at 50: detection until 58, wait until 62, boot until 65, start-up until 78, step 20.
#include "tests/sim/story.hpp"

namespace fleetcast::tests {
namespace {

/// A second node is lost at `second_s`, in the restart after the first.
Outcome lost_again_at(double second_s) {
  Story story{steady_plan(2)};
  return story.reclaim(0, 50.0).reclaim(1, second_s).play();
}

Plan plan_with_cause(double node_rate, double gang_rate) {
  Plan plan = steady_plan(2);
  sim::CausePlan& cause = add_cause(plan, "cause");
  cause.node_rate = node_rate;
  cause.gang_rate = gang_rate;
  return plan;
}

}  // namespace

TEST_CASE("a second loss during detection is fetched with the first") {
  const Outcome outcome = lost_again_at(55.0);
  CHECK(outcome.time_s == 178.0);
  CHECK(outcome.stops == 1);
  CHECK(outcome.losses_during_restart == 1);
  check_accounts(outcome, {{Account::compute, 200},
                           {Account::checkpoint_stall, 50},
                           {Account::lost_work, 16},
                           {Account::detection, 5},
                           {Account::start_up, 26 + 6 + 26}});
}

TEST_CASE("a second loss while waiting is asked for at once") {
  const Outcome outcome = lost_again_at(60.0);
  CHECK(outcome.time_s == 180.0);  // 64 boots, 67 ready, 80 steps
  CHECK(outcome.losses_during_restart == 1);
  check_accounts(outcome, {{Account::compute, 200},
                           {Account::checkpoint_stall, 50},
                           {Account::lost_work, 16},
                           {Account::detection, 8},
                           {Account::idle, 2 + 2},
                           {Account::start_up, 26 + 6 + 26}});
}

TEST_CASE("a second loss during start-up begins with detection again") {
  const Outcome outcome = lost_again_at(68.0);
  CHECK(outcome.time_s == 196.0);  // 76, 80, 83, 96
  check_accounts(outcome, {{Account::compute, 200},
                           {Account::checkpoint_stall, 50},
                           {Account::lost_work, 16},
                           {Account::detection, 8 + 8},
                           {Account::idle, 7 + 7},
                           {Account::start_up, 26 + 3 + 2 * 3 + 3 + 26}});
}

TEST_CASE("a loss in the nanosecond in which the gang would start is a loss during the restart") {
  CHECK(lost_again_at(78.0 - nanosecond).losses_during_restart == 1);
  const Outcome at_start = lost_again_at(78.0);
  CHECK(at_start.losses_during_restart == 1);
  CHECK(at_start.stops == 1);
  CHECK(booked(at_start, Account::lost_work) == 16);
  const Outcome after_start = lost_again_at(78.0 + nanosecond);
  CHECK(after_start.losses_during_restart == 0);
  CHECK(after_start.stops == 2);
  CHECK(booked(after_start, Account::lost_work) == doctest::Approx(16 + 2 * nanosecond).epsilon(1e-12));
}

TEST_CASE("a loss in the nanosecond in which the decision falls is fetched with the first") {
  CHECK(lost_again_at(58.0).time_s == 178.0);
  CHECK(lost_again_at(58.0 + nanosecond).time_s == doctest::Approx(178.0 + nanosecond).epsilon(1e-13));
}

TEST_CASE("a loss in the very first start-up begins with detection and there is nothing to load") {
  Story story{steady_plan(2)};
  const Outcome outcome = story.reclaim(0, 10.0).play();
  CHECK(outcome.time_s == 10 + 8 + 4 + 3 + 10 + 125.0);
  CHECK(outcome.stops == 0);
  CHECK(outcome.losses_during_restart == 1);
  check_accounts(outcome, {{Account::compute, 200},
                           {Account::checkpoint_stall, 50},
                           {Account::detection, 8},
                           {Account::idle, 7},
                           {Account::start_up, 2 * 6 + 3 + 20}});
}

TEST_CASE("a node that is lost while it boots is asked for again") {
  Story story{steady_plan(2)};
  const Outcome outcome = story.reclaim(0, 6.0).play();  // 10 boots, 13 ready, 23 steps
  CHECK(outcome.time_s == 148.0);
  check_accounts(outcome, {{Account::compute, 200},
                           {Account::checkpoint_stall, 50},
                           {Account::idle, 6},
                           {Account::start_up, 2 + 3 + 3 + 20}});
}

TEST_CASE("a bulk reclaim of all is one stop and all come back together") {
  Plan plan = steady_plan(1, 3);
  plan.pools[0].bulk_share = 1.0;
  plan.pools[0].bulk_size = scenarios::Bulk::Size::all;
  Story story{plan};
  const Outcome outcome = story.reclaim(0, 50.0).play();
  CHECK(outcome.stops == 1);
  CHECK(outcome.time_s == 178.0);
  check_accounts(outcome, {{Account::compute, 300},
                           {Account::checkpoint_stall, 75},
                           {Account::lost_work, 3 * 8},
                           {Account::start_up, 3 * 13 + 3 * 16}});
}

TEST_CASE("software failures strike only while stepping and lose no node") {
  Story story{plan_with_cause(0.0, 1.0)};
  // 33 s of stepping until the reclaim at 50, the last 7 of 40 after 78.
  const Outcome outcome = story.reclaim(0, 50.0).software_after(40.0).play();
  CHECK(outcome.stops_by_cause == std::vector<std::uint32_t>{1, 1});
  CHECK(outcome.time_s == 85 + 8 + 13 + 100.0);
  check_accounts(outcome, {{Account::compute, 200},
                           {Account::checkpoint_stall, 50},
                           {Account::lost_work, 16 + 14},
                           {Account::detection, 8 + 16},
                           {Account::idle, 7},
                           {Account::start_up, 26 + 3 + 26 + 26}});
}

TEST_CASE("a software failure with its own detection and repair waits for both, the nodes idle in the repair") {
  Plan plan = plan_with_cause(0.0, 1.0);
  plan.causes[0].detect = Constant{2.0};
  plan.causes[0].detect_offset = 1.0;
  plan.causes[0].repair = Constant{30.0};
  Story story{plan};
  const Outcome outcome = story.software_after(33.0).play();
  CHECK(outcome.time_s == 50 + 4 + 30 + 13 + 100.0);
  CHECK(booked(outcome, Account::detection) == 8.0);
  CHECK(booked(outcome, Account::idle) == 60.0);
}

TEST_CASE("a failed node with a repair time comes back after it instead of after the wait") {
  Plan plan = plan_with_cause(1.0, 0.0);
  plan.causes[0].repair = Constant{20.0};
  Story story{plan};
  const Outcome outcome = story.fail(0, 50.0).play();
  CHECK(outcome.time_s == 50 + 8 + 20 + 3 + 13 + 100.0);
  CHECK(outcome.stops_by_cause == std::vector<std::uint32_t>{0, 1});
}

TEST_CASE("a failure that takes the fleet takes every node and is one stop") {
  Plan plan = plan_with_cause(1.0, 0.0);
  plan.causes[0].takes_fleet = true;
  Story story{plan};
  const Outcome outcome = story.fail(1, 50.0).play();
  CHECK(outcome.time_s == 178.0);
  CHECK(outcome.stops == 1);
  check_accounts(outcome, {{Account::compute, 200},
                           {Account::checkpoint_stall, 50},
                           {Account::lost_work, 16},
                           {Account::start_up, 26 + 32}});
}

TEST_CASE("an outage of the whole fleet has one repair: nobody waits for anybody") {
  Plan plan = plan_with_cause(1.0, 0.0);
  plan.causes[0].takes_fleet = true;
  plan.causes[0].repair = models::Uniform{10.0, 1000.0};
  Story story{plan};
  const Outcome outcome = story.fail(1, 50.0).play();
  CHECK(booked(outcome, Account::idle) == 0.0);
}

TEST_CASE("planned work on a node waits for a step border and a save, and loses nothing") {
  Plan plan = plan_with_cause(1.0, 0.0);
  plan.causes[0].kind = scenarios::FailureKind::planned;
  plan.causes[0].repair = Constant{20.0};
  Story story{plan};
  const Outcome outcome = story.fail(0, 50.5).play();  // step until 51, saved at 56, back at 76, ready 79, 92
  CHECK(outcome.time_s == 92 + 91.0);
  CHECK(outcome.stops == 0);
  CHECK(outcome.planned_stops == 1);
  check_accounts(outcome, {{Account::compute, 200},
                           {Account::checkpoint_stall, 60},
                           {Account::idle, 23},
                           {Account::start_up, 26 + 3 + 26}});
}

TEST_CASE("planned work that comes during a save stops when that save is durable") {
  Plan plan = plan_with_cause(1.0, 0.0);
  plan.causes[0].kind = scenarios::FailureKind::planned;
  Story story{plan};
  const Outcome outcome = story.fail(0, 40.0).play();
  CHECK(outcome.time_s == 42 + 4 + 3 + 13 + 100.0);
  CHECK(outcome.checkpoints_started == 5);
  CHECK(booked(outcome, Account::lost_work) == 0.0);
}

TEST_CASE("planned work of the whole gang idles it for the repair and loses nothing") {
  Plan plan = plan_with_cause(0.0, 1.0);
  plan.causes[0].kind = scenarios::FailureKind::planned;
  plan.causes[0].repair = Constant{30.0};
  Story story{plan};
  const Outcome outcome = story.software_after(33.5).play();  // 50.5; saved at 56; 86; 99 at step 29
  CHECK(outcome.time_s == 99 + 91.0);
  CHECK(outcome.planned_stops == 1);
  CHECK(booked(outcome, Account::idle) == 60.0);
  CHECK(booked(outcome, Account::lost_work) == 0.0);
}

TEST_CASE("planned work of the gang that takes the fleet is waited for once") {
  Plan plan = plan_with_cause(0.0, 1.0);
  plan.causes[0].kind = scenarios::FailureKind::planned;
  plan.causes[0].takes_fleet = true;
  plan.causes[0].repair = Constant{30.0};
  Story story{plan};
  const Outcome outcome = story.software_after(33.5).play();  // 56 saved, 86 boots, 89 ready, 102 at step 29
  CHECK(outcome.time_s == 102 + 91.0);
}

TEST_CASE("planned work without checkpoints is a stop like any other") {
  Plan plan = plan_with_cause(1.0, 0.0);
  plan.causes[0].kind = scenarios::FailureKind::planned;
  plan.save.mode = Checkpoint::Mode::off;
  Story story{plan};
  const Outcome outcome = story.fail(0, 50.0).play();
  CHECK(outcome.stops == 1);
  CHECK(outcome.planned_stops == 0);
  CHECK(booked(outcome, Account::lost_work) == 2 * 33);
}

TEST_CASE("one value for the restart stands for the first start too, and waiting comes on top") {
  Plan plan = steady_plan(2);
  plan.restart = {};
  plan.restart.whole = true;
  plan.restart.set_up = {Constant{25.0}, 0.0};
  for (sim::PoolPlan& pool : plan.pools) pool.boot = pool.image = Constant{0.0};
  CHECK(Story{plan}.play().time_s == 4 + 25 + 125.0);
  Story story{plan};
  CHECK(story.reclaim(0, 60.0).play().time_s == 60 + 4 + 25 + 100.0);  // saved at 54
}

TEST_CASE("every part of a restart counts, and the first start leaves out what it does not need") {
  Plan plan = steady_plan(2);
  plan.restart.compile = {Constant{1.0}, 0.25};
  plan.restart.fill = {Constant{2.0}, 0.0};
  plan.restart.skip = {Constant{50.0}, 0.0};
  CHECK(Story{plan}.play().time_s == steady_time_s + 3.25);
  Story story{plan};
  CHECK(story.reclaim(0, 60.0).play().time_s == 60 + 8 + 4 + 3 + 13 + 3.25 + 50 + 100.0);
}

TEST_CASE("random start-up times are drawn afresh after announced stops too") {
  Plan plan = steady_plan(1);
  plan.restart.set_up = {models::Uniform{10.0, 20.0}, 0.0};
  plan.pools[0].notice = Constant{100.0};
  plan.pools[0].lifetime = Constant{130.0};  // announced 30 s after boot, saved long before the reclaim, each time
  plan.steps = 200;
  plan.save.interval_steps = 0;
  for (const Grain grain : {Grain::node, Grain::step, Grain::span}) {
    plan.grain = grain;
    double distinct = 0;
    for (std::uint32_t trial = 0; trial < 20; ++trial) {
      const Outcome outcome = run_trial(plan, 1, trial);
      REQUIRE(outcome.status == Status::finished);
      // n starts with one and the same draw would sum to a multiple of it.
      const double starts = 1.0 + outcome.stops;
      const double first = 10.0 + 10.0 * [&] {
        models::Stream bits = sim::Draws{1, trial}.stream(sim::Purpose::restart_part, 2, 0);
        return models::unit_uniform(bits);
      }();
      const double set_up = booked(outcome, Account::start_up) - starts * 3.0 - outcome.stops * 3.0;
      if (std::abs(set_up - starts * first) > 0.1) ++distinct;
    }
    CHECK(distinct >= 15);
  }
}

}  // namespace fleetcast::tests
