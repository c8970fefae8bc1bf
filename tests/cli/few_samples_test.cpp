// Statistics of few or no samples: "not available" with a reason, never a NaN and never a made-up zero.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/runs.hpp"

using namespace fleetcast::tests;
using Json = nlohmann::json;

namespace {

void check_no_nonsense(const std::string& text) {
  for (const char* nonsense : {"nan", "NaN", "inf,", ": inf", "Infinity"}) {
    CAPTURE(nonsense);
    CHECK(!has(text, nonsense));
  }
}

}  // namespace

TEST_CASE("one trial gives its figures, without a spread") {
  const Runs runs;
  const Finished one = runs.run({"--json", "--replicates", "1"});
  CHECK(one.code == 0);
  check_no_nonsense(one.out);
  const Json base = Json::parse(one.out)["strategies"][0];
  CHECK(base["cost_usd"]["mean"].is_number());
  CHECK(base["cost_usd"]["ci95"].is_null());
  CHECK(!base["why"].empty());
  const Finished text = runs.run({"--replicates", "1"});
  CHECK(text.code == 0);
  check_no_nonsense(text.out);
}

TEST_CASE("two trials have an interval") {
  const Json base = Runs{}.json({"--replicates", "2"})["strategies"][0];
  REQUIRE(base["time_s"]["ci95"].is_array());
  CHECK(base["time_s"]["ci95"][0] < base["time_s"]["mean"]);
}

TEST_CASE("without a single interruption nothing divides by zero") {
  const Finished calm = Runs{}.run({"--json", "--strategy", "calm", "--replicates", "50"});
  CHECK(calm.code == 0);
  check_no_nonsense(calm.out);
  CHECK(Json::parse(calm.out)["strategies"][0]["interruptions"]["mean"] == 0);
}

TEST_CASE("when no trial finishes, figures are missing with a reason") {
  const Runs runs;
  const Finished none = runs.run({"--json", "--replicates", "10", "--set", "/limits/horizon=1 h"});
  CHECK(none.code == 3);
  check_no_nonsense(none.out);
  for (const Json& strategy : Json::parse(none.out)["strategies"]) {
    CHECK(strategy["finished"] == 0);
    CHECK(strategy["time_s"]["mean"].is_null());
    CHECK(strategy["time_s"]["p50"].is_null());
    CHECK(strategy["deadline_met"] == 0);
    CHECK(!strategy["why"].empty());
  }
  check_no_nonsense(runs.run({"--replicates", "10", "--set", "/limits/horizon=1 h"}).out);
}
