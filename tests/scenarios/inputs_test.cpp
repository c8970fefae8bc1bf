// Bad and awkward input by its number in the list of inputs that such tools are fed.
#include <doctest/doctest.h>

#include <cmath>

#include "reading.hpp"

namespace fleetcast::scenarios {
namespace {

using test::faults;
using test::has;
using test::messages;
using test::read;
using test::warns;
using test::with;
using test::with_pool;
using test::with_workload;

/// Exactly one fault, with this pointer, and this in its message.
void check_refused(const std::string& text, const std::string& pointer, const std::string& message) {
  const auto list = faults(text);
  CAPTURE(text);
  CAPTURE(messages(list));
  REQUIRE(list.size() == 1);
  CHECK(list[0].pointer == pointer);
  CHECK(has(models::describe(list[0]), message));
}

TEST_CASE("N01: zero and negative values are refused with the allowed range where they have no meaning") {
  const std::string p5 = R"({ "instance": "aws/p5", "region": "us-east-1", )";
  check_refused(with_pool(p5 + R"("nodes": 0 })"), "/fleet", "nodes of at least 1");
  check_refused(with_pool(p5 + R"("nodes": -8 })"), "/fleet/main/nodes", "from 0 to 1000000");
  check_refused(with_workload(R"({ "model": "eight-b", "tokens": -1 })"), "/workload/tokens", "from 1 to");
  check_refused(with_workload(R"({ "model": "eight-b", "tokens": 0 })"), "/workload/tokens", "from 1 to");
  check_refused(with_workload(R"({ "work": "0 h" })"), "/workload/work", "above 0 s");
  check_refused(with_workload(R"({ "work": "4 h", "measured": { "step_time": "0 s" } })"),
                "/workload/measured/step_time", "more than 0 s");
  check_refused(with(R"("training": { "speed": "0 s/step" })"), "/training/speed", "more than 0");
  check_refused(with(R"("data": { "rate": "0 samples/s" })"), "/data/rate", "above 0");
  check_refused(with(R"("checkpoint": { "interval": "0 steps" })"), "/checkpoint/interval", "more than 0 steps");
  check_refused(with(R"("checkpoint": { "keep": 0 })"), "/checkpoint/keep", "from 1 to");
  check_refused(with(R"("montecarlo": { "replicates": 0 })"), "/montecarlo/replicates", "from 1 to");
  check_refused(with(R"("limits": { "deadline": "0 s" })"), "/limits/deadline", "above 0 s");
  check_refused(with(R"("training": { "jitter": -0.1 })"), "/training/jitter", "from 0 to 2");
  check_refused(with(R"("define": { "instances": { "x": { "gpu": "H100", "gpus": -8 } } })"),
                "/define/instances/x/gpus", "from 1 to 1024");
  check_refused(with(R"("define": { "instances": { "x": { "gpu": "H100", "inter": "0 GB/s" } } })"),
                "/define/instances/x/inter", "above 0");
  check_refused(with(R"("failures": { "causes": { "a": { "rate": "-1 /d" } } })"), "/failures/causes/a/rate",
                "negative");
}

TEST_CASE("N01: zero is accepted where it has a meaning") {
  CHECK(
      read(with(R"("failures": { "causes": { "a": { "rate": "0 /d" } } })")).strategies[0].failures[0].rate_of_fleet ==
      0.0);
  CHECK(
      faults(with(R"("training": { "jitter": 0 }, "recovery": { "restart": "0 s" }, "limits": { "budget": "0 USD" })"))
          .empty());
  CHECK(faults(with_pool(R"({ "instance": "aws/p5", "nodes": 1, "price": "0 USD/node-h", "wait": "0 s" })")).empty());
}

TEST_CASE("N03: null for a number is a missing value, not zero") {
  check_refused(with_pool(R"({ "instance": "aws/p5", "region": "us-east-1", "nodes": null })"), "/fleet/main/nodes",
                "missing value");
  CHECK(has(messages("{ \"workload\": { \"tokens\": NaN } }"), "folder/case.json:1:27: NaN is not a number"));
}

TEST_CASE("N04: overflow is refused, underflow follows the rule for zero") {
  CHECK(has(messages(with(R"("training": { "jitter": 1e999 })")), "1e999 is too large"));
  check_refused(with_workload(R"({ "work": "1e999 h" })"), "/workload/work", "too large");
  check_refused(with_workload(R"({ "work": "1e-999 h" })"), "/workload/work", "above 0 s");
  CHECK(read(with(R"("training": { "jitter": 0.1e-400 })")).strategies[0].training.jitter == 0.0);
  CHECK_FALSE(std::signbit(read(with(R"("training": { "jitter": -0.0 })")).strategies[0].training.jitter));
  check_refused(with_workload(R"({ "work": "1e9 h" })"), "/workload/work", "36525 d");
}

TEST_CASE("N06: counts may be 1e3 or 1000.0 but not 8.5") {
  const auto nodes = [](const std::string& text) {
    return with_pool(R"({ "instance": "aws/p5", "region": "us-east-1", "nodes": )" + text + " }");
  };
  CHECK(read(nodes("1e3")).strategies[0].fleet[0].nodes == 1000);
  CHECK(read(nodes("1000.0")).strategies[0].fleet[0].nodes == 1000);
  CHECK(read(nodes("\"1k\"")).strategies[0].fleet[0].nodes == 1000);
  check_refused(nodes("8.5"), "/fleet/main/nodes", "found 8.5, which is not whole");
}

TEST_CASE("N07: text where a number is due is refused with a hint") {
  const auto nodes = [](const std::string& text) {
    return with_pool(R"({ "instance": "aws/p5", "region": "us-east-1", "nodes": )" + text + " }");
  };
  check_refused(nodes("\"8\""), "/fleet/main/nodes", "without quotes");
  check_refused(nodes("\"1,024\""), "/fleet/main/nodes", "did you mean \"1024\"?");
  check_refused(nodes("\"10 GB\""), "/fleet/main/nodes", "\"GB\" is not a suffix of a count");
  check_refused(with(R"("training": { "jitter": "1e-5" })"), "/training/jitter", "did you mean \"1e-5\"?");
  check_refused(with(R"("failures": { "causes": { "a": { "rate": "1 /d", "host_survives": "5%" } } })"),
                "/failures/causes/a/host_survives", "did you mean \"0.05\"?");
}

TEST_CASE("N08: a percentage where a fraction is due is asked about") {
  const auto share = [](const std::string& text) {
    return with(R"("failures": { "causes": { "a": { "rate": "1 /d", "host_survives": )" + text + " } } }");
  };
  check_refused(share("40"), "/failures/causes/a/host_survives",
                "looks like percent (allowed: a fraction from 0 to 1; did you mean \"0.40\"?");
  check_refused(share("1.0000001"), "/failures/causes/a/host_survives",
                "found 1.0000001 (allowed: a fraction from 0 to 1)");
  CHECK(faults(share("1")).empty());
  CHECK(faults(share("0")).empty());
  check_refused(with(R"("training": { "speed": "40 MFU" })"), "/training/speed", "did you mean \"0.40 MFU\"?");
  check_refused(with(R"("training": { "speed": "0 MFU" })"), "/training/speed", "above 0 up to 1");
}

TEST_CASE("N09: an amount of bytes without a unit is refused, GB and GiB are not the same") {
  check_refused(with(R"("checkpoint": { "size": 80 })"), "/checkpoint/size", "the unit is missing");
  CHECK(read(with(R"("checkpoint": { "size": "80 GB" })")).strategies[0].checkpoint.size->value() == 80e9);
  CHECK(read(with(R"("checkpoint": { "size": "80 GiB" })")).strategies[0].checkpoint.size->value() > 85e9);
}

TEST_CASE("N10: an implausible network is warned about") {
  const auto machine = [](const std::string& links) {
    return read(with_pool(R"({ "instance": { "like": "aws/p5", )" + links +
                          R"( }, "region": "us-east-1", "nodes": 1 })"))
        .strategies[0];
  };
  CHECK(warns(machine(R"("inter": "3200 GB/s")"), "bits or bytes?"));
  CHECK(warns(machine(R"("intra": "5 GB/s")"), "below 10"));
  CHECK(machine(R"("inter": "3200 Gbit/s")").warnings.empty());
  check_refused(with(R"("define": { "instances": { "x": { "gpu": "H100", "inter": "400 Gbps" } } })"),
                "/define/instances/x/inter", "did you mean \"400 Gbit/s\"?");
}

TEST_CASE("N11: times without unit are refused, odd ones are warned about") {
  check_refused(with(R"("checkpoint": { "interval": 3 })"), "/checkpoint/interval", "the unit is missing");
  check_refused(with(R"("failures": { "causes": { "a": { "rate": 50000 } } })"), "/failures/causes/a/rate",
                "the unit is missing");
  check_refused(with_pool(R"({ "instance": "aws/p5", "nodes": 1, "price": "0.001 USD/GPU-s" })"), "/fleet/main/price",
                "is not a price");
  CHECK(warns(read(with(R"("training": { "speed": "5000 s/step" })")).strategies[0], "more than an hour"));
  CHECK(warns(read(with(R"("training": { "speed": "20 s/step" }, "checkpoint": { "interval": "3 s" })")).strategies[0],
              "shorter than a step"));
  CHECK(warns(read(with(R"("failures": { "causes": { "a": { "rate": "100 /h" } } })")).strategies[0],
              "less than a minute apart"));
  CHECK(warns(
      read(with(R"("training": { "speed": "200 s/step" }, "failures": { "causes": { "a": { "rate": "30 /h" } } })"))
          .strategies[0],
      "less than a step apart"));
}

TEST_CASE("N12: a price that says nothing or is out of all proportion is not taken in silence") {
  const auto price = [](const std::string& text) {
    return with_pool(R"({ "instance": "aws/p5", "nodes": 1, "price": ")" + text + "\" }");
  };
  check_refused(price("98 USD/h"), "/fleet/main/price", "whether a GPU or a node costs that");
  CHECK(warns(read(price("98 USD/GPU-h")).strategies[0], "per GPU or per node?"));
  CHECK(warns(read(price("0.5 USD/node-h")).strategies[0], "per GPU or per node?"));
  CHECK(read(price("98 USD/node-h")).strategies[0].warnings.empty());
}

TEST_CASE("N15 and N16: duplicate keys and trailing commas are told as such in a scenario") {
  const std::string twice = messages("{ \"name\": \"a\",\n \"name\": \"b\" }");
  CHECK(has(twice, "in line 1 and in line 2"));
  CHECK(has(messages("{ \"name\": \"a\", }"), "trailing comma before '}'"));
}

TEST_CASE("N18: an unknown key is refused with the nearest name") {
  check_refused(with(R"("training": { "precison": "fp8" })"), "/training/precison", "did you mean \"precision\"?");
  check_refused(with(R"("training": { "micro-batch": 1 })"), "/training/micro-batch", "did you mean \"micro_batch\"?");
  check_refused(with(R"("checkpiont": {})"), "/checkpiont", "did you mean \"checkpoint\"?");
  check_refused(with(R"("_remark": "x")"), "/_remark", "unknown field");
  check_refused(with(R"("training": { "zzzzzz": 1 })"), "/training/zzzzzz", "allowed: ");
}

TEST_CASE("N19: a known key in the wrong place is told where it belongs") {
  check_refused(with(R"("nodes": 16)"), "/nodes", "it belongs under fleet.<pool>");
  check_refused(with(R"("training": { "global_batch": "4Mi tokens" })"), "/training/global_batch",
                "it belongs under workload");
  check_refused(with(R"("checkpoint": { "deadline": "1 d" })"), "/checkpoint/deadline", "it belongs under limits");
  check_refused(with(R"("training": { "spares": {} })"), "/training/spares", "it belongs under recovery");
}

TEST_CASE("N19: a wrong kind of value is told what is expected") {
  check_refused(with(R"("training": [])"), "/training", "expects an object with the fields of training, found a list");
  check_refused(with(R"("checkpoint": { "final": 1 })"), "/checkpoint/final",
                "expects true or false, found the number 1");
  check_refused(with(R"("limits": { "deadline": "1 d", "stop_at": "deadline" })"), "/limits/stop_at", "expects a list");
  check_refused(with_pool(R"({ "instance": "aws/p5", "region": "us-east-1", "nodes": true })"), "/fleet/main/nodes",
                "expects a whole number from 0 to 1000000, found true");
  check_refused(with(R"("training": { "precision": 8 })"), "/training/precision", "expects one of");
  CHECK(has(messages("[]"), "expects an object"));
  CHECK(has(messages("3"), "expects an object"));
}

TEST_CASE("N19: fields that are valid only together are checked together") {
  check_refused(with_pool(R"({ "instance": "aws/p5", "region": "us-east-1", "nodes": 1, "lifetime": "3 h" })"),
                "/fleet/main/lifetime", "only spot nodes are reclaimed");
  check_refused(with_pool(R"({ "instance": "aws/p5", "price": "1 USD/GPU-h", "nodes": 1, "zone": "a" })"),
                "/fleet/main/region", "\"region\" is missing");
}

TEST_CASE("N20: a deep or endless document is refused quickly") {
  CHECK(has(messages(std::string(500'000, '[')), "more than 64 levels deep"));
}

TEST_CASE("N21: what is missing is named") {
  const auto list = faults("{}");
  REQUIRE(list.size() == 2);
  CHECK(has(messages(list), "\"workload\" is missing"));
  CHECK(has(messages(list), "\"fleet\" is missing"));
  CHECK(has(messages(""), "the file is empty"));
  check_refused(R"({ "workload": { "model": "eight-b", "tokens": 1 }, "fleet": {} })", "/fleet", "at least one pool");
  check_refused(R"({ "workload": { "model": "eight-b", "tokens": 1 }, "fleet": [] })", "/fleet",
                "expects an object of pools by name");
  check_refused(with_pool("{}"), "/fleet/main/instance", "\"instance\" is missing in fleet.<pool>");
  check_refused(with_workload(R"({ "model": "eight-b" })"), "/workload", "no amount of training is given");
  check_refused(with_workload(R"({ "tokens": "1T" })"), "/workload", "neither model nor measured");
  check_refused(with_workload(R"({ "tokens": "1T", "measured": { "step_time": "1 s" } })"), "/workload/global_batch",
                "is missing");
}

TEST_CASE("N22: an unknown name gets the known ones, nearest first") {
  const std::string gpu = messages(with(R"("define": { "instances": { "x": { "gpu": "H1OO" } } })"));
  CHECK(has(gpu, "unknown GPU \"H1OO\""));
  CHECK(has(gpu, "allowed: H100"));
  CHECK(has(gpu, "did you mean \"H100\"?"));
  check_refused(with_pool(R"({ "instance": "AWS/P5", "region": "us-east-1", "nodes": 1 })"), "/fleet/main/instance",
                "did you mean \"aws/p5\"?");
  check_refused(with_workload(R"({ "model": "eight_b", "tokens": 1 })"), "/workload/model",
                "did you mean \"eight-b\"?");
}

TEST_CASE("N23: settings that contradict each other are refused with the true reason") {
  check_refused(with_workload(R"({ "model": "eight-b", "tokens": 1, "steps": 1 })"), "/workload/steps",
                "several amounts: tokens and steps");
  check_refused(with_pool(R"({ "instance": "aws/p5", "nodes": 1, "market": "owned", "price": "1 USD/GPU-h" })"),
                "/fleet/main/price", "owned nodes cost nothing");
  check_refused(with(R"("limits": { "deadline": "2026-01-01T00:00Z" })"), "/limits/deadline",
                "needs to know when the run starts");
  check_refused(with(R"("start": "2026-01-02T00:00Z", "limits": { "deadline": "2026-01-01T00:00Z" })"),
                "/limits/deadline", "is not after the start");
  check_refused(with(R"json("recovery": { "restart": "uniform(30 min, 17 min)" })json"), "/recovery/restart",
                "the first is more than the second");
}

TEST_CASE("N23: what is odd but possible is a warning") {
  CHECK(warns(
      read(with_pool(R"({ "instance": "aws/p5", "region": "us-east-1", "zone": "d", "nodes": 1, "market": "spot" })"))
          .strategies[0],
      "is not below the on-demand price"));
  CHECK(warns(
      read(with_pool(
               R"({ "instance": "aws/p5", "region": "us-east-1", "nodes": 1, "market": "spot", "lifetime": "1 min" })"))
          .strategies[0],
      "the notice is longer than the mean life"));
  CHECK(warns(read(with(R"("limits": { "deadline": "30 d", "horizon": "1 d" })")).strategies[0],
              "horizon comes before the deadline"));
}

std::string layout(const std::string& nodes, const std::string& workload, const std::string& training) {
  return R"({ "workload": { "model": "eight-b", "tokens": "1T", )" + workload +
         R"( "sequence_length": 4096 }, "training": { )" + training +
         R"( }, "fleet": { "main": { "instance": "aws/p5", "region": "us-east-1", "nodes": )" + nodes + " } } }";
}

TEST_CASE("N24: a layout that does not fit is refused with its arithmetic and the nearest that works") {
  const std::string cut = R"("parallelism": { "tensor": 8, "pipeline": 8 })";
  check_refused(
      layout("184", R"("global_batch": "32 samples",)", cut), "/workload/global_batch",
      "tensor 8 x pipeline 8 x DP = 1472 gives DP = 23; global batch 32 / 23 is not whole (allowed: 23 or 46 samples)");
  check_refused(layout("185", "", cut), "/training/parallelism",
                "tensor 8 x pipeline 8 x DP = 1480 gives DP = 23.125, which is not whole (allowed: 1472 or 1536 GPUs");
  check_refused(layout("3", "", R"("parallelism": { "tensor": 12 })"), "/training/parallelism/tensor",
                "heads 32 / tensor 12 is not whole (allowed: tensor of 8 or 16)");
  check_refused(layout("3", "", R"("parallelism": { "pipeline": 3 })"), "/training/parallelism/pipeline",
                "layers 32 / pipeline 3 is not whole (allowed: pipeline of 2 or 4)");
  check_refused(layout("4", "", R"("parallelism": { "pipeline": 4, "virtual": 3 })"), "/training/parallelism/pipeline",
                "layers 32 / pipeline x virtual 12 is not whole");
  check_refused(layout("4", "", R"("parallelism": { "expert": 8 })"), "/training/parallelism/expert",
                "the model has no experts");
  CHECK(faults(layout("184", R"("global_batch": "46 samples",)", cut)).empty());
  CHECK(faults(layout("184", "", R"("parallelism": "auto")")).empty());
  CHECK(warns(read(layout("4", "", R"("parallelism": { "tensor": 16 })")).strategies[0],
              "tensor 16 spans more than the 8 GPUs"));
}

TEST_CASE("N25: a micro-batch that does not divide the batch is refused, never cut") {
  check_refused(layout("2", R"("global_batch": "48 samples",)", R"("micro_batch": 11, "parallelism": { "tensor": 1 })"),
                "/workload/global_batch", "global batch 48 / 16 / micro_batch 11 is not whole");
  check_refused(layout("1", R"("global_batch": "48 samples",)",
                       R"("micro_batch": 2, "accumulation": 4, "parallelism": { "tensor": 1 })"),
                "/training/accumulation",
                "DP 8 x micro_batch 2 x accumulation 4 = 64, but the global batch is 48 (allowed: accumulation of 3");
  check_refused(layout("1", R"("global_batch": "48 samples",)", R"("micro_batch": 5, "accumulation": 2)"),
                "/training/accumulation", "global batch 48 / (micro_batch 5 x accumulation 2) is not whole");
  check_refused(layout("1", R"("global_batch": "1M tokens",)", R"("micro_batch": 2)"), "/workload/global_batch",
                "1000000 tokens / sequence_length 4096 is 244.141 samples, which is not whole (allowed: 999424 or "
                "1003520 tokens)");
  CHECK(faults(layout("1", R"("global_batch": "48 samples",)",
                      R"("micro_batch": 2, "accumulation": 3, "parallelism": { "tensor": 1 })"))
            .empty());
  CHECK(faults(layout("1", R"("global_batch": "3 samples",)", R"("parallelism": { "sharding": "zero3" })")).empty());
  const Scenario derived =
      read(layout("1", "", R"("micro_batch": 2, "accumulation": 3, "parallelism": { "tensor": 1 })")).strategies[0];
  CHECK(derived.workload.global_batch->count == 48);
}

TEST_CASE("what belongs to later versions is refused as not yet supported, never ignored and never unknown") {
  for (const char* members :
       {R"("sourcing": { "policy": "failover" })", R"("links": [])", R"("quality": {})", R"("tags": {})",
        R"("data": { "cache": {} })", R"("checkpoint": { "local": {} })", R"("recovery": { "spares": {} })",
        R"("limits": { "miss_cost": "1 USD/d" })", R"("recovery": { "policy": "elastic" })",
        R"("checkpoint": { "interval": "optimal" })", R"("checkpoint": { "interval": "adaptive" })"}) {
    CAPTURE(members);
    const auto list = faults(with(members));
    REQUIRE(list.size() == 1);
    CHECK(has(list[0].problem, "not yet supported"));
  }
  for (const char* pool :
       {R"("quota": "128 GPU")", R"("market": "reserved")", R"("market": "queued")", R"("stragglers": {})"}) {
    CAPTURE(pool);
    const std::string region = has(pool, "price") ? "" : R"("region": "us-east-1", )";
    const auto list = faults(with_pool(R"({ "instance": "aws/p5", )" + region + R"("nodes": 1, )" + pool + " }"));
    REQUIRE(list.size() == 1);
    CHECK(has(list[0].problem, "not yet supported"));
  }
  CHECK(faults(with_workload(R"({ "work": "1 h", "batch_ramp": [] })")).size() == 1);
}

}  // namespace
}  // namespace fleetcast::scenarios
