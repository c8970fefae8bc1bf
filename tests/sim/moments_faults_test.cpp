// Hangs, silent errors, the coordinator, disasters, saves that cannot be read; to the nanosecond, in all grains.
// Undisturbed: steps from 17, saves durable at 42, 67, 92, 117 and 142 with 20, 40 ... steps; decision 1 s.
#include "tests/sim/story.hpp"

namespace fleetcast::tests {
namespace {

using scenarios::FailureKind;

Plan plan_with(FailureKind kind, double node_rate, double gang_rate, double detect_s) {
  Plan plan = steady_plan(2);
  sim::CausePlan& cause = add_cause(plan, "cause");
  cause.kind = kind;
  cause.node_rate = node_rate;
  cause.gang_rate = gang_rate;
  cause.detect = Constant{detect_s};
  return plan;
}

Plan of_node(FailureKind kind, double detect_s) {
  return plan_with(kind, 1.0, 0.0, detect_s);
}
Plan of_gang(FailureKind kind, double detect_s) {
  return plan_with(kind, 0.0, 1.0, detect_s);
}

}  // namespace

TEST_CASE("a hang holds all nodes until the watchdog finds it; then its node is replaced") {
  Story story{of_node(FailureKind::hang, 60.0)};
  const Outcome outcome = story.fail(0, 50.0).play();  // found and decided at 111, boots 115, ready 118, steps 131
  CHECK(outcome.time_s == 131 + 100.0);
  CHECK(outcome.stops_by_cause == std::vector<std::uint32_t>{0, 1});
  check_accounts(outcome, {{Account::compute, 200},
                           {Account::checkpoint_stall, 50},
                           {Account::lost_work, 16},
                           {Account::detection, 2 * 61},
                           {Account::idle, 7},
                           {Account::start_up, 26 + 3 + 26}});
}

TEST_CASE("a hang that needs no node restarts on the same nodes") {
  Story story{of_gang(FailureKind::hang, 60.0)};
  const Outcome outcome = story.software_after(33.0).play();
  CHECK(outcome.time_s == 111 + 13 + 100.0);
  CHECK(booked(outcome, Account::detection) == 2 * 61);
  CHECK(booked(outcome, Account::idle) == 0.0);
}

TEST_CASE("the watchdog is no part of a restart that is given as one value") {
  Plan plan = of_gang(FailureKind::hang, 60.0);
  plan.restart = {};
  plan.restart.whole = true;
  plan.restart.set_up = {Constant{10.0}, 0.0};
  Story story{plan};
  CHECK(story.software_after(33.0).play().time_s == 50 + 60 + 10 + 100.0);
}

TEST_CASE("a node that is lost during a hang is seen sooner than the hang") {
  Story story{of_node(FailureKind::hang, 60.0)};
  const Outcome outcome = story.fail(0, 50.0).reclaim(1, 80.0).play();  // decided at 88, ready 95, steps 108
  CHECK(outcome.time_s == 108 + 100.0);
  CHECK(outcome.stops == 1);
  CHECK(outcome.losses_during_restart == 1);
  CHECK(booked(outcome, Account::detection) == 38 + 30);
}

TEST_CASE("a node lost at the end of a hang does not prolong it") {
  Story story{of_node(FailureKind::hang, 60.0)};
  CHECK(story.fail(0, 50.0).reclaim(1, 107.0).play().time_s == 131 + 100.0);
}

TEST_CASE("a hang during start-up is found by the watchdog and the start begins again") {
  Story story{of_node(FailureKind::hang, 60.0)};
  const Outcome outcome = story.fail(0, 10.0).play();  // 71, 75, 78, 88
  CHECK(outcome.time_s == 88 + 125.0);
  CHECK(outcome.stops == 0);
  CHECK(outcome.losses_during_restart == 1);
}

TEST_CASE("a silent error throws the gang back past the saves that were begun after it") {
  Story story{of_node(FailureKind::silent, 30.0)};
  const Outcome outcome = story.fail(0, 50.0).play();  // found at 80, decided 81, boots 85, ready 88, steps 101
  CHECK(outcome.time_s == 101 + 100.0);
  CHECK(outcome.stops_by_cause == std::vector<std::uint32_t>{0, 1});
  CHECK(outcome.checkpoints_usable == 6);
  check_accounts(outcome, {{Account::compute, 200},
                           {Account::checkpoint_stall, 50},
                           {Account::lost_work, 2 * (80 - 42)},
                           {Account::detection, 1},
                           {Account::idle, 7},
                           {Account::start_up, 26 + 3 + 26}});
}

TEST_CASE("a save that was begun before the error is used") {
  Story story{of_node(FailureKind::silent, 30.0)};
  const Outcome outcome = story.fail(0, 64.0).play();  // during the save of 40 steps; found at 94 after that of 60
  CHECK(outcome.time_s == 94 + 1 + 4 + 3 + 13 + 75.0);
  CHECK(booked(outcome, Account::lost_work) == 2 * (94 - 67));
}

TEST_CASE("where no save is old enough the run begins from zero") {
  Plan plan = of_node(FailureKind::silent, 30.0);
  plan.save.keep = 1;
  Story story{plan};
  const Outcome outcome = story.fail(0, 50.0).play();  // nothing to load
  CHECK(outcome.time_s == 98 + 125.0);
  CHECK(booked(outcome, Account::lost_work) == 2 * (80 - 17));
}

TEST_CASE("a silent error of the software is undone on the same nodes, after its repair") {
  Plan plan = of_gang(FailureKind::silent, 30.0);
  CHECK(Story{plan}.software_after(33.0).play().time_s == 81 + 13 + 100.0);
  plan.causes[0].repair = Constant{30.0};
  CHECK(Story{plan}.software_after(33.0).play().time_s == 81 + 30 + 13 + 100.0);
}

TEST_CASE("a stop that goes back behind a passing error takes it away") {
  Story story{of_gang(FailureKind::silent, 60.0)};
  const Outcome outcome = story.software_after(33.0).reclaim(0, 55.0).play();  // 63, 67, 70, 83: found by nobody
  CHECK(outcome.time_s == 83 + 100.0);
  CHECK(outcome.stops == 1);
}

TEST_CASE("a stop that does not go back behind it leaves it there") {
  Story story{of_gang(FailureKind::silent, 60.0)};
  const Outcome outcome = story.software_after(33.0).reclaim(0, 70.0).play();  // 78, 82, 85, 98; found at 110
  CHECK(outcome.stops == 2);
  CHECK(outcome.time_s == 110 + 1 + 13 + 100.0);
  CHECK(booked(outcome, Account::lost_work) == 2 * (70 - 42 + 110 - 98));
}

TEST_CASE("a node goes on to err until it is found, also after a restart without it being seen") {
  Story story{of_node(FailureKind::silent, 40.0)};
  const Outcome outcome = story.fail(1, 50.0).reclaim(0, 55.0).play();  // steps from 83 at 20; found at 90
  CHECK(outcome.stops == 2);
  CHECK(outcome.time_s == 90 + 1 + 4 + 3 + 13 + 100.0);
}

TEST_CASE("a silent error that is found during a restart costs its node") {
  Story story{of_node(FailureKind::silent, 30.0)};
  const Outcome outcome = story.fail(1, 50.0).reclaim(0, 55.0).play();  // found at 80, in the start-up until 83
  CHECK(outcome.stops == 1);
  CHECK(outcome.losses_during_restart == 1);
  CHECK(outcome.time_s == 80 + 1 + 4 + 3 + 13 + 100.0);
}

TEST_CASE("an error that nobody finds before the end is part of the result") {
  Story story{of_gang(FailureKind::silent, 600.0)};
  const Outcome outcome = story.software_after(33.0).play();
  CHECK(outcome.time_s == steady_time_s);
  CHECK(outcome.stops == 0);
}

TEST_CASE("a silent error deep in saves that were played at once") {
  for (const auto mode : {Checkpoint::Mode::sync, Checkpoint::Mode::async}) {
    Plan plan = of_node(FailureKind::silent, 500.0);
    plan.steps = 2000;
    plan.save.mode = mode;
    plan.save.shortest_interval_s = 19.0;
    plan.save.persist = Constant{mode == Checkpoint::Mode::async ? 2.0 : 0.0};
    Story story{plan};
    const Outcome outcome = story.fail(0, 1000.0).play();
    // Cycles of 25 s from 17: the error is 8 s into the one that began at 992; found at 1500.
    CHECK(booked(outcome, Account::lost_work) == doctest::Approx(2 * (1500 - 992)).epsilon(1e-12));
    CHECK(outcome.time_s ==
          doctest::Approx(1500 + 21 + 2500 - (992 - 17) + (mode == Checkpoint::Mode::async ? 2 : 0)).epsilon(1e-12));
  }
}

TEST_CASE("the coordinator is repaired before anybody waits for a node") {
  Plan plan = of_node(FailureKind::coordinator, 7.0);
  plan.causes[0].repair = Constant{20.0};
  const Outcome outcome = Story{plan}.fail(0, 50.0).play();  // 58, repaired 78, boots 82, ready 85, steps 98
  CHECK(outcome.time_s == 98 + 100.0);
  CHECK(booked(outcome, Account::idle) == 27.0);
  // The other node is no coordinator: its clock does not run.
  CHECK(Story{plan}.fail(1, 50.0).play().time_s == steady_time_s);
}

TEST_CASE("the coordinator may be lost while others are waited for, and during its repair") {
  Plan plan = of_node(FailureKind::coordinator, 7.0);
  plan.causes[0].repair = Constant{20.0};
  const Outcome waiting = Story{plan}.fail(0, 60.0).reclaim(1, 50.0).play();
  CHECK(waiting.losses_during_restart == 1);
  CHECK(waiting.time_s == 60 + 8 + 20 + 4 + 3 + 13 + 100.0);
  const Outcome detecting = Story{plan}.fail(0, 55.0).reclaim(1, 50.0).play();
  CHECK(detecting.time_s == 58 + 20 + 4 + 3 + 13 + 100.0);
}

TEST_CASE("after a disaster some nodes come back and the others are waited for after that") {
  Plan plan = steady_plan(1, 4);
  sim::CausePlan& cause = add_cause(plan, "disaster");
  cause.node_rate = 1.0;
  cause.takes_fleet = true;
  cause.repair = Constant{20.0};
  CHECK(Story{plan}.fail(1, 50.0).play().time_s == 58 + 20 + 3 + 13 + 100.0);
  cause.returns = 0.5;
  const Outcome outcome = Story{plan}.fail(1, 50.0).play();  // two boot at 78, two at 82
  CHECK(outcome.time_s == 82 + 3 + 13 + 100.0);
  check_accounts(outcome, {{Account::compute, 400},
                           {Account::checkpoint_stall, 100},
                           {Account::lost_work, 32},
                           {Account::idle, 2 * 4},
                           {Account::start_up, 4 * 13 + 4 * 3 + 4 * 13}});
}

TEST_CASE("where no save can be read every stop begins from zero, and has tried to load") {
  Plan plan = steady_plan(2);
  plan.restart.resume_failure = 1.0;
  const Outcome outcome = Story{plan}.reclaim(0, 70.0).play();
  CHECK(outcome.time_s == 70 + 8 + 4 + 3 + 13 + 125.0);
  CHECK(booked(outcome, Account::lost_work) == 2 * (70 - 17));
  CHECK(outcome.checkpoints_usable == 7);
}

}  // namespace fleetcast::tests
