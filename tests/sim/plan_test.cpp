// From scenario to plan: saves, recovery, causes, pools, limits, expectation, hope.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "models/errors.hpp"
#include "sim/billing.hpp"
#include "sim/trial.hpp"
#include "sim/young_daly.hpp"
#include "tests/sim/plain_scenario.hpp"
#include "tests/support/statistics.hpp"

namespace fleetcast::tests {
namespace {

using scenarios::Checkpoint;
using scenarios::Market;
using scenarios::Scenario;

/// Spot nodes with exponential lives, so many seconds for the gang as a whole.
Scenario spot_scenario(double gang_life_s, int nodes = 2) {
  Scenario scenario = plain_scenario(nodes);
  scenario.fleet[0].market = Market::spot;
  scenario.fleet[0].lifetime = models::Exponential{gang_life_s * nodes};
  return scenario;
}

double interval_s(const Scenario& scenario) {
  return plan_of(scenario).facts.interval_s;
}

}  // namespace

TEST_CASE("the default interval is Daly's for the strategy's own stops, in whole steps") {
  const Scenario scenario = spot_scenario(3600.0);
  const double best = sim::optimal_interval_s(10.0, 3600.0);
  const sim::Plan plan = plan_of(scenario);
  CHECK(plan.save.interval_steps == static_cast<std::uint64_t>(std::round(best / 2.0)));
  CHECK(plan.facts.interval_basis.find("Young/Daly") != std::string::npos);
}

TEST_CASE("the default interval is at most 4 h, at least a minute, and a save is durable before the next") {
  Scenario scenario = plain_scenario();
  CHECK(interval_s(scenario) == 4 * 3600.0);            // nothing stops it
  CHECK(interval_s(spot_scenario(1e9)) == 4 * 3600.0);  // hardly anything stops it
  scenario = spot_scenario(3600.0);
  scenario.checkpoint.measured->blocked = models::Constant{0.1};
  CHECK(interval_s(scenario) == 60.0);  // Daly says 27 s
  CHECK(plan_of(scenario).facts.interval_basis.find("durable") != std::string::npos);
  scenario.checkpoint.mode = Checkpoint::Mode::async;
  scenario.checkpoint.measured->persist = models::Constant{500.0};
  CHECK(interval_s(scenario) == 500.0);
}

TEST_CASE("a given interval is taken as it is, in steps or in time") {
  Scenario scenario = spot_scenario(3600.0);
  scenario.checkpoint.interval = scenarios::Span{true, 123.0};
  CHECK(plan_of(scenario).save.interval_steps == 123);
  scenario.checkpoint.interval = scenarios::Span{false, 1801.0};
  CHECK(plan_of(scenario).save.interval_steps == 901);
  scenario.checkpoint.interval = scenarios::Span{false, 0.1};
  CHECK(plan_of(scenario).save.interval_steps == 1);
}

TEST_CASE("an interval longer than the run warns that no checkpoint will be written") {
  Scenario scenario = spot_scenario(3600.0);
  scenario.checkpoint.interval = scenarios::Span{true, 1000.0};
  const sim::Plan plan = plan_of(scenario);
  CHECK(mentions(plan.facts.warnings, "no checkpoint will be written"));
  CHECK(mentions(plan.facts.warnings, "everything is at risk"));
  scenario.checkpoint.interval = scenarios::Span{true, 999.0};
  CHECK_FALSE(mentions(plan_of(scenario).facts.warnings, "no checkpoint will be written"));
}

TEST_CASE("saves take their time from the store: all nodes at their rate, or its limit, and a fixed part") {
  Scenario scenario = plain_scenario(4);
  scenario.checkpoint.measured.reset();
  scenario.checkpoint.size = models::Bytes{80e9};
  scenario.checkpoint.store.id = "store";
  scenario.checkpoint.store.node_rate = models::BytesPerSecond{2e9};
  scenario.checkpoint.store.fixed = models::Seconds{1.0};
  scenario.checkpoint.store.per_gb_month = models::Usd{0.023};
  scenario.checkpoint.store.per_1k_writes = models::Usd{0.005};
  sim::Plan plan = plan_of(scenario);
  CHECK(plan.facts.save_blocked_s == doctest::Approx(1.0 + 80.0 / 8.0));
  CHECK(plan.save.usd_per_byte_s == doctest::Approx(0.023 / 1e9 / (730.0 * 3600.0)));
  CHECK(plan.save.usd_per_save == doctest::Approx(0.005 / 1000.0 * 32));  // one file a rank
  scenario.checkpoint.store.aggregate = models::BytesPerSecond{4e9};
  CHECK(plan_of(scenario).facts.save_blocked_s == doctest::Approx(1.0 + 80.0 / 4.0));
  scenario.checkpoint.mode = Checkpoint::Mode::async;
  plan = plan_of(scenario);
  CHECK(plan.facts.save_persist_s == doctest::Approx(21.0));
  CHECK(plan.facts.save_blocked_s == doctest::Approx(80e9 / (8e9 * 32)));
}

TEST_CASE("no size, no measured time: saves that take nothing are warned of") {
  Scenario scenario = plain_scenario();
  scenario.checkpoint.measured.reset();
  CHECK(mentions(plan_of(scenario).facts.warnings, "the size of a checkpoint is unknown"));
  CHECK_FALSE(mentions(plan_of(plain_scenario()).facts.warnings, "the size of a checkpoint is unknown"));
}

TEST_CASE("a save that never fits into the notice is warned of, and one that outlasts its interval") {
  Scenario scenario = spot_scenario(3600.0);
  scenario.fleet[0].notice = models::Constant{9.0};
  CHECK(mentions(plan_of(scenario).facts.warnings, "a save on notice never fits"));
  scenario.fleet[0].notice = models::Constant{10.0};
  CHECK_FALSE(mentions(plan_of(scenario).facts.warnings, "a save on notice never fits"));
  scenario.checkpoint.mode = Checkpoint::Mode::async;
  scenario.checkpoint.measured->persist = models::Constant{500.0};
  scenario.checkpoint.interval = scenarios::Span{false, 400.0};
  CHECK(mentions(plan_of(scenario).facts.warnings, "the gang waits for it"));
}

TEST_CASE("without checkpoints a gang that can stop is warned of") {
  Scenario scenario = spot_scenario(3600.0);
  scenario.checkpoint.mode = Checkpoint::Mode::off;
  CHECK(mentions(plan_of(scenario).facts.warnings, "every stop starts from the beginning"));
  scenario.fleet[0].lifetime = models::Never{};
  CHECK_FALSE(mentions(plan_of(scenario).facts.warnings, "every stop starts from the beginning"));
}

TEST_CASE("rates per node, per GPU and of the fleet come to the same; causes at rate zero are none") {
  Scenario scenario = plain_scenario(4);
  scenarios::FailureCause per_node = failure_of("a", 8e-6), per_gpu = failure_of("b", 0.0),
                          fleet = failure_of("c", 0.0);
  per_gpu.rate_per_gpu = 1e-6;
  fleet.rate_of_fleet = 32e-6;
  scenarios::FailureCause software = failure_of("d", 8e-6, false), none = failure_of("e", 0.0);
  software.events = 3.0;
  scenario.failures = {per_node, per_gpu, fleet, software, none};
  const sim::Plan plan = plan_of(scenario);
  REQUIRE(plan.causes.size() == 4);
  for (int i = 0; i < 3; ++i) CHECK(plan.causes[i].node_rate == doctest::Approx(8e-6));
  CHECK(plan.causes[3].node_rate == 0.0);
  CHECK(plan.causes[3].gang_rate == doctest::Approx(32e-6));
  CHECK(plan.causes[3].gamma_shape == 3.5);
  CHECK(plan.facts.stops_per_hour == doctest::Approx(4 * 32e-6 * 3600.0));
}

TEST_CASE("causes are counted under the same index in all strategies, reclaims first") {
  scenarios::ScenarioFile file;
  file.strategies = {plain_scenario(), plain_scenario()};
  file.strategies[0].failures = {failure_of("hardware", 1e-6), failure_of("network", 1e-6)};
  file.strategies[1].failures = {failure_of("software", 1e-6, false), failure_of("network", 1e-6)};
  const auto plans = sim::make_plans(file, models::Catalog{});
  REQUIRE(plans.size() == 2);
  CHECK(plans[0].cause_names == std::vector<std::string>{"reclaim", "hardware", "network", "software"});
  CHECK(plans[1].cause_names == plans[0].cause_names);
  CHECK(plans[0].cause_index == std::vector<std::size_t>{1, 2});
  CHECK(plans[1].cause_index == std::vector<std::size_t>{3, 2});
}

TEST_CASE("pools without nodes are not part of the gang; lives of a bulk pool are slowed by its size") {
  Scenario scenario = spot_scenario(3600.0, 8);
  scenario.fleet[0].bulk = {0.5, scenarios::Bulk::Size::all};
  scenario.fleet.push_back(plain_pool(0));
  const sim::Plan plan = plan_of(scenario);
  REQUIRE(plan.pools.size() == 1);
  CHECK(plan.gpus == 64);
  CHECK(plan.facts.fleet_usd_per_hour == 80.0);
  CHECK(models::mean(plan.pools[0].lifetime) == doctest::Approx(3600.0 * 8 * (1.0 + 0.5 * 7)));
  CHECK(plan.facts.stops_per_hour == doctest::Approx(1.0 / 4.5));
  scenario.fleet[0].regimes = {{"a", models::Constant{3600.0}, models::Exponential{7200.0}, models::Constant{}, 8},
                               {"b", models::Constant{3600.0}, models::Never{}, models::Constant{}, 8}};
  const sim::Plan by_regimes = plan_of(scenario);
  CHECK(models::mean(by_regimes.pools[0].regimes[0].lifetime) == doctest::Approx(7200.0 * 4.5));
  CHECK(std::holds_alternative<models::Never>(by_regimes.pools[0].regimes[1].lifetime));
}

TEST_CASE("restart parts grow with ranks and nodes; defaults are noted, given ones are not") {
  Scenario scenario = spot_scenario(3600.0, 4);
  scenario.recovery.whole.reset();
  scenario.recovery.parts.setup = scenarios::PartTime{models::Constant{10.0}, 0.5, 2.0};
  scenario.recovery.parts.boot = scenarios::PartTime{models::Constant{3.0}, 0.0, 1.0};
  scenario.fleet[0].boot = models::Constant{99.0};
  scenario.fleet[0].image = models::Constant{20.0};
  const sim::Plan plan = plan_of(scenario);
  CHECK(plan.restart.set_up.offset_s == 0.5 * 32 + 2.0 * 4);
  CHECK(models::mean(plan.pools[0].boot) == 7.0);
  CHECK(models::mean(plan.pools[0].image) == 20.0);
  const auto noted = [&](const std::string& pointer) {
    return std::any_of(plan.facts.assumptions.begin(), plan.facts.assumptions.end(),
                       [&](const models::Assumption& assumption) { return assumption.pointer == pointer; });
  };
  CHECK_FALSE(noted("/recovery/restart/setup"));
  CHECK(noted("/recovery/restart/detect"));
  CHECK(noted("/recovery/restart/fill"));
}

TEST_CASE("the horizon is 20 undisturbed runs, at least 30 days, unless given; limits are passed on") {
  Scenario scenario = plain_scenario();
  CHECK(plan_of(scenario).horizon_s == 30 * 86'400.0);
  scenario.workload.amount.count = 1e6;
  const sim::Plan plan = plan_of(scenario);
  CHECK(plan.horizon_s == doctest::Approx(20.0 * plan.facts.undisturbed_s));
  CHECK(plan.facts.undisturbed_s == doctest::Approx(60.0 + 2e6 + 10.0 * 1e6 / 7200.0));
  scenario.limits.horizon = models::Seconds{5e6};
  scenario.limits.deadline = models::Seconds{3e6};
  scenario.limits.budget = models::Usd{1e4};
  sim::Plan limited = plan_of(scenario);
  CHECK(limited.horizon_s == 5e6);
  CHECK(limited.stop_time_s == std::numeric_limits<double>::infinity());
  scenario.limits.stop_at_deadline = scenario.limits.stop_at_budget = true;
  limited = plan_of(scenario);
  CHECK(limited.stop_time_s == 3e6);
  CHECK(limited.stop_usd == 1e4);
}

TEST_CASE("a run beyond the end of simulated time is cut off at the horizon") {
  Scenario scenario = plain_scenario();
  scenario.workload.amount.count = 1e15;  // 63 million years
  const sim::Plan plan = plan_of(scenario);
  CHECK(plan.horizon_s < 292.0 * 366 * 86'400.0);
  CHECK(sim::run_trial(plan, 1, 0).status == sim::Status::horizon);
}

TEST_CASE("nothing stops the gang: the expectation is the run itself, to the nanosecond") {
  const Scenario scenario = plain_scenario();
  const sim::Plan plan = plan_of(scenario);
  REQUIRE(plan.facts.expectation.time_s);
  const sim::Outcome outcome = sim::run_trial(plan, 1, 0);
  CHECK(outcome.time_s == doctest::Approx(*plan.facts.expectation.time_s).epsilon(1e-12));
  CHECK(outcome.cost_usd == doctest::Approx(*plan.facts.expectation.cost_usd).epsilon(1e-9));
  CHECK(plan.facts.hopeless.empty());
}

// n = 30,000 trials, alpha = 1e-5: 1 % is caught (cv 0.25). The segments are equal (1,000 steps in intervals of 50) and
// nodes are there at once, so the form is exact.
TEST_CASE("the expectation of an exponential plan is the mean of its trials") {
  Scenario scenario = spot_scenario(600.0, 4);
  scenario.checkpoint.interval = scenarios::Span{true, 50.0};
  const sim::Plan plan = plan_of(scenario);
  REQUIRE(plan.facts.expectation.time_s);
  const double expected = *plan.facts.expectation.time_s;
  CHECK(expected == doctest::Approx(600.0 * std::expm1(0.1) +
                                    20.0 * std::expm1(110.0 / 600.0) * (600.0 + 600.0 * std::expm1(0.1))));
  std::vector<double> times;
  for (std::uint32_t trial = 0; trial < 30'000; ++trial) times.push_back(sim::run_trial(plan, 8, trial).time_s);
  CHECK(std::abs(z_of_mean(times, expected)) < z_limit);
  CHECK(std::abs(z_of_mean(times, 1.01 * expected)) > z_limit);
  CHECK(std::abs(z_of_mean(times, 0.99 * expected)) > z_limit);
}

TEST_CASE("where no closed form exists the reason is given") {
  const auto why = [](const Scenario& scenario) {
    const sim::Plan plan = plan_of(scenario);
    CHECK_FALSE(plan.facts.expectation.time_s);
    return plan.facts.expectation.why;
  };
  Scenario scenario = spot_scenario(3600.0);
  scenario.fleet[0].lifetime = models::Weibull{3600.0, 0.6};
  CHECK(why(scenario) == "lifetimes in pool main are not exponential");
  scenario = spot_scenario(3600.0);
  scenario.fleet[0].notice = models::Constant{120.0};
  CHECK(why(scenario) == "saves on notice");
  scenario = spot_scenario(3600.0);
  scenario.checkpoint.mode = Checkpoint::Mode::async;
  CHECK(why(scenario).find("asynchronous") != std::string::npos);
  scenario = plain_scenario();
  scenario.failures = {failure_of("upgrade", 1e-6)};
  scenario.failures[0].kind = scenarios::FailureKind::planned;
  CHECK(why(scenario) == "planned stops");
  scenario.failures[0].kind = scenarios::FailureKind::silent;
  CHECK(why(scenario).find("silent errors") != std::string::npos);
  scenario.failures[0].kind = scenarios::FailureKind::crash;
  scenario.recovery.resume_failure = 0.1;
  CHECK(why(scenario).find("behind the newest save") != std::string::npos);
  scenario.recovery.resume_failure = 0.0;
  scenario.bad_nodes = {0.15, 5.0};
  CHECK(why(scenario).find("bad nodes") != std::string::npos);
  scenario.bad_nodes = {};
  CHECK(plan_of(scenario).facts.expectation.time_s);
  scenario.failures[0].takes_fleet = scenario.failures[0].repair_given = true;
  scenario.failures[0].returns = 0.5;
  CHECK(why(scenario).find("not all nodes come back") != std::string::npos);
}

TEST_CASE("a gang that lives far shorter than its start-up is hopeless, and told what would help") {
  Scenario scenario = spot_scenario(10.0, 60);  // a node lives 600 s, the restart takes 720
  scenario.recovery.whole = models::Constant{720.0};
  const sim::Plan plan = plan_of(scenario);
  CHECK(plan.facts.hopeless.find("no progress is possible") != std::string::npos);
  CHECK(plan.facts.hopeless.find("a stop every 10 s, sooner than a restart of 12 min ends") != std::string::npos);
  CHECK(plan.facts.hopeless.find("a shorter restart") != std::string::npos);
}

TEST_CASE("a mean life of 600 s and a restart of 720 s: the expected time decides, and the simulation agrees") {
  Scenario scenario = spot_scenario(600.0, 1);
  scenario.recovery.whole = models::Constant{720.0};
  scenario.workload.amount = {scenarios::Amount::Kind::work, 0.0, models::Seconds{200 * 3600.0}};
  scenario.limits.horizon = models::Seconds{30 * 86'400.0};
  const sim::Plan tight = plan_of(scenario);
  CHECK(tight.facts.hopeless.find("sooner than a restart of 12 min ends") != std::string::npos);
  CHECK(tight.facts.hopeless.find("beyond the horizon of 30 d") != std::string::npos);
  CHECK(sim::run_trial(tight, 1, 0).status == sim::Status::horizon);
  scenario.limits.horizon.reset();  // 200 days
  const sim::Plan wide = plan_of(scenario);
  CHECK(wide.facts.hopeless.empty());
  const sim::Outcome outcome = sim::run_trial(wide, 1, 0);
  CHECK(outcome.status == sim::Status::finished);
  CHECK(outcome.time_s == doctest::Approx(*wide.facts.expectation.time_s).epsilon(0.2));  // some 3,000 stops
}

TEST_CASE("200 h of work, a stop an hour and no checkpoints: hopeless, and checkpoints would help") {
  Scenario scenario = spot_scenario(3600.0);
  scenario.checkpoint.mode = Checkpoint::Mode::off;
  scenario.workload.amount = {scenarios::Amount::Kind::work, 0.0, models::Seconds{200 * 3600.0}};
  const sim::Plan plan = plan_of(scenario);
  CHECK(plan.facts.hopeless.find("a stop every 1 h") != std::string::npos);
  CHECK(plan.facts.hopeless.find("What would help: checkpoints") != std::string::npos);
  scenario.checkpoint.mode = Checkpoint::Mode::sync;
  CHECK(plan_of(scenario).facts.hopeless.empty());
}

}  // namespace fleetcast::tests
