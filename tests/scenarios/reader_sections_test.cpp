#include <doctest/doctest.h>

#include "reading.hpp"

namespace fleetcast::scenarios {
namespace {

using test::assumed;
using test::has;
using test::messages;
using test::read;
using test::warns;
using test::with;
using test::with_workload;

TEST_CASE("failures are typical, none, or causes with a rate per node, GPU or fleet, or with events") {
  CHECK(read(with(R"("failures": "none")")).strategies[0].failures.empty());
  const Scenario typical = read(with(R"("failures": "typical")")).strategies[0];
  CHECK(typical.failures[0].rate_per_gpu == doctest::Approx(2e-5 / 3600));
  CHECK(typical.failures[0].rate_sigma == 0.6);
  CHECK_FALSE(typical.failures[0].repair_given);
  CHECK_FALSE(typical.failures[1].needs_node);
  const Scenario own = read(with(R"json("failures": { "causes": {
      "host": { "rate": "2 /d", "detect": "10 min", "repair": "lognormal(median 30 h, sigma 0.8)", "takes": "fleet" },
      "gpu": { "rate": "0 /GPU-h", "kind": "planned" },
      "disk": { "rate": "8.64 /node-d", "needs_node": false, "host_survives": 0.75 },
      "seen": { "events": 419, "exposure": "2.1e7 GPU-h" } } })json"))
                           .strategies[0];
  REQUIRE(own.failures.size() == 4);
  CHECK(own.failures[0].rate_of_fleet == doctest::Approx(2.0 / 86400));
  CHECK(own.failures[0].takes_fleet);
  CHECK(own.failures[0].repair_given);
  CHECK(std::get<models::Constant>(own.failures[0].detect->fixed).value == 600.0);
  CHECK(own.failures[1].rate_per_gpu == 0.0);
  CHECK(own.failures[1].kind == FailureKind::planned);
  CHECK(own.failures[2].rate_per_node == doctest::Approx(1e-4));
  CHECK_FALSE(own.failures[2].needs_node);
  CHECK(own.failures[2].host_survives == 0.75);
  CHECK(*own.failures[3].events == 419);
  CHECK(own.failures[3].rate_per_gpu == doctest::Approx(419.5 / (2.1e7 * 3600)));
  CHECK(has(
      messages(with(R"("failures": { "causes": { "a": { "rate": "1 /d", "events": 1, "exposure": "1 GPU-h" } } })")),
      "rate contradicts events"));
  CHECK(has(messages(with(R"("failures": { "causes": { "a": { "events": 1 } } })")), "\"exposure\" is missing"));
  CHECK(has(messages(with(R"("failures": { "causes": {} })")), "no cause is given"));
  CHECK(has(messages(with(R"("failures": "some")")), "found \"some\""));
}

TEST_CASE("hangs, silent errors and the coordinator, with the defaults of what finds them") {
  const Scenario faults = read(with(R"json("recovery": { "hang_timeout": "30 min", "resume_failure": 0.02 },
      "failures": { "bad_nodes": { "share": 0.15, "factor": 5 }, "causes": {
      "NCCL": { "rate": "1 /d", "kind": "hang", "needs_node": false },
      "store": { "rate": "1 /d", "kind": "hang", "detect": "1 min" },
      "bits": { "rate": "1 /d", "kind": "silent" },
      "meeting": { "rate": "1 /d", "kind": "coordinator" },
      "deleted": { "rate": "1 /d", "takes": "fleet", "repair": "6 h", "returns": 0.875 } } })json"))
                              .strategies[0];
  REQUIRE(faults.failures.size() == 5);
  const auto detect_s = [&](std::size_t i) { return models::mean(faults.failures[i].detect->fixed); };
  CHECK(faults.failures[0].kind == FailureKind::hang);
  CHECK(detect_s(0) == 1800.0);
  CHECK(has(assumed(faults, "/failures/causes/NCCL/detect").source, "hang_timeout"));
  CHECK(detect_s(1) == 60.0);
  CHECK(assumed(faults, "/failures/causes/store/detect").value.empty());
  CHECK(faults.failures[2].kind == FailureKind::silent);
  CHECK(assumed(faults, "/failures/causes/bits/detect").value == "6 h");
  CHECK(faults.failures[3].kind == FailureKind::coordinator);
  CHECK(assumed(faults, "/failures/causes/meeting/repair").value == "0 s");
  CHECK(faults.failures[4].returns == 0.875);
  CHECK(faults.bad_nodes.share == 0.15);
  CHECK(faults.bad_nodes.factor == 5.0);
  CHECK(faults.recovery.resume_failure == 0.02);
  const Scenario plain = read(with(R"("failures": "none")")).strategies[0];
  CHECK(plain.recovery.hang_timeout.value() == 600.0);
  CHECK(assumed(plain, "/recovery/resume_failure").value == "0");
}

TEST_CASE("faults that contradict themselves are refused") {
  const auto cause = [](const std::string& fields) {
    return messages(with(R"("failures": { "causes": { "a": { "rate": "1 /d", )" + fields + " } } }"));
  };
  CHECK(has(cause(R"("returns": 0.5, "repair": "1 h")"), "returns without takes \"fleet\""));
  CHECK(has(cause(R"("returns": 0.5, "takes": "fleet")"), "returns without repair"));
  CHECK(has(cause(R"("kind": "coordinator", "takes": "fleet")"), "the coordinator is one node"));
  CHECK(has(cause(R"("kind": "hangs")"), "hang"));
  const auto bad = [](const std::string& nodes) {
    return messages(with(R"("failures": { "causes": { "a": { "rate": "1 /d" } }, "bad_nodes": )" + nodes + " }"));
  };
  CHECK(has(bad("{}"), "\"share\" is missing"));
  CHECK(has(bad(R"({ "share": 0.1, "factor": 0 })"), "a number above 0"));
  CHECK(has(bad(R"({ "share": 1.5, "factor": 2 })"), "1.5"));
  CHECK(has(bad("0.15"), "failures.bad_nodes"));
  CHECK(has(messages(with(R"("recovery": { "hang_timeout": "0 s" })")), "hang_timeout"));
}

TEST_CASE("recovery is one time or parts, each with its share per rank and per node") {
  const Scenario parts =
      read(with(R"("recovery": { "restart": { "image": "20 s", "setup": { "fixed": "30 s", "per_rank": "70 ms" } } })"))
          .strategies[0];
  CHECK(std::get<models::Constant>(parts.recovery.parts.image->fixed).value == 20.0);
  CHECK(parts.recovery.parts.setup->per_rank == doctest::Approx(0.07));
  CHECK_FALSE(parts.recovery.parts.boot.has_value());
  CHECK(assumed(parts, "/recovery/restart/image").value.empty());
  CHECK(assumed(parts, "/recovery/restart/boot").value == "3 min");
  const Scenario whole = read(with(R"("recovery": { "policy": "restart", "restart": "34 min" })")).strategies[0];
  CHECK(std::get<models::Constant>(*whole.recovery.whole).value == 2040.0);
  CHECK(assumed(whole, "/recovery/restart/boot").value.empty());
}

TEST_CASE("checkpoints are read with interval, measured times and store") {
  const Checkpoint saves =
      read(with(R"("checkpoint": { "mode": "async", "interval": "500 steps", "size": "1 TB", "keep": 5, "final": false,
      "measured": { "blocked": "0.2 s", "persist": "120 s", "load": "5 min" }, "on_notice": false })"))
          .strategies[0]
          .checkpoint;
  CHECK(saves.mode == Checkpoint::Mode::async);
  CHECK(saves.interval->in_steps);
  CHECK(saves.interval->value == 500.0);
  CHECK(saves.size->value() == 1e12);
  CHECK(*saves.keep == 5);
  CHECK_FALSE(saves.final_save);
  CHECK_FALSE(saves.on_notice);
  CHECK(std::get<models::Constant>(*saves.measured->persist).value == 120.0);
  CHECK_FALSE(
      read(with(R"("checkpoint": { "interval": "young-daly" })")).strategies[0].checkpoint.interval.has_value());
  CHECK(has(messages(with(R"("checkpoint": { "store": "gcp/objekt" })")), "did you mean \"gcp/object\"?"));
  CHECK(warns(read(with(R"("checkpoint": { "store": "gcp/object" })")).strategies[0], "not at the provider"));
}

TEST_CASE("limits take times, dates and money") {
  const Limits limits =
      read(with(R"("start": "2026-03-02T11:30Z", "limits": { "deadline": "2026-03-03T11:30Z", "budget": "50000 USD",
      "stop_at": ["budget", "deadline"], "horizon": "60 d" })"))
          .strategies[0]
          .limits;
  CHECK(limits.deadline->value() == 86400.0);
  CHECK(limits.budget->value() == 50000.0);
  CHECK(limits.stop_at_budget);
  CHECK(limits.stop_at_deadline);
  CHECK(limits.horizon->value() == 60 * 86400.0);
  CHECK(has(messages(with(R"("limits": { "stop_at": ["budget"] })")), "names \"budget\", which is not given"));
  CHECK(has(messages(with(R"("limits": { "stop_at": "deadline", "deadline": "1 d" })")), "expects a list"));
}

TEST_CASE("a measured workload is read, and speeds in all their forms") {
  const Scenario work = read(with_workload(R"({ "work": "400 h" })")).strategies[0];
  CHECK(work.workload.amount.work.value() == 1440000.0);
  CHECK(std::get<models::Constant>(*work.workload.measured->step_time).value == 1.0);
  CHECK(assumed(work, "/workload/measured/step_time").value == "1 s");
  const Scenario rows = read(with_workload(R"({ "samples": "80M", "global_batch": "2048 samples", "measured": {
      "rows": [ { "gpu": "A100", "precision": "bf16", "gpus": 8, "samples_per_s_per_gpu": 340 } ], "state": "1.2 GB" } })"))
                            .strategies[0];
  REQUIRE(rows.workload.measured->rows.size() == 1);
  CHECK(rows.workload.measured->rows[0].gpu == "A100");
  CHECK(rows.workload.measured->state.value() == 1.2e9);
  CHECK_FALSE(rows.workload.measured->step_time.has_value());
  const auto speed = [](const std::string& text) {
    return read(with(R"("training": { "speed": ")" + text + "\" }")).strategies[0].training.speed;
  };
  CHECK(speed("model").kind == Speed::Kind::model);
  CHECK(speed("21.6 s/step").value == 21.6);
  CHECK(speed("0.40 MFU").kind == Speed::Kind::mfu);
  CHECK(speed("0.40 MFU-6ND").kind == Speed::Kind::mfu_6nd);
  CHECK(speed("3700 tokens/s/GPU").kind == Speed::Kind::tokens_per_s_per_gpu);
  CHECK(has(messages(R"({ "workload": { "work": "4 h" }, "training": { "speed": "0.4 MFU" },
      "fleet": { "m": { "instance": "aws/p5", "region": "us-east-1", "nodes": 1 } } })"),
            "no model to count FLOPs of"));
  CHECK(has(
      messages(
          R"({ "workload": { "work": "4 h", "measured": { "step_time": "2 s" } }, "training": { "speed": "3 s/step" },
      "fleet": { "m": { "instance": "aws/p5", "region": "us-east-1", "nodes": 1 } } })"),
      "both say how fast"));
}

