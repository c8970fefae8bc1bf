// From scenario to plan: what hangs, silent errors, the coordinator and repairs do to rates, expectation and warnings.
#include <doctest/doctest.h>

#include <cmath>

#include "sim/plan_parts.hpp"
#include "sim/trial.hpp"
#include "tests/sim/plain_scenario.hpp"
#include "tests/support/statistics.hpp"

namespace fleetcast::tests {

using scenarios::Scenario;

TEST_CASE("a hang or a silent error counts as a stop for the interval; the coordinator is one node") {
  using scenarios::FailureKind;
  const auto rates = [](FailureKind kind, bool needs_node) {
    Scenario scenario = plain_scenario(8);
    scenario.failures = {failure_of("fault", 1e-5, needs_node)};
    scenario.failures[0].kind = kind;
    return sim::stop_rates(plan_of(scenario));
  };
  for (const FailureKind kind : {FailureKind::crash, FailureKind::hang, FailureKind::silent}) {
    CHECK(std::abs(rates(kind, true).unplanned() / 8e-5 - 1.0) < 1e-12);
    CHECK(std::abs(rates(kind, false).unplanned() / 8e-5 - 1.0) < 1e-12);
  }
  CHECK(std::abs(rates(FailureKind::coordinator, true).unplanned() / 1e-5 - 1.0) < 1e-12);
  CHECK(std::abs(rates(FailureKind::coordinator, false).unplanned() / 1e-5 - 1.0) < 1e-12);
}

TEST_CASE("the expectation counts the watchdog, also where the restart is one value") {
  Scenario scenario = plain_scenario();
  scenario.failures = {failure_of("hang", 1e-4, false)};
  scenario.failures[0].kind = scenarios::FailureKind::hang;
  scenario.failures[0].detect = scenarios::PartTime{models::Constant{600.0}, 0.0, 0.0};
  const sim::Plan plan = plan_of(scenario);
  CHECK(plan.facts.restart_s == 660.0);
  std::vector<double> times;
  for (std::uint32_t trial = 0; trial < 10'000; ++trial) times.push_back(sim::run_trial(plan, 8, trial).time_s);
  CHECK(std::abs(z_of_mean(times, *plan.facts.expectation.time_s)) < z_limit);
  CHECK(std::abs(z_of_mean(times, 1.05 * *plan.facts.expectation.time_s)) > z_limit);
}

// n = 10,000 trials of some 20 stops: 3 % of a restart is caught.
TEST_CASE("the expectation waits for nodes only where they are lost, and for repairs where there are any") {
  const auto check = [](bool needs_node, std::optional<double> repair_s, double control_s) {
    Scenario scenario = plain_scenario();
    scenario.fleet[0].wait = models::Constant{needs_node ? 20.0 : 500.0};
    scenario.failures = {failure_of("fault", 2e-4, needs_node)};
    if (repair_s) scenario.failures[0].repair = models::Constant{*repair_s};
    scenario.failures[0].repair_given = repair_s.has_value();
    scenario.checkpoint.interval = scenarios::Span{true, 50.0};
    const sim::Plan plan = plan_of(scenario);
    std::vector<double> times;
    double stops = 0.0;
    for (std::uint32_t trial = 0; trial < 10'000; ++trial) {
      const sim::Outcome outcome = sim::run_trial(plan, 8, trial);
      times.push_back(outcome.time_s);
      stops += outcome.stops / 10'000.0;
    }
    const double expected = *plan.facts.expectation.time_s;
    CHECK(std::abs(z_of_mean(times, expected)) < z_limit);
    CHECK(std::abs(z_of_mean(times, expected + control_s * stops)) > z_limit);
  };
  check(false, {}, 500.0);      // no wait for a node that is still there
  check(false, 300.0, -300.0);  // the repair before the restart
  check(true, {}, 30.0);
}

TEST_CASE("saves that do not reach back as far as an error is old are warned of") {
  Scenario scenario = plain_scenario();
  scenario.checkpoint.interval = scenarios::Span{true, 100.0};
  scenario.failures = {failure_of("bits", 1e-6)};
  scenario.failures[0].kind = scenarios::FailureKind::silent;
  scenario.failures[0].detect = scenarios::PartTime{models::Constant{700.0}, 0.0, 0.0};
  CHECK(mentions(plan_of(scenario).facts.warnings, "begins again from zero"));
  scenario.checkpoint.keep = 4;
  CHECK_FALSE(mentions(plan_of(scenario).facts.warnings, "begins again from zero"));
}

}  // namespace fleetcast::tests
