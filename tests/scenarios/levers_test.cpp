// Fields of training about memory, communication and software.
#include <doctest/doctest.h>

#include "reading.hpp"

namespace fleetcast::scenarios {
namespace {

using test::assumed;
using test::faults;
using test::has;
using test::messages;
using test::read;
using test::warns;
using test::with;
using test::with_workload;

std::string training(const std::string& members) {
  return with(R"("training": { )" + members + " }");
}

Training trained(const std::string& members) {
  return read(training(members)).strategies[0].training;
}

/// A workload without a model, with fields of training.
std::string measured(const std::string& fields, const std::string& members) {
  return R"({ "workload": { "steps": 1000, "measured": { )" + fields + R"( } }, "training": { )" + members +
         R"( }, "fleet": { "main": { "instance": "aws/p5", "region": "us-east-1", "nodes": 16 } } })";
}

void check_refused(const std::string& text, const std::string& pointer, const std::string& piece) {
  const auto list = faults(text);
  CAPTURE(messages(list));
  REQUIRE(list.size() == 1);
  CHECK(list[0].pointer == pointer);
  CHECK(has(models::describe(list[0]), piece));
}

TEST_CASE("what nobody says is kept apart from what somebody says, with the default") {
  const Training plain = trained("");
  CHECK_FALSE(plain.gradient_sync);
  CHECK_FALSE(plain.overlap);
  CHECK_FALSE(plain.memory_limit);
  CHECK_FALSE(plain.exchange);
  CHECK_FALSE(plain.recompute);
  CHECK(plain.imbalance == 1.1);
  CHECK(plain.activation_compression == 1.0);
  CHECK(plain.offload == Offload::none);
  CHECK(plain.software.kind == Software::Kind::unknown);
  CHECK_FALSE(plain.software.year);
}

TEST_CASE("each field is read") {
  const Training given = trained(R"("gradient_sync": "reduce-scatter", "overlap": 0.7, "offload": "optimizer",
      "activation_compression": 2, "memory_limit": "70 GB", "recompute": "none")");
  CHECK(given.gradient_sync == GradientSync::reduce_scatter);
  CHECK(given.overlap == 0.7);
  CHECK(given.offload == Offload::optimizer);
  CHECK(given.activation_compression == 2.0);
  CHECK(given.memory_limit->value() == 70e9);
  CHECK(given.recompute == Recompute::none);
  CHECK(trained(R"("offload": "all")").offload == Offload::all);
  CHECK(trained(R"("gradient_sync": "once")").gradient_sync == GradientSync::once);
  CHECK(trained(R"("gradient_sync": "every", "parallelism": { "sharding": "zero3" })").gradient_sync ==
        GradientSync::every);
}

TEST_CASE("values outside their range are refused at their place") {
  check_refused(training(R"("gradient_sync": "evry")"), "/training/gradient_sync", "did you mean \"every\"?");
  check_refused(training(R"("overlap": 70)"), "/training/overlap", "looks like percent");
  check_refused(training(R"("overlap": -0.1)"), "/training/overlap", "from 0 to 1");
  check_refused(training(R"("imbalance": 0.99)"), "/training/imbalance", "from 1");
  check_refused(training(R"("activation_compression": 0.5)"), "/training/activation_compression", "from 1");
  check_refused(training(R"("offload": "optimiser")"), "/training/offload", "did you mean \"optimizer\"?");
  check_refused(training(R"("memory_limit": "0 GB")"), "/training/memory_limit", "more than 0 bytes");
  check_refused(training(R"("memory_limit": 80)"), "/training/memory_limit", "the unit is missing");
}

TEST_CASE("the imbalance of experts is a default worth knowing, and of no effect without them") {
  const std::string experts = R"({ "tokens": "1T", "sequence_length": 2048, "model": { "layers": 32, "hidden": 4096,
      "heads": 32, "ffn": 8192, "vocab": 50000, "experts": 8, "experts_active": 2, "expert_ffn": 8192 } })";
  CHECK(assumed(read(with_workload(experts)).strategies[0], "/training/imbalance").value == "1.1");
  CHECK(assumed(read(with("")).strategies[0], "/training/imbalance").value.empty());
  CHECK(warns(read(training(R"("imbalance": 1.5)")).strategies[0], "no experts"));
}

TEST_CASE("offloading needs a model that says what is moved") {
  check_refused(measured(R"("step_time": "2 s")", R"("offload": "optimizer")"), "/training/offload", "no model");
  CHECK(faults(measured(R"("step_time": "2 s")", R"("offload": "none")")).empty());
}

TEST_CASE("a memory limit above what the GPU has is odd") {
  CHECK(warns(read(training(R"("memory_limit": "81 GB")")).strategies[0], "81 GB is above the 80 GB of the H100"));
  CHECK_FALSE(warns(read(training(R"("memory_limit": "80 GB")")).strategies[0], "memory_limit"));
}

