// Stories about failures: how often, who notices, and who reacts.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <tuple>

#include "models/units.hpp"
#include "tests/gallery/answer.hpp"

namespace fleetcast::tests {
namespace {

using sim::Account;

/// Hours of the gang in an account, per stop.
double hours_per_stop(const Answer& run, const std::string& strategy, Account account) {
  return run.gang_hours(strategy, account) / run.stops(strategy);
}

double extra_hours(const Answer& run, const std::string& of, const std::string& to) {
  return (*run.of(of).time_s.mean - *run.of(to).time_s.mean) / 3600;
}

}  // namespace

TEST_CASE("the same system is up 98.81 % of the time with automatic restart, 77.83 % by hand") {
  const Answer run = answer("automatic-or-manual");
  // 240 stops a trial. Down times: 0.1204 h each, or 0.1204 h more than a mix with mean 2.728 h and sd 2.729 h.
  const double n = run.all_stops("base");
  const auto error = [&](double up, double down_h, double sd_h) {
    return up * (1 - up) * std::sqrt((1 + sd_h * sd_h / (down_h * down_h)) / n);  // relative error of the sum of downs
  };
  CHECK(std::abs(*run.of("base").goodput - 0.9881) < rare * error(0.9881, 0.1204, 0) + 0.00005);
  CHECK(std::abs(*run.of("by hand").goodput - 0.7783) < rare * error(0.7783, 2.849, 2.729) + 0.00005);
  // To notice and to react are separate inputs, and both are in the account of detection.
  CHECK(hours_per_stop(run, "base", Account::detection) == near(2.0 / 60, 1e-6));
  CHECK(hours_per_stop(run, "by hand", Account::detection) > 2.5);
  CHECK(run.stops("base") == run.stops("by hand"));  // the same luck
}

TEST_CASE("OPT-175B: 33 days of work in 56 to 57, and 30,000 GPU-hours for walking through the data again") {
  const Answer run = answer("opt-175b-restarts");
  // Detection and reaction were chosen so that 3.1 h are left between interruptions every 7.5 h: what is tested is
  // that rate, re-done work and restart parts add up to the published uptime and wall time.
  CHECK(std::abs(*run.of("base").goodput - 0.59) < 0.01);
  CHECK(*run.of("base").time_s.mean / models::seconds_per_day == near(56.5, 0.03));
  CHECK(*run.of("base").time_s.mean / 3600 / run.stops("base") == near(7.5, 0.02));
  // About 90 restarts x 20 min = 30 h, x about 1,000 GPUs = 30,000 GPU-hours. The same stops strike both.
  const std::string slow = "90 restarts", fast = "90 restarts, skip cached";
  CHECK(run.stops(slow) == run.stops(fast));
  CHECK(run.stops(slow) == near(90, 0.03));
  CHECK(extra_hours(run, slow, fast) == near(run.stops(slow) * (20 * 60 - 14) / 3600, 1e-6));
  CHECK(extra_hours(run, slow, fast) == near(30, 0.04));
  CHECK(extra_hours(run, slow, fast) * 1024 == near(30'000, 0.05));
}

TEST_CASE("half an hour until a lost worker is noticed costs 512 GPU-hours on 1,024 GPUs") {
  const Answer run = answer("detection-time");
  CHECK(hours_per_stop(run, "base", Account::detection) * 1024 == near(512, 1e-9));
  CHECK(hours_per_stop(run, "60 s", Account::detection) * 1024 == near(1024.0 / 60, 1e-9));
  CHECK(run.stops("base") == run.stops("60 s"));
}

TEST_CASE("failure rates that differ by six change the answer whether a person on call will do") {
  const Answer run = answer("failure-rate-range");
  const auto check = [&](const char* name, double hours) {
    CAPTURE(name);
    CHECK(run.running_hours_per_stop(name) == near(hours, rare / std::sqrt(run.all_stops(name))));
  };
  check("base", 49.5);
  check("high", 7.9);
  check("16,384 GPUs, high rate per GPU", 7.9 / 16);
  check("16,384 GPUs, as quoted", 1.8);
  // The hour that a person takes: 2 % of the time at the low rate, 11 % at the high one.
  for (const auto& [person, automatic, lost] :
       {std::tuple{"low, a person", "base", 0.02}, std::tuple{"high, a person", "high", 0.11}}) {
    CHECK(extra_hours(run, person, automatic) == near(run.stops(automatic), 1e-6));
    CHECK(std::abs(extra_hours(run, person, automatic) / (*run.of(person).time_s.mean / 3600) - lost) < 0.005);
  }
  // The interval follows the rate: sqrt(6.27) = 2.5.
  CHECK(run.plan("base").facts.interval_s / run.plan("high").facts.interval_s == near(2.5, 0.02));
}

}  // namespace fleetcast::tests