TEST_CASE("precision defaults to fp16 where a GPU has no bf16, and must exist on the GPU") {
  const auto on = [](const std::string& instance, const std::string& training) {
    return R"({ "workload": { "model": "eight-b", "tokens": "1T" }, "training": )" + training +
           R"(, "fleet": { "main": { "instance": ")" + instance + R"(", "region": "us-east-1", "nodes": 1 } } })";
  };
  CHECK(read(on("aws/p3", "{}")).strategies[0].training.precision == models::Precision::fp16);
  CHECK(assumed(read(on("aws/p3", "{}")).strategies[0], "/training/precision").value == "fp16");
  const std::string why = messages(on("aws/p4d", R"({ "precision": "fp8" })"));
  CHECK(has(why, "the A100 of pool \"main\" has no fp8"));
  CHECK(has(why, "allowed: fp32, tf32, fp16, bf16"));
}

TEST_CASE("an own shape that is like another keeps a layer for each of its blocks, and a width for a plain MLP") {
  models::Catalog known = test::catalog();
  models::TransformerShape hybrid = test::shape("hybrid", 20, 4096, 32);
  hybrid.attention_layers = 4;
  hybrid.mamba_layers = 8;
  hybrid.experts = 8;
  hybrid.experts_active = 2;
  hybrid.expert_ffn = 4096;
  hybrid.ffn = 0;
  known.shapes.push_back(hybrid);
  const auto why = [&](const std::string& change) {
    const std::string shape = R"({ "like": "hybrid", )" + change + " }";
    try {
      read_scenario_text(with_workload(R"({ "tokens": "1T", "model": )" + shape + " }"), "case.json", known, {});
    } catch (const models::InputError& error) {
      return messages(error.faults());
    }
    return std::string{};
  };
  CHECK(why(R"("layers": 12)").empty());
  CHECK(has(why(R"("layers": 11)"), "11 layers are fewer than"));
  CHECK(has(why(R"("experts": 0)"), "ffn is missing"));
  CHECK(why(R"("experts": 0, "ffn": 16384)").empty());
}

