// How many steps a workload takes, and how long one is.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "models/errors.hpp"
#include "tests/sim/plain_scenario.hpp"

namespace fleetcast::tests {
namespace {

using scenarios::Amount;
using scenarios::GlobalBatch;
using scenarios::Scenario;
using scenarios::Speed;

Scenario model_scenario(models::TransformerShape shape = shape_7b()) {
  Scenario scenario = plain_scenario(1);
  scenario.workload.measured.reset();
  scenario.workload.model = shape;
  scenario.workload.sequence_length = 4096.0;
  scenario.training.speed = {Speed::Kind::step_time, 2.0};
  scenario.recovery.parts.load.emplace();
  return scenario;
}

double default_batch(models::TransformerShape shape) {
  return plan_of(model_scenario(std::move(shape))).facts.tokens_per_step;
}

/// The place of the only fault of a scenario that contradicts itself.
std::string fault_of(const Scenario& scenario) {
  try {
    plan_of(scenario);
  } catch (const models::InputError& error) {
    REQUIRE(error.faults().size() == 1);
    CHECK(!error.faults()[0].problem.empty());
    CHECK(!error.faults()[0].allowed.empty());
    return error.faults()[0].pointer;
  }
  return "no fault";
}

}  // namespace

TEST_CASE("steps are taken as they are; tokens and samples are divided by the batch, a part of a step is a step") {
  Scenario scenario = plain_scenario();
  CHECK(plan_of(scenario).steps == 1000);
  scenario.workload.global_batch = GlobalBatch{GlobalBatch::Unit::samples, 2048.0};
  scenario.workload.amount = {Amount::Kind::samples, 2048.0 * 10, {}};
  CHECK(plan_of(scenario).steps == 10);
  scenario.workload.amount.count += 1.0;
  CHECK(plan_of(scenario).steps == 11);
  scenario.workload.sequence_length = 1024.0;
  scenario.workload.amount = {Amount::Kind::tokens, 2048.0 * 1024.0 * 7, {}};
  CHECK(plan_of(scenario).steps == 7);
  scenario.workload.global_batch = GlobalBatch{GlobalBatch::Unit::tokens, 1024.0 * 1024.0};
  CHECK(plan_of(scenario).steps == 14);
  CHECK(plan_of(scenario).facts.samples_per_step == 1024.0);
}

TEST_CASE("work is the time of undisturbed steps that never wait") {
  Scenario scenario = plain_scenario();
  scenario.workload.amount = {Amount::Kind::work, 0.0, models::Seconds{3600.0}};
  CHECK(plan_of(scenario).steps == 1800);
  scenario.data_rate = scenarios::DataRate{scenarios::DataRate::Unit::batches, 0.25};  // steps of 4 s
  const sim::Plan waiting = plan_of(scenario);
  CHECK(waiting.steps == 1800);
  CHECK(waiting.facts.step_time_s == doctest::Approx(4.0));
  CHECK(waiting.facts.data_stall_s == doctest::Approx(2.0));
  scenario.data_rate.reset();
  scenario.workload.measured.reset();  // a step of 1 s stands for the work
  CHECK(plan_of(scenario).steps == 3600);
}

TEST_CASE("the default batch grows with the model: 0.5, 2, 4 Mi tokens, and is noted") {
  models::TransformerShape small = shape_7b(), large = shape_7b();
  small.layers = 4;
  large.layers = 200;
  CHECK(default_batch(small) == 0.5 * 1024 * 1024);
  CHECK(default_batch(shape_7b()) == 2.0 * 1024 * 1024);
  CHECK(default_batch(large) == 4.0 * 1024 * 1024);
  const auto assumptions = plan_of(model_scenario()).facts.assumptions;
  CHECK(std::count_if(assumptions.begin(), assumptions.end(),
                      [](const auto& a) { return a.pointer == "/workload/global_batch"; }) == 1);
}

TEST_CASE("a given step time is the mean of the whole gang's step, whatever the jitter") {
  Scenario scenario = plain_scenario(16);
  scenario.training.speed = {Speed::Kind::step_time, 21.6};
  scenario.training.jitter = 0.2;
  const sim::Plan plan = plan_of(scenario);
  CHECK(plan.facts.step_time_s == doctest::Approx(21.6).epsilon(1e-12));
  CHECK(plan.facts.straggler_wait_s > 1.0);
  CHECK(plan.step.node_compute_s == doctest::Approx(21.6 / plan.step.slowest.mean()));
}

TEST_CASE("MFU by the 6ND rule: 7B, 100B tokens, 8 A100 at 40 % of 312 TFLOP/s take about 1,168 h") {
  // 6 x 7e9 x 1e11 = 4.2e21 FLOPs at 0.9984e15 FLOP/s: 1,168.5 h (with 1e15 FLOP/s the usual article says 1,167 h).
  Scenario scenario = model_scenario();
  scenario.workload.amount = {Amount::Kind::tokens, 1e11, {}};
  scenario.training.speed = {Speed::Kind::mfu_6nd, 0.40};
  const sim::Plan plan = plan_of(scenario);
  const double hours = plan.facts.steps * plan.facts.step_time_s / 3600.0;
  const double of_7e9 = hours * 7e9 / models::parameters(shape_7b());
  CHECK(of_7e9 == doctest::Approx(4.2e21 / 0.9984e15 / 3600.0).epsilon(5e-5));  // whole steps: 1 of 47,684
  CHECK(of_7e9 == doctest::Approx(1168.5).epsilon(1e-4));
  CHECK(plan.facts.step_grade == models::Grade::measured);
}

TEST_CASE("MFU counts attention and no embedding, tokens/s/GPU counts tokens") {
  Scenario scenario = model_scenario();
  scenario.training.speed = {Speed::Kind::mfu, 0.5};
  const sim::Plan plan = plan_of(scenario);
  const double flops = models::model_flops_per_token(shape_7b(), 4096.0) * 2.0 * 1024 * 1024;
  CHECK(plan.facts.step_time_s == doctest::Approx(flops / (8 * 312e12 * 0.5)));
  CHECK(*plan.facts.model_flops_per_step == doctest::Approx(flops));
  CHECK(*plan.facts.peak_flops_per_gpu == doctest::Approx(312e12));
  scenario.training.speed = {Speed::Kind::tokens_per_s_per_gpu, 4000.0};
  CHECK(plan_of(scenario).facts.step_time_s == doctest::Approx(2.0 * 1024 * 1024 / (8 * 4000.0)));
}

TEST_CASE("a precision that the GPU does not have is infeasible where its peak is needed") {
  Scenario scenario = model_scenario();
  scenario.training.speed = {Speed::Kind::mfu, 0.5};
  scenario.training.precision = models::Precision::fp8;
  CHECK_THROWS_AS(plan_of(scenario), models::InfeasibleError);
}

TEST_CASE("measured rows: the row of this fleet, else scaled if that is allowed, else refused") {
  Scenario scenario = plain_scenario();  // 16 GPUs
  auto& measured = *scenario.workload.measured;
  measured.step_time.reset();
  measured.rows = {{"A100", models::Precision::bf16, 8, 12.0},
                   {"A100", models::Precision::bf16, 16, 10.0},
                   {"A100", models::Precision::fp16, 16, 99.0},
                   {"H100", models::Precision::bf16, 16, 99.0}};
  scenario.workload.global_batch = GlobalBatch{GlobalBatch::Unit::samples, 1600.0};
  CHECK(plan_of(scenario).facts.step_time_s == doctest::Approx(1600.0 / (16 * 10.0)));
  scenario.fleet[0].nodes = 4;
  CHECK(fault_of(scenario) == "/workload/measured/rows");
  measured.scaling = scenarios::MeasuredWorkload::Scaling::linear;
  CHECK(plan_of(scenario).facts.step_time_s == doctest::Approx(1600.0 / (32 * 10.0)));  // the nearest row
  scenario.workload.global_batch.reset();
  CHECK(fault_of(scenario) == "/workload/global_batch");
}

TEST_CASE("a measured exchange comes on top of the computing, jitter then delays the slowest") {
  Scenario scenario = plain_scenario(16);
  scenario.workload.measured->exchange = models::Constant{0.5};
  scenario.training.jitter = 0.1;
  const sim::Plan plan = plan_of(scenario);
  CHECK(plan.step.node_compute_s == 2.0);
  CHECK(plan.facts.exposed_communication_s == 0.5);
  CHECK(plan.facts.step_time_s == doctest::Approx(2.0 * plan.step.slowest.mean() + 0.5));
}

TEST_CASE("a random measured step keeps its mean and its spread") {
  Scenario scenario = plain_scenario(1);
  scenario.workload.measured->step_time = models::LogNormal{2.0, 0.3};
  const sim::Plan plan = plan_of(scenario);
  const double mean = 2.0 * std::exp(0.045);
  CHECK(plan.facts.step_time_s == doctest::Approx(mean));
  REQUIRE(plan.step.node_draw);
  CHECK(models::mean(*plan.step.node_draw) == doctest::Approx(1.0));
  CHECK(models::variance(*plan.step.node_draw) == doctest::Approx(std::expm1(0.09)));
}

TEST_CASE("inputs that contradict themselves name the field that is missing") {
  Scenario scenario = plain_scenario();
  scenario.workload.amount = {Amount::Kind::tokens, 1e9, {}};
  CHECK(fault_of(scenario) == "/workload/global_batch");
  scenario = plain_scenario();
  scenario.data_rate = scenarios::DataRate{scenarios::DataRate::Unit::samples, 100.0};
  CHECK(fault_of(scenario) == "/data/rate");
  scenario = plain_scenario();
  scenario.training.speed = {Speed::Kind::tokens_per_s_per_gpu, 100.0};
  CHECK(fault_of(scenario) == "/training/speed");
  scenario = plain_scenario();
  scenario.workload.amount.count = 1e16;
  CHECK(fault_of(scenario) == "/workload");
}

TEST_CASE("a loader given in samples serves the batch") {
  Scenario scenario = plain_scenario();
  scenario.workload.global_batch = GlobalBatch{GlobalBatch::Unit::samples, 2048.0};
  scenario.data_rate = scenarios::DataRate{scenarios::DataRate::Unit::samples, 512.0};
  const sim::Plan plan = plan_of(scenario);
  CHECK(plan.step.batch_interval_s == 4.0);
  CHECK(plan.facts.step_time_s == doctest::Approx(4.0));
}

}  // namespace fleetcast::tests
