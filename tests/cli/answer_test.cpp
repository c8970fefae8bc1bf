// What `run --json` and `check --json` promise, and that nothing but the scenario reaches an answer.
#include <doctest/doctest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "tests/cli/runs.hpp"

using namespace fleetcast::tests;
using Json = nlohmann::json;

namespace {

void check_keys(const Json& object, const std::vector<std::string>& keys) {
  for (const std::string& key : keys) {
    CAPTURE(key);
    CHECK(object.contains(key));
  }
}

/// No number may be missing without a reason, and JSON has no NaN.
void check_reasons(const Json& strategy) {
  for (const auto& [key, value] : strategy.items()) {
    CAPTURE(key);
    if (value.is_null()) CHECK(strategy["why"].contains(key));
  }
}

/// Bits of the C library's exp, log and pow over many arguments.
std::uint64_t library_math_bits() {
  std::uint64_t hash = 14695981039346656037U;
  for (int at = 1; at < 20000; ++at) {
    const double x = at * 0.00173;
    for (const double value : {std::exp(x), std::log(x), std::pow(x, 1.37)}) {
      hash = (hash ^ std::bit_cast<std::uint64_t>(value)) * 1099511628211U;
    }
  }
  return hash;
}

const std::map<std::string, std::string> without_fma{{"GLIBC_TUNABLES", "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4"}};

}  // namespace

TEST_CASE("run --json has every key of the contract") {
  const Json answer = Runs{}.json({});
  check_keys(answer, {"scenario", "seed", "warnings", "strategies", "differences"});
  REQUIRE(answer["strategies"].size() == 3);
  CHECK(answer["strategies"][0]["name"] == "base");
  CHECK(answer["strategies"][1]["name"] == "calm");
  CHECK(answer["strategies"][2]["name"] == "frequent");
  for (const Json& strategy : answer["strategies"]) {
    check_keys(strategy, {"name",
                          "replicates",
                          "finished",
                          "cost_usd",
                          "time_s",
                          "gpu_hours",
                          "goodput",
                          "goodput_held",
                          "mfu",
                          "mfu_run",
                          "tokens_per_s_per_gpu",
                          "step_time_s",
                          "usd_per_token",
                          "accounts_gpu_hours",
                          "billed",
                          "memory_gib",
                          "interruptions",
                          "checkpoints",
                          "storage_usd",
                          "egress_usd",
                          "energy_kwh",
                          "co2_kg",
                          "deadline_met",
                          "within_budget",
                          "why"});
    for (const char* figure : {"cost_usd", "time_s", "gpu_hours"}) {
      check_keys(strategy[figure], {"mean", "ci95", "model_interval", "p5", "p50", "p95"});
    }
    check_keys(strategy["interruptions"], {"mean", "by_cause"});
    check_keys(strategy["checkpoints"], {"started", "usable", "bytes_written"});
    check_reasons(strategy);
    CHECK(strategy["replicates"] == 200);
    CHECK(strategy["finished"] == 200);
  }
  REQUIRE(answer["differences"].size() == 2);
  for (const Json& difference : answer["differences"]) check_keys(difference, {"to", "of", "cost_usd", "time_s"});
}

TEST_CASE("the answer of the undisturbed strategy is the one that a person works out") {
  // 7200 steps of 10 s, 39 or 40 saves of 1 min on the way and one at the end, one start of 10 min and the wait for
  // four nodes; about 4 x 10 USD/h. The jitter of the four nodes adds about 2 %.
  const Json calm = Runs{}.json({"--strategy", "calm"})["strategies"][0];
  const double time_h = calm["time_s"]["mean"].get<double>() / 3600.0;
  CHECK(time_h > 20.0 + 39.0 / 60.0);
  CHECK(time_h < 20.0 * 1.04 + 41.0 / 60.0 + 1.0);
  CHECK(calm["interruptions"]["mean"] == 0);
  CHECK(calm["cost_usd"]["mean"].get<double>() > 40.0 * 20.0);
  CHECK(calm["cost_usd"]["mean"].get<double>() <= 40.0 * time_h + 100.0);
}

TEST_CASE("one, two and seven threads print the same answer to the byte") {
  const Runs runs;
  const std::string one = runs.run({"--json", "--threads", "1"}).out;
  CHECK(!one.empty());
  CHECK(runs.run({"--json", "--threads", "2"}).out == one);
  CHECK(runs.run({"--json", "--threads", "7"}).out == one);
  CHECK(runs.run({"--json", "--threads", "all"}).out == one);
}

TEST_CASE("the same on a processor without fused multiply-add, in both grains") {
  const Runs runs;
  for (const char* grain : {"span", "node"}) {
    const std::vector<std::string> options{"--json", "--grain", grain, "--replicates", "60"};
    const Finished with = runs.run(options), without = runs.run(options, {.folder = {}, .variables = without_fma});
    CHECK(with.code == 0);
    CHECK(with.out == without.out);
  }
}

