// Stories about machines that are taken away.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "models/market.hpp"
#include "tests/gallery/answer.hpp"

namespace fleetcast::tests {
namespace {

using sim::Account;

/// Lost work per stop, hours of the gang.
double lost_h(const Answer& run, const std::string& strategy) {
  return run.gang_hours(strategy, Account::lost_work) / run.stops(strategy);
}

/// Time since the last save was done, on average, when stops of rate `a` an hour strike a cycle of `t` hours.
double mean_since_save_h(double a, double t) {
  return 1 / a - t / std::expm1(a * t);
}

}  // namespace

TEST_CASE("a save on notice works if it fits into the notice that is really left") {
  const Answer run = answer("save-on-notice");
  const double a = 4.0 / 48, stops = run.all_stops("notice unused");
  // A uniform loss has sd / mean = 1 / sqrt(3).
  const double unsaved = mean_since_save_h(a, 3700.0 / 3600);
  CHECK(lost_h(run, "notice unused") == near(unsaved, rare / std::sqrt(3 * stops)));
  // Share of the reclaims that were saved in time, from what was lost.
  const auto saved = [&](const char* name, double without_h) { return 1 - lost_h(run, name) / without_h; };
  CHECK(saved("base", unsaved) > 0.999);            // 100 s fit 120 s
  CHECK(saved("108 s are left", unsaved) > 0.999);  // and 108 s, with a step of 3.6 s to end first
  // Too short, but for a regular save that ends within the notice: 30 s of 3700 at most.
  CHECK(lost_h(run, "13 s are left") == near(lost_h(run, "notice unused"), 0.001));
  CHECK(lost_h(run, "30 s") == near(lost_h(run, "notice unused"), 0.001));
  CHECK(run.warns("30 s", "a save on notice never fits"));
  // Seven in ten. Variance of the loss in units of the full one: 0.3 x 4/3 - 0.09 = 0.31.
  CHECK(std::abs(saved("3 in 10 without notice", unsaved) - 0.7) < rare * std::sqrt(0.31 / stops));
  // 25 s of a notice of 20 to 28 s, after a wait b of 0 to 3.6 s for the end of a step: E[(3 - b)+] / 8 = 0.156.
  // Variance of the loss: 0.844 x 4/3 - 0.844^2 = 0.41. Regular saves are shorter too: 25 s.
  const double smaller = mean_since_save_h(a, 3625.0 / 3600), expected = 9.0 / 2 / 3.6 / 8;
  CHECK(std::abs(saved("20 to 28 s, 25 GB a node", smaller) - expected) < rare * std::sqrt(0.41 / stops));
  CHECK(saved("20 to 28 s, 25 GB a node", smaller) > rare * std::sqrt(0.41 / stops));  // negative control: not 0
}

TEST_CASE("a discount of 53 % without notice pays unless a gang lives less than 35 min") {
  const Answer run = answer("no-notice-discount");
  // Restart r and interval t survive together at loss rate a or begin again (all of it is paid): the first of 100
  // intervals takes (exp(a (r + t)) - 1) / a, the others (1 - exp(-a t)) exp(a (r + t)) / a.
  const double r = 1.0 / 6, t = 0.5;
  const auto later_h = [&](double a) { return -std::expm1(-a * t) * std::exp(a * (r + t)) / a; };
  const auto check = [&](const char* name, double life_h) {
    CAPTURE(name);
    const double a = 1 / life_h, expected = 0.232 * (std::expm1(a * (r + t)) / a + 99 * later_h(a));
    CHECK(std::abs(run.machines_usd(name) - expected) < rare * standard_error(run.of(name).cost_usd));
  };
  check("lives of 8 h", 8);
  check("lives of 45 min", 0.75);
  check("lives of 28 min", 28.0 / 60);
  const double on_demand = run.machines_usd("base");
  CHECK(on_demand == near(0.491 * (50 + r), 1e-9));
  CHECK(run.machines_usd("lives of 8 h") < 0.53 * on_demand);
  CHECK(run.machines_usd("lives of 45 min") < on_demand);
  CHECK(run.machines_usd("lives of 28 min") > on_demand);
  // Where the prices of half an hour of work meet.
  CHECK(0.232 * later_h(60 / 36.0) < 0.491 * t);
  CHECK(0.232 * later_h(60 / 34.0) > 0.491 * t);
}

TEST_CASE("where lives are short after a reclaim, leaving pays though the way is long") {
  const Answer run = answer("stay-or-leave");
  const double stay = *run.of("base").time_s.mean, leave = *run.of("leave at once").time_s.mean;
  const double blind = *run.of("stay, as if nothing were known").time_s.mean;
  CHECK(leave < stay);
  // without that memory staying looks best: the negative control
  CHECK(blind < leave);
  CHECK(run.stops("base") > 3 * run.stops("leave at once"));
}

TEST_CASE("reclaims strike in every phase of a start, and that time is paid") {
  const Answer run = answer("reclaimed-in-start-up");
  double during = 0, trials = 0;
  for (const sim::Outcome& outcome : run.trials("base")) {
    during += outcome.losses_during_restart;
    trials += 1;
  }
  // Two clocks of 1.5 h each: the first start of 25 min alone is hit exp(-) times: 1 - exp(-2 x 25 / 90) = 43 %, and
  // every restart again.
  CHECK(during / trials > 0.43);
  CHECK(run.of("base").finished == run.of("base").replicates);
  CHECK(run.gpu_hours("base", Account::start_up) > 3 * run.gpu_hours("5 min to start", Account::start_up));
  const double paid = run.machines_usd("base") / 1.5;  // 12 USD for 8 GPUs
  double booked = 0;
  for (std::size_t i = 0; i < sim::account_count; ++i) booked += run.gpu_hours("base", static_cast<Account>(i));
  CHECK(paid == near(booked, 1e-6));
}

TEST_CASE("a notice that is often below ten seconds saves few stops, and a brake makes bulk reclaims longer") {
  const Answer run = answer("notice-in-bulk");
  // 64 GB from eight nodes at 1 GB/s take 8 s, after 0 to 1 s for the end of a step. In time: of 2 to 10 s what is
  // above 8 to 9 s (E = 1.5 / 8), and all of 10 to 30 s.
  const double in_time = 0.5 * 1.5 / 8 + 0.3;
  const double unsaved = lost_h(run, "notice unused"), stops = run.all_stops("notice unused");
  const double saved = 1 - lost_h(run, "base") / unsaved;
  CHECK(std::abs(saved - in_time) < rare * std::sqrt(2.0 / stops));
  CHECK(1 - lost_h(run, "30 s as on paper") / unsaved > 0.99);
  // The brake: a bulk takes all eight, and then five minutes pass; one node at a time it does not feel.
  const double bulks = run.stops("a brake of 5 min above 20 %") / 2;
  const double longer_h = (*run.of("a brake of 5 min above 20 %").time_s.mean - *run.of("base").time_s.mean) / 3600;
  CHECK(longer_h == near(bulks * 5 / 60, 0.25));
}

TEST_CASE("what is left of a notice decides whether a save fits") {
  const Answer run = answer("usable-notice");
  // 240 GB from four nodes take 60 s; a step of 1 s ends first. 120 s less 0 to 12 s: always; with a supervisor that
  // keeps 95 s never; 30 s never; 30 s with 120 s early always.
  const double unsaved = mean_since_save_h(4.0 / 48, 3660.0 / 3600), stops = run.all_stops("30 s, seen late");
  const double error = rare / std::sqrt(3 * stops);
  CHECK(lost_h(run, "base") < 0.01 * unsaved);
  CHECK(lost_h(run, "a supervisor that ends it after 13 s") == near(unsaved, error));
  CHECK(lost_h(run, "30 s, seen late") == near(unsaved, error));
  CHECK(lost_h(run, "30 s and 120 s early, asked for") < 0.01 * unsaved);
  const double missed = lost_h(run, "one in ten without") / unsaved;
  CHECK(std::abs(missed - 0.1) < rare * std::sqrt(0.13 / stops));
  CHECK(run.warns("30 s, seen late", "a save on notice never fits"));
}

// The recording itself: p5 43.7, p50 53.7, p95 85.8 h over its 17.8 d, mean 58.06 (a loop of its own over every
// minute).
TEST_CASE("a market calibrated on four kept V100 forecasts what its recording gives, independent nodes do not") {
  const Answer run = answer("market-us-west-2c");
  const auto hours = [&](const char* name) { return run.of(name).time_s; };
  const double mean_recorded_h = 58.06;
  for (const char* name : {"base", "availability alone"}) {
    CAPTURE(name);
    CHECK(*hours(name).p5 < 43.7 * 3600 * 1.1);
    CHECK(*hours(name).p95 > 85.8 * 3600);
    CHECK(*hours(name).p50 > 0.75 * 53.7 * 3600);
    CHECK(*hours(name).p50 < 1.35 * 53.7 * 3600);
  }
  // Nine in ten independent runs take more than the recording's mean by far: the negative control.
  CHECK(*hours("independent nodes").p5 > 1.5 * mean_recorded_h * 3600);
  CHECK(run.machines_usd("independent nodes") > 2 * run.machines_usd("base"));
  // Who knows less is told a wider range.
  const auto width = [&](const char* name) { return *hours(name).p95 / *hours(name).p5; };
  CHECK(width("base") < width("availability alone"));
  CHECK(width("availability alone") < width("nothing known"));
}

TEST_CASE("where capacity is all or nothing, half the nodes are hardly there more often") {
  const Answer run = answer("market-sixteen-nodes");
  const models::LayeredMarket& all = *run.plan("base").pools[0].market;
  const models::LayeredMarket& half = *run.plan("8 nodes do").pools[0].market;
  CHECK(models::share_at_least(half, 8) - models::share_at_least(all, 16) < 0.03);
  // 40 h on eight of them take nearly twice as long as 20 h on sixteen.
  CHECK(*run.of("8 nodes do").time_s.p50 > 1.5 * *run.of("base").time_s.p50);
  CHECK(models::share_at_least(all, 16) > 0.3);
}

TEST_CASE("work left is not wall time where capacity is short, and looking more often does not help") {
  const Answer run = answer("arms-that-queue");
  const auto hours = [&](const char* name) { return *run.of(name).time_s.p50 / 3600; };
  CHECK(hours("base") > 5 * 3.9);
  CHECK(hours("nobody has to look") > 5 * 3.9);
  CHECK(hours("capacity as it should be") < 1.2 * 3.9);
  CHECK(*run.of("nobody has to look").time_s.p50 == near(*run.of("base").time_s.p50, 0.15));
}

}  // namespace fleetcast::tests
