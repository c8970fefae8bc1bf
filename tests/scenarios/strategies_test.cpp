#include "scenarios/strategies.hpp"

#include <doctest/doctest.h>

#include "reading.hpp"

namespace fleetcast::scenarios {
namespace {

using test::faults;
using test::has;
using test::messages;
using test::read;
using test::with;

TEST_CASE("strategies follow the base in file order, each a patch on it") {
  const ScenarioFile file = read(with(R"("training": { "precision": "fp16", "jitter": 0.1 },
    "compare_to": "z spot",
    "strategies": {
      "z spot": { "fleet": { "main": { "market": "spot" } } },
      "default precision": { "training": { "precision": null } },
      "other pool": { "fleet": { "main": null, "new": { "instance": "gcp/a3", "region": "us-central1", "nodes": 4 } } },
      "same": {} })"));
  REQUIRE(file.strategies.size() == 5);
  CHECK(file.compare_to == "z spot");
  CHECK(file.strategies[0].strategy == "base");
  CHECK(file.strategies[1].strategy == "z spot");
  CHECK(file.strategies[1].fleet[0].market == Market::spot);
  CHECK(file.strategies[1].training.jitter == 0.1);
  CHECK(file.strategies[2].training.precision == models::Precision::bf16);
  CHECK(test::assumed(file.strategies[2], "/training/precision").value == "bf16");
  REQUIRE(file.strategies[3].fleet.size() == 1);
  CHECK(file.strategies[3].fleet[0].name == "new");
  CHECK(file.strategies[3].checkpoint.store.id == "gcp/object");
  CHECK(file.strategies[4].fleet[0].market == Market::on_demand);
}

TEST_CASE("a fault inside a strategy shows its line and its place in the file") {
  const auto list =
      faults(with("\"strategies\": {\n \"a\": {},\n \"odd/name\": { \"training\": { \"precision\": \"fp9\" } } }"));
  REQUIRE(list.size() == 1);
  CHECK(list[0].line == 5);
  CHECK(list[0].column == 43);
  CHECK(list[0].pointer == "/strategies/odd~1name/training/precision");
  CHECK(list[0].file == "folder/case.json");
}

TEST_CASE("a fault that a strategy only uncovers is told with its name") {
  const auto list = faults(R"({ "workload": { "model": "eight-b", "tokens": "1T" },
    "fleet": { "main": { "instance": "aws/p5", "region": "us-west-2", "nodes": 16 } },
    "strategies": { "spot": { "fleet": { "main": { "market": "spot" } } } } })");
  REQUIRE(list.size() == 1);
  CHECK(has(list[0].problem, "with strategy \"spot\": no spot price is known for aws/p5 in us-west-2"));
  CHECK(list[0].pointer == "/fleet/main/price");
  CHECK(list[0].line == 2);
}

TEST_CASE("faults of the base are not repeated for every strategy") {
  const auto list = faults(with(R"("training": { "jitter": -1, "presicion": "fp8" },
    "strategies": { "a": {}, "b": { "training": { "jitter": -2 } }, "c": { "limits": { "deadline": "1 d" } } })"));
  CAPTURE(messages(list));
  REQUIRE(list.size() == 3);
  CHECK(has(messages(list), "/strategies/b/training/jitter"));
}

TEST_CASE("all faults of base and strategies are reported at once, in the order of the file") {
  const auto list = faults(
      "{\n \"workload\": { \"tokens\": -1, \"model\": \"eight\" },\n \"fleet\": { \"main\": { \"instance\": \"aws/p6\","
      " \"nodes\": 8.5 } },\n \"limits\": { \"deadline\": 3 },\n \"strategies\": { \"x\": { \"trainin\": {} } } }");
  CAPTURE(messages(list));
  REQUIRE(list.size() == 6);
  for (std::size_t i = 1; i < list.size(); ++i) CHECK(list[i - 1].line <= list[i].line);
  CHECK(list[0].pointer == "/workload/tokens");
  CHECK(list[5].nearest == "training");
}

TEST_CASE("what keeps strategies comparable cannot be patched") {
  for (const char* patch : {R"("start": "2026-01-01T00:00Z")", R"("define": {})", R"("strategies": {})",
                            R"("compare_to": "base")", R"("uncertain": {})", R"("montecarlo": { "seed": 2 })"}) {
    CAPTURE(patch);
    const auto list = faults(with(std::string{R"("strategies": { "a": { )"} + patch + " } }"));
    REQUIRE(list.size() == 1);
    CHECK(has(list[0].problem, "a strategy cannot change"));
  }
}

TEST_CASE("levers are not yet supported, in either form") {
  CHECK(has(messages(with(R"("strategies": { "a": ["fp8", "spot"] })")), "lever \"fp8\" is not yet supported"));
  CHECK(faults(with(R"("strategies": { "a": ["fp8", "spot"] })")).size() == 2);
  CHECK(has(messages(with(R"("strategies": { "a": { "levers": ["fp8"] } })")), "lever \"fp8\" is not yet supported"));
  CHECK(has(messages(with(R"("strategies": { "a": [] })")), "levers are not yet supported"));
}

TEST_CASE("base is a reserved name, and a strategy is an object with a name") {
  CHECK(has(messages(with(R"("strategies": { "base": {} })")), "\"base\" is the scenario itself"));
  CHECK(has(messages(with(R"("strategies": { "": {} })")), "a name must not be empty"));
  CHECK(has(messages(with(R"("strategies": { "a": "spot" })")), "expects an object: what changes"));
  CHECK(has(messages(with(R"("strategies": [])")), "expects an object of strategies by name"));
}

TEST_CASE("N22: compare_to must name a strategy") {
  const std::string why = messages(with(R"("compare_to": "spott", "strategies": { "spot": {}, "fp8": {} })"));
  CHECK(has(why, "there is no strategy \"spott\""));
  CHECK(has(why, "did you mean \"spot\"?"));
}

TEST_CASE("null is an error outside a patch and restores a default inside") {
  const auto list =
      faults(with(R"("training": { "precision": null }, "limits": null, "strategies": { "a": { "limits": null } })"));
  CAPTURE(messages(list));
  REQUIRE(list.size() == 2);
  CHECK(has(list[0].problem, "missing value"));
  CHECK(has(list[1].problem, "missing value"));
}

TEST_CASE("--set acts on the file before its strategies, and a fault in it names no file") {
  const ScenarioFile file = read(
      with(R"("strategies": { "a": { "training": { "jitter": 0.5 } } })"),
      {"/training/precision=fp8", "/fleet/main/nodes=32", "/workload/tokens=2T", "/strategies/b/training/jitter=0"});
  REQUIRE(file.strategies.size() == 3);
  CHECK(file.strategies[0].training.precision == models::Precision::fp8);
  CHECK(file.strategies[1].fleet[0].nodes == 32);
  CHECK(file.strategies[1].workload.amount.count == 2e12);
  CHECK(file.strategies[2].training.jitter == 0.0);
  CHECK(file.overrides.size() == 4);
  const auto list = faults(with(""), {"/fleet/main/nodes=-8"});
  REQUIRE(list.size() == 1);
  CHECK(list[0].file.empty());
  CHECK(list[0].line == 0);
  CHECK(list[0].pointer == "/fleet/main/nodes");
}

}  // namespace
}  // namespace fleetcast::scenarios