TEST_CASE("prints the bits of the C library's functions" * doctest::skip()) {
  std::cout << "bits " << library_math_bits() << '\n';
}

TEST_CASE("the variable that switches fused multiply-add off really does") {
  const std::vector<std::string> arguments{"--no-skip", "--test-case=prints the bits of the C library's functions"};
  const auto bits = [&](const std::map<std::string, std::string>& variables) {
    const Finished self = execute("/proc/self/exe", arguments, {.folder = {}, .variables = variables});
    const std::size_t at = self.out.find("bits ");
    REQUIRE(at != std::string::npos);
    return self.out.substr(at, self.out.find('\n', at) - at);
  };
  if (bits({}) == bits(without_fma)) {
    MESSAGE("this processor or C library has no variants of exp, log and pow: the test before could not fail here");
  }
}

TEST_CASE("release and sanitizer builds print the same answer") {
  const std::filesystem::path other =
      std::filesystem::path{FLEETCAST_PROGRAM}.parent_path().parent_path() / "release" / "fleetcast";
  if (!std::filesystem::exists(other)) {
    MESSAGE("skipped: no release build beside this one");
    return;
  }
  const Runs runs;
  const std::vector<std::string> arguments{"run", runs.scenario(), "--json", "--replicates", "40"};
  CHECK(execute(other.string(), arguments).out == run_fleetcast(arguments).out);
}

TEST_CASE("a seed of 64 bits arrives exactly, and another seed gives another answer") {
  const Runs runs;
  const Finished largest = runs.run({"--json", "--seed", "18446744073709551615"});
  CHECK(Json::parse(largest.out)["seed"].get<std::uint64_t>() == 18446744073709551615U);
  // A double cannot tell these two apart.
  const std::string odd = runs.run({"--json", "--seed", "9007199254740993"}).out;
  CHECK(has(odd, "9007199254740993"));
  const Json even = runs.json({"--seed", "9007199254740992"});
  CHECK(Json::parse(odd)["strategies"][0]["time_s"] != even["strategies"][0]["time_s"]);
}

TEST_CASE("a count may be written as 1e1 or 10.0 on the command line") {
  const Runs runs;
  CHECK(runs.json({"--replicates", "1e1"})["strategies"][0]["replicates"] == 10);
  CHECK(runs.json({"--replicates", "10.0"})["strategies"][0]["replicates"] == 10);
}

TEST_CASE("the options stand above the file and above --set") {
  const Json answer = Runs{}.json(
      {"--set", "/montecarlo/replicates=30", "--replicates", "20", "--set", "/fleet/main/nodes=2", "--seed", "3"});
  CHECK(answer["strategies"][0]["replicates"] == 20);
  CHECK(answer["seed"] == 3);
}

TEST_CASE("a strategy alone gives the same figures as among all") {
  const Runs runs;
  const Json all = runs.json({}), one = runs.json({"--strategy", "frequent"});
  REQUIRE(one["strategies"].size() == 1);
  CHECK(one["strategies"][0] == all["strategies"][2]);
  CHECK(one["differences"].empty());
  const Json pair = runs.json({"--strategy", "frequent", "--strategy", "base"});
  REQUIRE(pair["strategies"].size() == 2);
  CHECK(pair["differences"][0] == all["differences"][1]);
}

TEST_CASE("leaving out the strategy to compare with is said on standard error, unless --quiet") {
  const Runs runs;
  CHECK(has(runs.run({"--strategy", "calm", "--replicates", "2"}).err, "add --strategy 'base'"));
  CHECK(runs.run({"--strategy", "calm", "--replicates", "2", "--quiet"}).err.empty());
}

TEST_CASE("the answer is on standard output and nothing else is; without a terminal there is no bar and no colour") {
  const Runs runs;
  for (const bool as_json : {false, true}) {
    const Finished answer = runs.run(as_json ? std::vector<std::string>{"--json"} : std::vector<std::string>{});
    CHECK(answer.code == 0);
    CHECK(answer.err.empty());
    CHECK(has(answer.out, "frequent"));
    CHECK(answer.out.find_first_of("\r\x1b") == std::string::npos);
  }
  // Nothing was written beside the scenario.
  CHECK(std::distance(std::filesystem::directory_iterator{runs.folder()}, {}) == 1);
}

TEST_CASE("check explains every strategy without simulating") {
  const Runs runs;
  const Finished text = run_fleetcast({"check", runs.scenario()});
  CHECK(text.code == 0);
  CHECK(text.err.empty());
  CHECK(has(text.out, "frequent"));
  const Finished json = run_fleetcast({"check", runs.scenario(), "--json", "--strategy", "calm"});
  CHECK(json.code == 0);
  CHECK(!Json::parse(json.out).empty());
  CHECK(!has(json.out, "frequent"));
}
