#include "models/compute.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "models/errors.hpp"
#include "tests/models/step_questions.hpp"

using namespace fleetcast::models;
using namespace fleetcast::models::test;

namespace {

ThroughputCalibration calibration() {
  ThroughputCalibration made;
  made.spreads = {{"tuned dense", 0.08, 0.10, 0.03}, {"ordinary dense", 0.08, 0.12, 0.03}, {"mixture", 0.2, 0.25, 0.1}};
  for (const double gpus : {8.0, 64.0, 512.0})
    made.rows.push_back({"row-" + std::to_string(static_cast<int>(gpus)), "Llama-7B", "H100", Precision::bf16, false,
                         6.5e9, gpus, 4096, 10000});
  made.newest = 2026.0;
  return made;
}

StepQuestion unknown_software() {
  StepQuestion asked = question();
  asked.software.known = false;
  return asked;
}

}  // namespace

TEST_CASE("unknown software is the middle of tuned and ordinary, and its distance is an error that all share") {
  const ThroughputCalibration made = calibration();
  StepQuestion asked = question();
  const double tuned = estimate_step(asked, made, false).parts.total();
  asked.software.stack = Stack::pytorch;
  const double ordinary = estimate_step(asked, made, false).parts.total();
  const StepEstimate middle = estimate_step(unknown_software(), made, false);
  CHECK(std::abs(middle.parts.total() - 0.5 * (tuned + ordinary)) < 1e-9);
  const double half = 0.5 * std::log(ordinary / tuned);
  CHECK(std::abs(middle.log_sd_common - std::sqrt(0.10 * 0.10 - 0.03 * 0.03 + half * half)) < 1e-9);
  CHECK(std::abs(middle.log_sd_contrast - 0.03) < 1e-12);
}

TEST_CASE("software of the future counts as the newest that was calibrated") {
  StepQuestion asked = question();
  asked.software.year = 2026.0;
  const double newest = quick_step(asked, calibration()).total();
  asked.software.year = 2040.0;
  CHECK(quick_step(asked, calibration()).total() == newest);
}

TEST_CASE("MFU is model FLOPs over the dense peak, HFU counts what is done twice") {
  StepQuestion asked = question();
  const StepEstimate plain = estimate_step(asked, calibration(), false);
  const double flops = 64 * 4096.0 * model_flops_per_token(asked.shape, 4096);  // 16 replicas x 4 sequences
  CHECK(std::abs(plain.mfu - flops / plain.parts.total() / 64 / 1000e12) < 1e-9);
  CHECK(plain.hfu == plain.mfu);
  asked.layout.recompute = Recompute::full;
  const StepEstimate recomputed = estimate_step(asked, calibration(), false);
  CHECK(recomputed.hfu / recomputed.mfu > 1.30);  // 4/3 but for the output layer
  CHECK(recomputed.hfu / recomputed.mfu < 1.34);
}

TEST_CASE("evidence grades follow the distance to measured rows") {
  const ThroughputCalibration made = calibration();
  StepQuestion asked = question();
  CHECK(estimate_step(asked, made, false).grade == Grade::measured);
  asked.shape = shape(40, 5120);  // 13B
  CHECK(estimate_step(asked, made, false).grade == Grade::fitted);
  asked.layout.data = 4096;
  CHECK(estimate_step(asked, made, false).grade == Grade::extrapolated);
  asked = question();
  asked.precision = Precision::fp8;
  const StepEstimate other = estimate_step(asked, made, false);
  CHECK(other.grade == Grade::assumed);
  CHECK(other.log_sd_contrast > 0.15);
  CHECK(other.nearest.id == "row-64");
}

TEST_CASE("far outside the measurements it refuses and names the nearest, unless told to go on") {
  StepQuestion asked = question();
  asked.shape = shape(4, 256);
  asked.shape.heads = asked.shape.kv_heads = 4;
  CHECK_THROWS_AS(estimate_step(asked, calibration(), false), InfeasibleError);
  try {
    estimate_step(asked, calibration(), false);
  } catch (const InfeasibleError& error) {
    CHECK(std::string{error.what()}.find("Llama-7B bf16 on 64 H100") != std::string::npos);
  }
  CHECK(estimate_step(asked, calibration(), true).grade == Grade::extrapolated);
}

TEST_CASE("a GPU without the format is refused always") {
  StepQuestion asked = question();
  asked.precision = Precision::nvfp4;
  CHECK_THROWS_AS(estimate_step(asked, calibration(), true), InfeasibleError);
}
