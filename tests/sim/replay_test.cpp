// Pools that replay recorded capacity and prices, to the nanosecond and in sums, in all grains.
#include <algorithm>
#include <array>
#include <cmath>

#include "models/errors.hpp"
#include "sim/observer.hpp"
#include "tests/sim/plain_scenario.hpp"
#include "tests/sim/story.hpp"

namespace fleetcast::tests {
namespace {

using models::Recording;
using sim::RecordedCourse;
using AtEnd = RecordedCourse::AtEnd;

std::shared_ptr<const RecordedCourse> course(std::vector<models::RecordedChange> changes, double length_s,
                                             std::optional<double> window_s = 0.0, AtEnd at_end = AtEnd::repeat) {
  return std::make_shared<RecordedCourse>(Recording{"by hand", std::move(changes), length_s, {}, 9}, window_s, 9,
                                          at_end);
}

/// Four nodes; room for two only from 50 s to 70 s.
Plan replayed_plan() {
  Plan plan = steady_plan(1, 4);
  plan.pools[0].wait = Constant{0.0};
  plan.pools[0].capacity = course({{0.0, 4.0}, {50.0, 2.0}, {70.0, 4.0}}, 1000.0);
  return plan;
}

/// Steps for ever on 4 nodes of a random recording with its own windows; nothing but recorded capacity takes time.
Plan endless_plan(double horizon_s) {
  Plan plan = steady_plan(1, 4);
  plan.pools[0].boot = plan.pools[0].image = Constant{0.0};
  plan.restart = {};
  plan.save.mode = Checkpoint::Mode::off;
  plan.save.interval_steps = 0;
  plan.steps = 1'000'000'000;
  plan.horizon_s = horizon_s;
  std::vector<models::RecordedChange> changes;
  double at = 0.0;
  for (std::uint32_t i = 0; i < 60; ++i) {
    models::Stream bits{{3, 0, models::Purpose::test, 1, i}};
    const double value = std::floor(5.0 * models::unit_uniform(bits));
    if (changes.empty() || changes.back().value != value) changes.push_back({at, value});
    at += 1.0 + std::floor(20.0 * models::unit_uniform(bits));
  }
  plan.pools[0].wait = Constant{0.0};
  plan.pools[0].capacity = course(std::move(changes), at, std::nullopt);
  return plan;
}

constexpr Grain all_grains[] = {Grain::span, Grain::step, Grain::node};

}  // namespace

TEST_CASE("a fall takes what has no room, and a rise brings it back at once") {
  // Boot at 0, steps from 13, saved at 38. 50: two go, 12 s of four GPUs are lost. 58 decision; 70 room; 86 steps
  // again.
  const Outcome outcome = Story{replayed_plan()}.play();
  CHECK(outcome.time_s == 86 + 80 + 4 * 5);
  CHECK(outcome.stops == 1);
  CHECK(booked(outcome, Account::lost_work) == 12 * 4);
  CHECK(outcome.held_gpu_s == 4 * 50 + 2 * 20 + 4 * (186 - 70));
}

TEST_CASE("a notice before a fall saves the work; what is announced keeps its place until the fall") {
  Plan plan = replayed_plan();
  plan.pools[0].notice = Constant{15.0};
  // 35: the save of 33 is under way; 38 durable, the gang stops, two nodes idle until 50; no room before 70.
  const Outcome outcome = Story{plan}.play();
  CHECK(outcome.time_s == 186);
  CHECK(outcome.stops == 1);
  CHECK(booked(outcome, Account::lost_work) == 0);
  CHECK(outcome.held_gpu_s == 4 * 50 + 2 * 20 + 4 * (186 - 70));
}

TEST_CASE("a node that fails finds its place again while nobody else has it") {
  Plan plan = replayed_plan();
  plan.pools[0].wait = Constant{0.0};
  plan.pools[0].capacity = course({{0.0, 4.0}}, 1000.0);
  sim::CausePlan& cause = add_cause(plan, "hardware");
  cause.node_rate = 1.0;
  cause.repair = Constant{20.0};
  Story story{plan};
  story.fail(1, 40.0 + steady_boot_s);  // lives are reckoned from the boot at 4 s; here it is at 0
  // 40 stop, two steps lost; 48 request; 68 repaired, 71 ready, 84 steps again.
  const Outcome outcome = story.play();
  CHECK(outcome.time_s == 84 + 80 + 4 * 5);
  CHECK(booked(outcome, Account::lost_work) == 2 * 4);
}

TEST_CASE("over one whole pass of the recording the held time is its integral, wherever a trial starts") {
  const double length = endless_plan(1.0).pools[0].capacity->recording().length_s;
  Plan plan = endless_plan(length);
  const Recording& recording = plan.pools[0].capacity->recording();
  const double whole = models::share_at_least(recording, 4.0);
  CHECK(whole > 0.1);
  for (const Grain grain : all_grains) {
    plan.grain = grain;
    for (std::uint32_t trial = 0; trial < 200; ++trial) {
      const Outcome outcome = run_trial(plan, 1, trial);
      CHECK(outcome.status == Status::horizon);
      CHECK(outcome.held_gpu_s == doctest::Approx(models::mean_value(recording) * length).epsilon(1e-9));
      // The gang steps exactly while the recording has room for all of it; without saves all of that is lost.
      CHECK(booked(outcome, Account::lost_work) == doctest::Approx(4.0 * whole * length).epsilon(1e-9));
    }
  }
}

TEST_CASE("negative control: independent lives of the same mean do not step while the recording has room") {
  const double length = endless_plan(1.0).pools[0].capacity->recording().length_s;
  Plan plan = endless_plan(length);
  const double whole = models::share_at_least(plan.pools[0].capacity->recording(), 4.0);
  plan.pools[0].capacity.reset();
  plan.pools[0].lifetime = Exponential{30.0};
  int equal = 0;
  for (std::uint32_t trial = 0; trial < 200; ++trial) {
    const double stepped = booked(run_trial(plan, 1, trial), Account::lost_work);
    equal += std::abs(stepped - 4.0 * whole * length) < 1e-6 ? 1 : 0;
  }
  CHECK(equal == 0);
}

TEST_CASE("a recording that stops ends the trial; one that holds goes on") {
  Plan plan = replayed_plan();
  plan.pools[0].wait = Constant{0.0};
  plan.pools[0].capacity = course({{0.0, 4.0}}, 100.0, 0.0, AtEnd::stop);
  const Outcome stopped = Story{plan}.play();
  CHECK(stopped.status == Status::recording);
  CHECK(stopped.time_s == 100.0);
  plan.pools[0].wait = Constant{0.0};
  plan.pools[0].capacity = course({{0.0, 4.0}}, 100.0, 0.0, AtEnd::hold);
  CHECK(Story{plan}.play().status == Status::finished);
}

TEST_CASE("a recorded price is integrated over each life") {
  Plan plan = steady_plan(1, 2);
  plan.pools[0].price = course({{0.0, 3600.0}, {50.0, 7200.0}}, 100.0, 0.0);
  // Held from 4 to 142: 46 s at 1 USD/s, 50 at 2, 42 at 1 of the next pass, for two nodes.
  const Outcome outcome = Story{plan}.play();
  CHECK(outcome.held_usd == doctest::Approx(2.0 * (46 + 2 * 50 + 42)).epsilon(1e-9));
}

TEST_CASE("who is watching hears of a recorded price where it changes, and of what all has cost by then") {
  struct Listener final : sim::Observer {
    void money(sim::Time when, double usd_per_second, double usd) override {
      heard.push_back({when.seconds(), usd_per_second, usd});
    }
    std::vector<std::array<double, 3>> heard;
  } listener;
  Plan plan = steady_plan(1, 2);
  plan.pools[0].price = course({{0.0, 3600.0}, {50.0, 7200.0}}, 100.0, 0.0);
  run_trial(plan, 1, 0, listener);
  const auto at = [&](double when) {
    const auto found =
        std::find_if(listener.heard.begin(), listener.heard.end(), [&](const auto& money) { return money[0] == when; });
    REQUIRE(found != listener.heard.end());
    return *found;
  };
  // Two nodes from 4 s on: 92 USD by 50 s, then 4 USD a second until 100, then 2.
  CHECK(at(50.0)[1] == doctest::Approx(4.0));
  CHECK(at(50.0)[2] == doctest::Approx(92.0));
  CHECK(at(100.0)[1] == doctest::Approx(2.0));
  CHECK(at(100.0)[2] == doctest::Approx(292.0));
  CHECK(std::is_sorted(listener.heard.begin(), listener.heard.end(),
                       [](const auto& a, const auto& b) { return a[0] < b[0]; }));
}

TEST_CASE("a budget is met to the cent under a price that changes") {
  Plan plan = steady_plan(1, 2);
  plan.pools[0].price = course({{0.0, 3600.0}, {50.0, 7200.0}}, 100.0, 0.0);
  plan.pools[0].billing = {models::Seconds{1e-9}, models::Seconds{0.0}, true, false};
  plan.stop_usd = 150.0;
  // 92 USD at 50 s, then 4 USD a second.
  const Outcome outcome = Story{plan}.play();
  CHECK(outcome.status == Status::budget);
  CHECK(outcome.time_s == doctest::Approx(50.0 + 58.0 / 4.0).epsilon(1e-9));
  CHECK(outcome.held_usd == doctest::Approx(150.0).epsilon(1e-9));
}

namespace {

std::shared_ptr<const Recording> dated(std::vector<models::RecordedChange> changes, double length_s,
                                       double start_utc_s) {
  return std::make_shared<Recording>(Recording{"dated", std::move(changes), length_s, start_utc_s, 5});
}

scenarios::Scenario replayed_scenario(std::shared_ptr<const Recording> capacity) {
  scenarios::Scenario scenario = plain_scenario();
  scenario.fleet[0].market = scenarios::Market::spot;
  scenario.fleet[0].replay = scenarios::Replay{std::move(capacity), {}, AtEnd::repeat};
  return scenario;
}

}  // namespace

TEST_CASE("recordings with dates start at one moment, in all strategies, within the time that they share") {
  const auto early = dated({{0.0, 2.0}}, 1000.0, 5000.0), late = dated({{0.0, 2.0}}, 1000.0, 5400.0);
  scenarios::ScenarioFile file;
  file.strategies = {replayed_scenario(early), replayed_scenario(late)};
  file.strategies[1].strategy = "late";
  const std::vector<Plan> plans = sim::make_plans(file, models::Catalog{});
  for (const Plan& plan : plans) {
    CHECK(plan.pools[0].capacity->recording().start_utc_s == 5400.0);
    CHECK(plan.pools[0].capacity->recording().length_s == 600.0);
  }
  const sim::Draws draws{1, 3};
  CHECK(plans[0].pools[0].capacity->window(draws) == plans[1].pools[0].capacity->window(draws));
  // One alone keeps all of its time, unless it is told what the others share.
  CHECK(plan_of(file.strategies[0]).pools[0].capacity->recording().length_s == 1000.0);
  const Plan told = sim::make_plan(file.strategies[0], {}, models::Catalog{}, plans[0].calendar);
  CHECK(told.pools[0].capacity->recording().length_s == 600.0);
}

TEST_CASE("recordings without a time in common are replayed each for itself, and that is said") {
  scenarios::ScenarioFile file;
  file.strategies = {replayed_scenario(dated({{0.0, 2.0}}, 100.0, 5000.0)),
                     replayed_scenario(dated({{0.0, 2.0}}, 100.0, 9000.0))};
  const std::vector<Plan> plans = sim::make_plans(file, models::Catalog{});
  CHECK(mentions(plans[0].facts.warnings, "no time in common"));
  CHECK(plans[0].pools[0].capacity->recording().length_s == 100.0);
}

TEST_CASE("prices start at the date at which a given window of the capacity starts") {
  scenarios::Scenario scenario = replayed_scenario(dated({{0.0, 2.0}}, 1000.0, 5000.0));
  scenario.fleet[0].replay->window = models::Seconds{300.0};
  scenario.fleet[0].recorded_price = dated({{0.0, 1.0}, {50.0, 2.0}}, 400.0, 5200.0);
  const sim::Draws draws{1, 0};
  CHECK(plan_of(scenario).pools[0].price->window(draws) == sim::Duration::from_seconds(100.0));
  scenario.fleet[0].replay->window = models::Seconds{700.0};
  CHECK_THROWS_AS(plan_of(scenario), models::InputError);
}

TEST_CASE("more single steps than a trial can number are refused, in the span grain they are not") {
  scenarios::Scenario scenario = plain_scenario();
  scenario.workload.amount.count = 4e7;
  scenarios::MonteCarlo montecarlo;
  CHECK_NOTHROW(plan_of(scenario, montecarlo));
  montecarlo.grain = Grain::step;
  CHECK_THROWS_AS(plan_of(scenario, montecarlo), models::InputError);
}

}  // namespace fleetcast::tests
