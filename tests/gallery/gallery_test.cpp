// The scenarios of the gallery tell real stories; here are their right answers.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "models/units.hpp"
#include "scenarios/catalog_reader.hpp"
#include "scenarios/reader.hpp"
#include "tests/gallery/answer.hpp"

namespace fleetcast::tests {

TEST_CASE("every scenario of the gallery is accepted") {
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator{std::string{FLEETCAST_SOURCE_DIR} + "/scenarios/gallery"}) {
    if (entry.path().extension() != ".json" || entry.path().parent_path().filename() == "markets") continue;
    CAPTURE(entry.path().string());
    CHECK_NOTHROW(scenarios::read_scenario_file(entry.path().string(), scenarios::built_in_catalog(), {}));
  }
}

TEST_CASE("3B on 32 A100 for 18 days costs 42,301 USD on demand and 16,865 USD on spot") {
  const Answer run = answer("spot-3b-a100");
  // Machines only: the store's write requests add three cents.
  const auto machines = [&](const char* name) { return run.machines_usd(name); };
  CHECK(machines("base") == near(32 * 432 * 3.06, 1e-9));
  CHECK(machines("spot") == near(32 * 432 * 1.22, 1e-9));
  // Stops at rate r = 2 / 432 h thrown back to saves every 2 h: 432 / 2 (exp(2 r) - 1) / r h of stepping instead of
  // 432, and 1 h for each stop. The number of stops is nearly Poisson and each costs about 2 h: the standard error
  // of the mean is 2 h sqrt(2 / n). alpha 1e-5: 4.42 of them.
  const double rate = 2.0 / 432.0, usd_per_h = 32 * 1.22;
  const double stepping_h = 216 * std::expm1(2 * rate) / rate;
  const double expected = (stepping_h - 432 + rate * stepping_h) * usd_per_h;
  CHECK(expected == near(157.0, 0.01));
  const double extra = machines("spot, two restarts") - machines("spot");
  const double error = 2 * usd_per_h * std::sqrt(2.0 / static_cast<double>(run.of("spot").replicates)) * 1.1;
  CHECK(std::abs(extra - expected) < 4.42 * error);
  CHECK(std::abs(extra - 1.2 * expected) > 4.42 * error);  // negative control: 20 % more would be noticed
}

TEST_CASE("the 54 days of Llama 3 405B have about 419 stops and more than 90 % effective time") {
  const Answer run = answer("llama3-405b-54-days", {"/montecarlo/replicates=400"});
  const auto& base = run.of("base");
  CHECK(base.finished == 400);
  CHECK(*base.time_s.mean / models::seconds_per_day == near(54.0, 0.01));
  // 419 stops lie inside the central 90 % of the forecast.
  std::vector<std::uint32_t> stops;
  for (const auto& trial : run.outcomes[0]) stops.push_back(trial.stops);
  std::sort(stops.begin(), stops.end());
  CHECK(stops[20] < 419);
  CHECK(stops[380] > 419);
  CHECK(*base.goodput > 0.90);
  CHECK(*base.goodput < 0.96);
}

TEST_CASE("blocking saves of 30 s on 256 H100 at 0.80 USD cost 40.96 USD a day and 14,950 USD a year") {
  const Answer run = answer("checkpoint-idle");
  const double a_save = 256 * 30.0 / 3600 * 0.80;
  // Machines only: the store's write requests add three cents a day.
  const auto machines = [&](const char* name) { return run.machines_usd(name); };
  const double day = machines("base") - machines("a day, never saved");
  CHECK(day == near(24 * a_save, 1e-9));
  const double year = machines("a year") - machines("a year, never saved");
  CHECK(year == near(8760 * a_save, 1e-9));
  CHECK(day == near(40.80, 0.01));
  CHECK(year == near(14'900.0, 0.01));
}

TEST_CASE("a job whose gang lives shorter than its restart does not finish, and the reason is given") {
  const Answer run = answer("no-progress");
  CHECK(run.of("base").finished == 0);
  CHECK(!run.of("base").cost_usd.mean);
  CHECK(run.of("base").cost_usd.mean_at_least);
  CHECK(run.plans[0].facts.hopeless.find("sooner than a restart") != std::string::npos);
  CHECK(run.plans[0].facts.hopeless.find("What would help") != std::string::npos);
  // A reclaim during start-up is a loss of its own kind, paid and without progress (skypilot-org/skypilot PR #1610).
  CHECK(run.of("base").losses_during_restart > run.stops("base"));
}

TEST_CASE("the quickstart answers in one run: spot is cheaper, FP8 is faster, asynchronous saves do not hurt") {
  const Answer run = answer("quickstart", {"/montecarlo/replicates=200"});
  for (const auto& strategy : run.summary.strategies) CHECK(strategy.finished == 200);
  CHECK(*run.of("spot").cost_usd.mean < 0.6 * *run.of("base").cost_usd.mean);
  CHECK(*run.of("fp8").time_s.mean < *run.of("base").time_s.mean);
  CHECK(*run.of("spot, async saves").cost_usd.mean <= *run.of("spot").cost_usd.mean);
}

}  // namespace fleetcast::tests
