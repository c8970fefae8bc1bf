#include "models/compute.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "models/errors.hpp"

using namespace fleetcast::models;

namespace {

GpuSpec gpu(std::string id, double peak_16 = 1000e12) {
  GpuSpec spec;
  spec.id = std::move(id);
  spec.peaks = {{Precision::fp32, FlopsPerSecond{peak_16 / 16}},
                {Precision::tf32, FlopsPerSecond{peak_16 / 2}},
                {Precision::fp16, FlopsPerSecond{peak_16}},
                {Precision::bf16, FlopsPerSecond{peak_16}},
                {Precision::fp8, FlopsPerSecond{2 * peak_16}}};
  spec.memory_rate = BytesPerSecond{3e12};
  return spec;
}

TransformerShape model(std::int64_t layers = 32) {
  TransformerShape shape;
  shape.layers = layers;
  shape.hidden = 4096;
  shape.heads = 32;
  shape.kv_heads = 8;
  shape.ffn = 14336;
  shape.vocab = 128256;
  return shape;
}

/// A cell for models of this size; the share of attention is that of the question below, so nothing is corrected.
EfficiencyCell cell(double params, double efficiency) {
  EfficiencyCell found;
  found.gpu = std::string{"X"};  // assigning the literal itself trips a false warning of GCC 12
  found.kind = "dense";
  found.params_center = params;
  found.efficiency = efficiency;
  found.attention_share = attention_share(model(), 8192);
  found.log_sd = 0.1;
  found.rows = 4;
  found.groups = 2;
  found.gpus_low = 8;
  found.gpus_high = 512;
  found.sequence_low = found.sequence_high = 8192;
  found.peak = FlopsPerSecond{1000e12};
  found.memory_rate = BytesPerSecond{3e12};
  return found;
}

EfficiencyTable table() {
  EfficiencyTable found;
  found.cells = {cell(8e9, 0.4), cell(32e9, 0.5)};
  found.rows = {{"R1", "Model-8B", "X", Precision::bf16, false, active_parameters(model()), 128, 8192, 9000}};
  found.attention_slope = 1.0;
  found.log_sd_common = 0.12;
  return found;
}

EfficiencyQuestion question() {
  EfficiencyQuestion asked;
  asked.shape = model();
  asked.gpu = gpu("X");
  asked.gpus = 128;
  asked.sequence_length = 8192;
  asked.tokens_per_step = 4e6;
  return asked;
}

}  // namespace

TEST_CASE("a step takes its model FLOPs over GPUs, peak and efficiency") {
  const StepEstimate estimate = estimate_step(question(), table(), false);
  const double flops = 4e6 * model_flops_per_token(model(), 8192);
  CHECK(estimate.parts.total() == doctest::Approx(flops / (128 * 1000e12 * estimate.efficiency)).epsilon(1e-12));
  CHECK(estimate.parts.exposed_communication == 0.0);
  CHECK(estimate.parts.pipeline_bubble == 0.0);
}

TEST_CASE("between two sizes the efficiency is linear in the logarithms, beyond the last it stays") {
  EfficiencyQuestion asked = question();
  EfficiencyTable wide = table();
  const double here = active_parameters(asked.shape);
  wide.cells[0].params_center = here / 2;
  wide.cells[1].params_center = here * 2;
  CHECK(estimate_step(asked, wide, false).efficiency == doctest::Approx(std::sqrt(0.4 * 0.5)).epsilon(1e-9));
  wide.cells[1].params_center = here / 1.5;
  CHECK(estimate_step(asked, wide, false).efficiency == doctest::Approx(0.5).epsilon(1e-9));
}

TEST_CASE("a row of the same model, GPU and precision within a factor two makes the grade measured") {
  EfficiencyQuestion asked = question();
  CHECK(estimate_step(asked, table(), false).grade == Grade::measured);
  CHECK(estimate_step(asked, table(), false).nearest.id == "R1");
  asked.gpus = 256;
  CHECK(estimate_step(asked, table(), false).grade == Grade::measured);
  asked.gpus = 257;
  CHECK(estimate_step(asked, table(), false).grade == Grade::fitted);
}

TEST_CASE("within a factor four of the measured range an answer is fitted, beyond it extrapolated and less certain") {
  EfficiencyQuestion asked = question();
  asked.gpus = 4 * 512;
  const StepEstimate inside = estimate_step(asked, table(), false);
  CHECK(inside.grade == Grade::fitted);
  CHECK(inside.log_sd_contrast == doctest::Approx(0.1).epsilon(1e-9));
  asked.gpus = 16 * 512;
  const StepEstimate outside = estimate_step(asked, table(), false);
  CHECK(outside.grade == Grade::extrapolated);
  CHECK(outside.log_sd_contrast > inside.log_sd_contrast);
}