TEST_CASE("software is a year, a kind, or both") {
  const auto software = [](const std::string& value) { return trained("\"software\": " + value).software; };
  CHECK(software("2023").year == 2023);
  CHECK(software("2023").kind == Software::Kind::unknown);
  CHECK(software("\"megatron 2025\"").kind == Software::Kind::tuned);
  CHECK(software("\"megatron 2025\"").year == 2025);
  CHECK(software("\" pytorch  2023 \"").year == 2023);
  CHECK(software("\"pytorch\"").kind == Software::Kind::pytorch);
  CHECK_FALSE(software("\"jax\"").year);
  CHECK(software("\"jax\"").kind == Software::Kind::jax);
  CHECK(has(assumed(read(with("")).strategies[0], "/training/software").value, "unknown kind"));
  CHECK(assumed(read(training(R"("speed": "0.4 MFU")")).strategies[0], "/training/software").value.empty());
  const auto refused = [](const std::string& value, const std::string& piece) {
    check_refused(training("\"software\": " + value), "/training/software", piece);
  };
  refused("\"2023\"", "without quotes");
  refused("1925", "from 2017 to 2050");
  refused("2023.5", "from 2017 to 2050");
  refused("\"megatorn 2025\"", "did you mean \"megatron\"?");
  refused("\"pytorch 25\"", "found the year \"25\"");
  refused("\"pytorch 2.9\"", "found the year \"2.9\"");
  refused("true", "from 2017 to 2050");
}

TEST_CASE("local steps say how often gradients are exchanged, and in which width") {
  const LocalSteps steps = *trained(R"("exchange": { "every": "100 steps", "precision": "int8" })").exchange;
  CHECK(steps.every.in_steps);
  CHECK(steps.every.value == 100.0);
  CHECK(models::bits_of(*steps.precision) == 8);
  const LocalSteps minutes = *trained(R"("exchange": { "every": "5 min" })").exchange;
  CHECK_FALSE(minutes.every.in_steps);
  CHECK(minutes.every.value == 300.0);
  CHECK_FALSE(minutes.precision);
  check_refused(training(R"("exchange": { "precision": "bf16" })"), "/training/exchange/every", "\"every\" is missing");
  check_refused(training(R"("exchange": { "every": "0 steps" })"), "/training/exchange/every", "more than 0 steps");
  check_refused(training(R"("exchange": { "every": "0.5 steps" })"), "/training/exchange/every", "whole");
  check_refused(training(R"("exchange": { "every": 100 })"), "/training/exchange/every", "the unit is missing");
  check_refused(training(R"("exchange": { "every": "1 step", "precision": "int3" })"), "/training/exchange/precision",
                "int8");
  check_refused(training(R"("exchange": { "every": "1 step", "often": 1 })"), "/training/exchange/often", "unknown");
  check_refused(training(R"("exchange": "100 steps")"), "/training/exchange", "expects an object");
}

TEST_CASE("local steps need gradients, and a span of at least a step") {
  const std::string each_100 = R"("exchange": { "every": "100 steps" })";
  check_refused(measured(R"("step_time": "2 s")", each_100), "/training/exchange", "without gradients");
  CHECK(faults(measured(R"("step_time": "2 s", "gradients": "1 GB")", each_100)).empty());
  CHECK(faults(measured(R"("step_time": "2 s", "exchange": "1 s")", each_100)).empty());
  const auto with_step = [](const std::string& every) {
    return read(training(R"("speed": "30 s/step", "exchange": { "every": ")" + every + "\" }")).strategies[0];
  };
  CHECK(warns(with_step("29 s"), "exchanged at every step"));
  CHECK_FALSE(warns(with_step("30 s"), "exchanged"));
}

TEST_CASE("measured steps scale with the network if it is known what it carries, and within which step") {
  const auto scaling = [](const std::string& fields) { return measured(fields + R"(, "scaling": "network")", ""); };
  const std::string good = scaling(R"("step_time": "2 s", "gradients": "1 GB")");
  CHECK(read(good).strategies[0].workload.measured->scaling == MeasuredWorkload::Scaling::network);
  CHECK(faults(scaling(R"("exchange": "1 s", "gradients": "1 GB")")).empty());
  const std::string place = "/workload/measured/scaling";
  check_refused(scaling(R"("step_time": "2 s")"), place, "what is exchanged");
  check_refused(scaling(R"("step_time": "2 s", "gradients": "0 GB")"), place, "what is exchanged");
  check_refused(scaling(R"("gradients": "1 GB")"), place, "step_time, exchange or rows");
  const std::string row =
      R"("rows": [ { "gpu": "H100", "precision": "bf16", "gpus": 8, "samples_per_s_per_gpu": 30 } ])";
  std::string by_rows = scaling(row + R"(, "gradients": "1 GB")");
  by_rows.insert(by_rows.find(R"("steps")"), R"("global_batch": "480 samples", )");
  CHECK(faults(by_rows).empty());
  check_refused(scaling(row), place, "what is exchanged");
}

TEST_CASE("a layout that names a degree is fixed, the others being 1; without one it is to be chosen") {
  const Parallelism open = trained("").parallelism;
  CHECK(open.automatic);
  CHECK_FALSE(open.sharding);
  const Parallelism sharded =
      trained(R"("parallelism": { "sharding": "fsdp", "sequence_parallel": false })").parallelism;
  CHECK(sharded.automatic);
  CHECK(sharded.sharding == Sharding::zero3);
  CHECK(sharded.sequence_parallel == false);
  const Parallelism fixed = trained(R"("parallelism": { "tensor": 8 })").parallelism;
  CHECK_FALSE(fixed.automatic);
  CHECK(fixed.tensor == 8);
  CHECK_FALSE(fixed.pipeline);
  CHECK(fixed.pipeline_or_1() == 1);
  CHECK_FALSE(fixed.sharding);
  CHECK_FALSE(trained(R"("parallelism": { "context": 1 })").parallelism.automatic);
}

}  // namespace
}  // namespace fleetcast::scenarios
