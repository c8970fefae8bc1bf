// What scripts see: DESIGN section 6, and `fleetcast --help`.
#include <doctest/doctest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/runs.hpp"

using namespace fleetcast::tests;
using Json = nlohmann::json;

namespace {

/// The small scenario without strategies and with these changes.
Finished base_with(const std::vector<std::string>& changes, std::vector<std::string> options = {}) {
  const Runs runs;
  options.insert(options.end(), {"--strategy", "base", "--quiet"});
  for (const std::string& change : changes) options.insert(options.end(), {"--set", change});
  return runs.run(options);
}

}  // namespace

TEST_CASE("0: one strategy that finishes is enough, though another never does") {
  const Runs runs;
  const Finished answer = runs.run({"--json", "--strategy", "base", "--strategy", "calm", "--replicates", "20", "--set",
                                    "/fleet/main/lifetime=2 min", "--set", "/limits/horizon=3 d"});
  CHECK(answer.code == 0);
  const Json strategies = Json::parse(answer.out)["strategies"];
  CHECK(strategies[0]["finished"] == 0);
  CHECK(strategies[0]["cost_usd"]["mean"].is_null());
  CHECK(strategies[1]["finished"] == 20);
}

TEST_CASE("3: a job that cannot get ahead ends with the reason and what would help, and the table") {
  const auto begin = std::chrono::steady_clock::now();
  // A machine lives for 10 min, four of them 2.5 min together; a restart takes 12.
  const Finished hopeless = base_with(
      {"/fleet/main/lifetime=exponential(mean 10 min)", "/recovery/restart=12 min", "/montecarlo/replicates=20"});
  CHECK(hopeless.code == 3);
  CHECK(has(hopeless.out, "0/20"));
  CHECK(has(hopeless.err, "no trial finished"));
  CHECK(has(hopeless.err, "restart"));
  CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds{60});
}

TEST_CASE("3: check says the same without simulating") {
  const Runs runs;
  const Finished hopeless =
      run_fleetcast({"check", runs.scenario(), "--strategy", "base", "--set",
                     "/fleet/main/lifetime=exponential(mean 10 min)", "--set", "/recovery/restart=12 min"});
  CHECK(hopeless.code == 3);
  CHECK(!hopeless.out.empty());
  CHECK(has(hopeless.err, "restart"));
}

TEST_CASE("3: no trial reaches the end within the horizon") {
  const Finished short_horizon = base_with({"/limits/horizon=2 h"}, {"--replicates", "20"});
  CHECK(short_horizon.code == 3);
  CHECK(has(short_horizon.err, "20 ended by the horizon"));
  CHECK(has(short_horizon.err, "limits.horizon"));
}

TEST_CASE("4: an enforced deadline or budget ends every trial") {
  const Finished late = base_with({"/limits/stop_at=[\"deadline\"]", "/limits/deadline=5 h"}, {"--replicates", "20"});
  CHECK(late.code == 4);
  CHECK(has(late.err, "20 ended by the deadline"));
  CHECK(has(late.err, "limits.deadline"));
  const Finished dear = base_with({"/limits/stop_at=[\"budget\"]", "/limits/budget=50 USD"}, {"--replicates", "20"});
  CHECK(dear.code == 4);
  CHECK(has(dear.err, "20 ended by the budget"));
}

TEST_CASE("0: a deadline that is judged but not enforced ends nothing") {
  const Runs runs;
  const Json base = runs.json({"--strategy", "base", "--replicates", "20", "--set", "/limits/deadline=5 h"});
  CHECK(base["strategies"][0]["finished"] == 20);
  CHECK(base["strategies"][0]["deadline_met"] == 0);
}

TEST_CASE("5: standard output that cannot be written is noticed") {
  const Runs runs;
  const Finished full = runs.run({"--json"}, {.folder = {}, .out_path = "/dev/full"});
  CHECK(full.code == 5);
  CHECK(has(full.err, "standard output"));
  CHECK(runs.run({"--json"}, {.folder = {}, .out_closed = true}).code == 5);
}

TEST_CASE("5: with standard output closed, the results file is still whole") {
  const Runs runs;
  const std::string out = runs.path("r.h5");
  CHECK(runs.run({"--json", "--replicates", "20", "--out", out}, {.folder = {}, .out_closed = true}).code == 5);
  CHECK(runs.run({"--replicates", "20", "--out", out, "--resume"}).code == 0);
}

TEST_CASE("5: a reader that goes away early (| head) causes neither a crash nor a message") {
  const Runs runs;
  const std::string command =
      "{ '" + std::string{FLEETCAST_PROGRAM} + "' run '" + runs.scenario() + "' --json; echo \"code $?\" >&2; } | true";
  const Finished piped = execute("/bin/sh", {"-c", command});
  CHECK(piped.code == 0);
  CHECK(piped.err == "code 5\n");
}
