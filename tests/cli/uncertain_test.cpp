// `uncertain` end to end: drawn once a trial, the same in all strategies, and counted in the model interval.
#include <doctest/doctest.h>

#include <cmath>

#include <nlohmann/json.hpp>

#include "tests/cli/runs.hpp"

using namespace fleetcast::tests;
using nlohmann::json;

namespace {

const std::string price = R"x(/uncertain={"/fleet/main/price": "uniform(8 USD/node-h, 12 USD/node-h)"})x";

const json& strategy(const json& answer, const std::string& name) {
  for (const json& each : answer["strategies"]) {
    if (each["name"] == name) return each;
  }
  FAIL("no strategy " << name);
  return answer;
}

}  // namespace

TEST_CASE("an uncertain price spreads the cost of a calm fleet as its law says") {
  const Runs runs;
  const json answer = json::parse(runs.run({"--json", "--replicates", "1000", "--set", price}).out);
  const json certain = json::parse(runs.run({"--json", "--replicates", "1000"}).out);
  const json cost = strategy(answer, "calm")["cost_usd"];
  const double mean = strategy(certain, "calm")["cost_usd"]["mean"];
  // 8 to 12 around 10: sd 11.5 % of the mean, so 5 standard errors of 1,000 trials are 1.9 %.
  CHECK(std::abs(cost["mean"].get<double>() / mean - 1.0) < 0.019);
  CHECK(std::abs(cost["p5"].get<double>() / mean - 0.82) < 0.02);
  CHECK(std::abs(cost["p95"].get<double>() / mean - 1.18) < 0.02);
  CHECK(cost["model_share"].get<double>() > 0.95);
  CHECK(std::abs(cost["model_interval"][0].get<double>() / mean - 0.81) < 0.02);
  CHECK(std::abs(cost["model_interval"][1].get<double>() / mean - 1.19) < 0.02);
  // Time does not depend on the price.
  CHECK(strategy(answer, "calm")["time_s"] == strategy(certain, "calm")["time_s"]);
  // The same price in both: the difference is known far better than each cost.
  const json base = strategy(answer, "base")["cost_usd"];
  for (const json& difference : answer["differences"]) {
    if (difference["of"] != "calm") continue;
    const double width =
        difference["cost_usd"]["ci95"][1].get<double>() - difference["cost_usd"]["ci95"][0].get<double>();
    CHECK(width < base["ci95"][1].get<double>() - base["ci95"][0].get<double>());
  }
}

TEST_CASE("what is certain has the Monte Carlo interval as its model interval") {
  const json answer = json::parse(Runs{}.run({"--json"}).out);
  const json time = strategy(answer, "base")["time_s"];
  CHECK(time["model_share"] == 0.0);
  CHECK(std::abs(time["model_interval"][0].get<double>() / time["ci95"][0].get<double>() - 1.0) < 1e-9);
}

TEST_CASE("any number of threads, and one trial alone, draw the same uncertain values") {
  const Runs runs;
  const std::string one = runs.run({"--json", "--set", price, "--threads", "1"}).out;
  CHECK(runs.run({"--json", "--set", price, "--threads", "3"}).out == one);
  const json alone = json::parse(runs.run({"--json", "--set", price, "--trial", "17"}).out);
  const json all = json::parse(runs.run({"--json", "--set", price, "--trial", "17", "--threads", "2"}).out);
  CHECK(alone == all);
  const double base = alone["strategies"][0]["cost_usd"], calm = alone["strategies"][1]["cost_usd"];
  CHECK(base > 0.0);
  CHECK(calm > 0.0);
}

TEST_CASE("a drawn value that is not allowed is refused with its trial") {
  const Runs runs;
  const Finished refused = runs.run({"--set", R"x(/uncertain={"/training/jitter": "uniform(-1, 1.5)"})x"});
  CHECK(refused.code == 2);
  CHECK(has(refused.err, "/training/jitter"));
  CHECK(has(refused.err, "uncertain values of trial"));
}

TEST_CASE("an uncertain number of nodes replays as many as it draws") {
  const std::string gallery = std::string{FLEETCAST_SOURCE_DIR} + "/scenarios/gallery/replay-us-west-2c.json";
  const Finished run = run_fleetcast({"run", gallery, "--json", "--replicates", "100", "--set",
                                      R"x(/uncertain={"/fleet/main/nodes": "mix(0.6: 2, 0.4: 4)"})x"});
  CHECK(run.code == 0);
  const json base = strategy(json::parse(run.out), "base");
  CHECK(base["finished"] == 100);
}

TEST_CASE("check says what is uncertain, and that it shows the median") {
  const Runs runs;
  const Finished check = run_fleetcast({"check", runs.scenario(), "--set", price});
  CHECK(has(check.out, "/fleet/main/price is unknown but fixed"));
}

TEST_CASE("a short run in a long recording has an interval") {
  const std::string gallery = std::string{FLEETCAST_SOURCE_DIR} + "/scenarios/gallery/replay-us-west-2c.json";
  const Finished run =
      run_fleetcast({"run", gallery, "--json", "--replicates", "100", "--set", "/workload/work=30 min"});
  CHECK(run.code == 0);
  const json base = strategy(json::parse(run.out), "base");
  CHECK(base["independent_windows"].get<double>() > 150.0);
  CHECK(!base["cost_usd"]["model_interval"].is_null());
}