TEST_CASE("far outside the measured range it refuses and names the nearest row, unless extrapolation is allowed") {
  EfficiencyQuestion asked = question();
  asked.sequence_length = 8192 * 17;
  CHECK_THROWS_WITH_AS(estimate_step(asked, table(), false), doctest::Contains("Model-8B bf16 on 128 X"),
                       InfeasibleError);
  CHECK(estimate_step(asked, table(), true).grade == Grade::extrapolated);
  asked = question();
  asked.shape = model(32 * 50);
  CHECK_THROWS_AS(estimate_step(asked, table(), false), InfeasibleError);
  CHECK_NOTHROW(estimate_step(asked, table(), true));
}

TEST_CASE("a precision that the GPU does not have is refused, whatever is allowed") {
  EfficiencyQuestion asked = question();
  asked.precision = Precision::nvfp4;
  CHECK_THROWS_WITH_AS(estimate_step(asked, table(), true), "X does not have nvfp4", InfeasibleError);
}

TEST_CASE("FP16 runs as BF16 where the GPU has both") {
  EfficiencyQuestion asked = question();
  const double bf16 = estimate_step(asked, table(), false).efficiency;
  asked.precision = Precision::fp16;
  const StepEstimate fp16 = estimate_step(asked, table(), false);
  CHECK(fp16.efficiency == bf16);
  CHECK(fp16.grade == Grade::fitted);
}

TEST_CASE("another precision is carried over: twice the peak is never twice the speed, and the grade says assumed") {
  EfficiencyQuestion asked = question();
  const StepEstimate bf16 = estimate_step(asked, table(), false);
  asked.precision = Precision::fp8;
  const StepEstimate fp8 = estimate_step(asked, table(), false);
  const double gain = bf16.parts.total() / fp8.parts.total();
  CHECK(gain > 1.0);
  CHECK(gain < 2.0);
  CHECK(fp8.grade == Grade::assumed);
  CHECK(fp8.log_sd_contrast > bf16.log_sd_contrast);
  CHECK(fp8.log_sd_common == bf16.log_sd_common);
  CHECK(fp8.contrast_key != bf16.contrast_key);
  asked.precision = Precision::fp32;
  const StepEstimate fp32 = estimate_step(asked, table(), false);
  CHECK(fp32.efficiency < 0.9);  // no faster than large FP32 products
  CHECK(fp32.parts.total() > 4.0 * bf16.parts.total());
}

TEST_CASE("another GPU is carried over while it is alike, and refused when it is not") {
  EfficiencyQuestion asked = question();
  asked.gpu = gpu("Y", 1500e12);
  CHECK(estimate_step(asked, table(), false).grade == Grade::assumed);
  CHECK(estimate_step(asked, table(), false).efficiency < estimate_step(question(), table(), false).efficiency);
  asked.gpu = gpu("Z", 1000e12 * 10);
  CHECK_THROWS_AS(estimate_step(asked, table(), false), InfeasibleError);
}

TEST_CASE("a pipeline's idle ends are taken out of the step, not put on top") {
  EfficiencyQuestion asked = question();
  const double whole = estimate_step(asked, table(), false).parts.total();
  asked.pipeline = 4;
  asked.micro_batches = 12;
  const StepParts parts = estimate_step(asked, table(), false).parts;
  CHECK(parts.total() == doctest::Approx(whole).epsilon(1e-12));
  CHECK(parts.pipeline_bubble == doctest::Approx(parts.compute * 3.0 / 12.0).epsilon(1e-12));
}

TEST_CASE("a larger share of attention lowers the efficiency by the slope of the table") {
  EfficiencyQuestion asked = question();
  asked.sequence_length = 16384;
  const double more = attention_share(asked.shape, 16384) - attention_share(asked.shape, 8192);
  CHECK(more > 0.05);
  CHECK(estimate_step(asked, table(), false).efficiency ==
        doctest::Approx(estimate_step(question(), table(), false).efficiency * std::exp(-more)).epsilon(1e-9));
}

TEST_CASE("an empty table or one without mixtures refuses rather than guesses") {
  CHECK_THROWS_AS(estimate_step(question(), {}, true), InfeasibleError);
  EfficiencyQuestion asked = question();
  asked.shape.experts = 8;
  asked.shape.experts_active = 2;
  asked.shape.expert_ffn = 14336;
  CHECK_THROWS_AS(estimate_step(asked, table(), true), InfeasibleError);
}

TEST_CASE("experts twice as wide as the model are wide, others narrow") {
  TransformerShape shape = model();
  CHECK(kind_of(shape) == "dense");
  shape.experts = 8;
  shape.expert_ffn = 8192;
  CHECK(kind_of(shape) == "moe-wide");
  shape.expert_ffn = 8191;
  CHECK(kind_of(shape) == "moe");
}
