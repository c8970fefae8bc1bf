#include <doctest/doctest.h>

#include <cstdio>
#include <string>
#include <vector>

#include "analysis/results_file.hpp"
#include "tests/cli/runs.hpp"

using namespace fleetcast;
using namespace fleetcast::tests;
using Json = nlohmann::json;

namespace {

std::string hexadecimal(std::uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

void check_same(const Json& replayed, const sim::Outcome& stored) {
  CHECK(replayed["status"] == std::string{name_of(stored.status)});
  CHECK(replayed["time_s"].get<double>() == stored.time_s);
  CHECK(replayed["cost_usd"].get<double>() == stored.cost_usd);
  CHECK(replayed["interruptions"]["stops"] == stored.stops);
  CHECK(replayed["fingerprint"] == hexadecimal(stored.fingerprint));
  for (std::size_t at = 0; at < sim::account_count; ++at) {
    CHECK(replayed["accounts_gpu_seconds"][std::string{sim::account_names[at]}].get<double>() ==
          stored.account_gpu_s[at]);
  }
}

}  // namespace

TEST_CASE("trial 17 alone is trial 17 of the run's file, in both grains") {
  const TemporaryFolder folder;
  const std::string scenario = write_scenario(folder.path() / "s.json");
  for (const std::string grain : {"span", "node"}) {
    const std::string out = folder.path() / (grain + ".h5");
    REQUIRE(run_fleetcast({"run", scenario, "--grain", grain, "--replicates", "40", "--out", out}).code == 0);
    const analysis::ResultsData stored = analysis::read_results(out);
    const Finished alone = run_fleetcast({"run", scenario, "--grain", grain, "--trial", "17", "--json"});
    REQUIRE(alone.code == 0);
    const Json replayed = Json::parse(alone.out);
    CHECK(replayed["trial"] == 17);
    CHECK(replayed["grain"] == grain);
    REQUIRE(replayed["strategies"].size() == 3);
    for (std::size_t at = 0; at < 3; ++at) check_same(replayed["strategies"][at], stored.outcomes[at][17]);
  }
}

TEST_CASE("a replayed trial can be read by a person, also one beyond the run") {
  const TemporaryFolder folder;
  const Finished alone = run_fleetcast({"run", write_scenario(folder.path() / "s.json"), "--trial", "4000000000"});
  CHECK(alone.code == 0);
  CHECK(alone.err.empty());
  for (const char* word : {"trial 4000000000", "frequent: finished", "USD", "fingerprint", "compute"}) {
    CAPTURE(word);
    CHECK(alone.out.find(word) != std::string::npos);
  }
}