TEST_CASE("an own shape is checked: heads, experts, size") {
  const auto why = [](const std::string& shape) {
    return messages(with_workload(R"({ "tokens": "1T", "sequence_length": 2048, "model": )" + shape + " }"));
  };
  CHECK(why(R"({ "layers": 32, "hidden": 4096, "heads": 32, "ffn": 16384, "vocab": 50000, "gated": false })").empty());
  CHECK(has(why(R"({ "layers": 32, "hidden": 4100, "heads": 32, "ffn": 16384, "vocab": 50000 })"),
            "hidden 4100 / heads 32 is not whole"));
  CHECK(has(why(R"({ "layers": 32, "hidden": 4096, "heads": 32, "kv_heads": 5, "ffn": 16384, "vocab": 50000 })"),
            "kv_heads 5 is not whole"));
  CHECK(has(why(R"({ "layers": 32, "hidden": 4096, "heads": 32, "ffn": 16384 })"), "\"vocab\" is missing"));
  CHECK(has(why(R"({ "layers": 32, "hidden": 4096, "heads": 32, "ffn": 16384, "vocab": 50000, "experts": 8 })"),
            "experts_active"));
  CHECK(has(why(R"({ "layers": 32, "hidden": 4096, "heads": 32, "ffn": 16384, "vocab": 50000, "parameters": "70B" })"),
            "the shape has"));
  CHECK(has(messages(with_workload(
                R"({ "tokens": "1T", "model": { "layers": 2, "hidden": 64, "heads": 2, "ffn": 64, "vocab": 50 } })")),
            "\"sequence_length\" is missing"));
}

}  // namespace
}  // namespace fleetcast::scenarios
