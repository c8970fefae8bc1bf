#include "models/step_model.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/models/step_questions.hpp"

using namespace fleetcast::models;
using namespace fleetcast::models::test;

namespace {

StepBreakdown step_of(const StepQuestion& asked, const ThroughputParameters& parameters = {}) {
  return step_breakdown(workpiece_of(asked), parameters);
}

double speed_per_gpu(const StepQuestion& asked) {
  const auto& layout = asked.layout;
  return layout.micro_batch * layout.micro_batches * layout.data / step_of(asked).total() / layout.gpus();
}

/// No overhead of any kind: matrix products at their full rate and attention remain.
ThroughputParameters ideal() {
  ThroughputParameters p;
  p.matmul_hopper = 1.0;
  p.matmul_half = 0.0;
  p.passes = p.casts8 = p.weight_bytes = p.launch_tuned = p.step_constant = p.scaling_loss = p.layer_jitter = 0.0;
  p.tensor_exposed = p.pipeline_exposed = p.yearly_gain = p.immature = 0.0;
  return p;
}

bool close(double a, double b, double tolerance = 1e-9) {
  return std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b));
}

}  // namespace

TEST_CASE("matrix products alone take 6 FLOPs per weight and token at the measured ceiling") {
  StepQuestion asked = question();
  const StepBreakdown parts = step_of(asked, ideal());
  const double weights = active_matrix_parameters(asked.shape) - 32000.0 * 4096;
  const double tokens = 4 * 4096.0;  // of a replica and step
  CHECK(close(parts.matrix, 6.0 * weights * tokens / (2 * 2) / 800e12));
}

TEST_CASE("the parts are at least zero and sum to the step") {
  StepQuestion asked = question();
  for (const Sharding sharding : {Sharding::zero1, Sharding::zero3, Sharding::hsdp})
    for (const GradientSync sync : {GradientSync::once, GradientSync::reduce_scatter, GradientSync::every})
      for (const Offload offload : {Offload::none, Offload::optimizer, Offload::all}) {
        asked.layout.sharding = sharding;
        asked.layout.gradient_sync = sync;
        asked.layout.offload = offload;
        const StepBreakdown p = step_of(asked);
        for (const double part :
             {p.matrix, p.experts, p.output_layer, p.attention, p.memory_bound, p.launch, p.tensor_traffic,
              p.context_traffic, p.expert_traffic, p.pipeline_traffic, p.weight_traffic, p.gradient_traffic,
              p.host_traffic, p.bubble, p.optimizer, p.constant, p.waiting, p.hidden})
          CHECK(part >= 0.0);
        const double sum = p.matrix + p.experts + p.output_layer + p.attention + p.memory_bound + p.launch +
                           p.tensor_traffic + p.context_traffic + p.expert_traffic + p.pipeline_traffic +
                           p.weight_traffic + p.gradient_traffic + p.host_traffic + p.bubble + p.optimizer +
                           p.constant + p.waiting;
        CHECK(close(sum, p.total()));
      }
}

TEST_CASE("the bubble of 1F1B is (p - 1) / v micro-batches") {
  StepQuestion asked = question();
  asked.layout.pipeline = 4;
  asked.layout.data = 8;
  ThroughputParameters p = ideal();
  const auto bubble_share = [&](int chunks) {
    asked.layout.virtual_stages = chunks;
    const StepBreakdown parts = step_of(asked, p);
    return parts.bubble / (parts.total() - parts.bubble - parts.gradient_traffic - parts.optimizer);
  };
  CHECK(close(bubble_share(1), 3.0 / 4.0));
  CHECK(close(bubble_share(4), 3.0 / 16.0));
}

TEST_CASE("full recomputation adds a third of the layers' products, and nothing to the output layer") {
  StepQuestion asked = question();
  const StepBreakdown without = step_of(asked);
  asked.layout.recompute = Recompute::full;
  const StepBreakdown with = step_of(asked);
  CHECK(close(with.matrix, without.matrix * 4.0 / 3.0));
  CHECK(close(with.output_layer, without.output_layer));
}

TEST_CASE("FP8 speeds up large layers and slows down small ones") {
  const auto gain = [](std::int64_t hidden, int tensor, double sequences) {
    StepQuestion asked = question();
    asked.shape = shape(24, hidden);
    asked.layout = {};
    asked.layout.tensor = tensor;
    asked.layout.data = 8 / tensor;
    asked.layout.micro_batch = sequences;
    asked.layout.micro_batches = 8;
    asked.sequence_length = 1024;
    const double wide = step_of(asked).total();
    asked.precision = Precision::fp8;
    return wide / step_of(asked).total();
  };
  CHECK(gain(12288, 8, 4) > 1.2);
  CHECK(gain(1024, 1, 4) < 1.0);
  CHECK(gain(4096, 8, 1) < gain(4096, 1, 1));  // cut into slices it gains less
}

TEST_CASE("long sequences eat the gain of FP8: attention stays in 16 bit") {
  const auto gain = [](double sequence) {
    StepQuestion asked = question();
    asked.sequence_length = sequence;
    const double wide = step_of(asked).total();
    asked.precision = Precision::fp8;
    return wide / step_of(asked).total();
  };
  CHECK(gain(2048) > gain(16384));
  CHECK(gain(16384) > gain(131072));
}

TEST_CASE("gradients exchanged after every micro-batch cost more than once a step") {
  StepQuestion asked = question();
  asked.links.inter = 5e9;
  const auto traffic = [&](GradientSync sync) {
    asked.layout.gradient_sync = sync;
    return step_of(asked).gradient_traffic;
  };
  CHECK(traffic(GradientSync::once) < traffic(GradientSync::reduce_scatter));
  CHECK(traffic(GradientSync::reduce_scatter) < traffic(GradientSync::every));
  // With one micro-batch there is nothing to accumulate.
  asked.layout.micro_batches = 1;
  CHECK(close(traffic(GradientSync::once), traffic(GradientSync::every)));
}

TEST_CASE("overlap: none exposes all traffic, all of it hides what fits beside the work") {
  StepQuestion asked = question();
  asked.layout = {};
  asked.layout.data = 64;
  asked.layout.sharding = Sharding::zero3;
  asked.layout.gradient_sync = GradientSync::every;
  const auto parts = [&](double overlap) {
    asked.overlap = overlap;
    return step_of(asked);
  };
  const StepBreakdown none = parts(0.0), all = parts(1.0);
  CHECK(close(none.hidden, 0.0));
  CHECK(all.weight_traffic < none.weight_traffic);
  CHECK(
      close(none.weight_traffic + none.gradient_traffic, all.weight_traffic + all.gradient_traffic + all.hidden, 1e-6));
}

TEST_CASE("a better machine is never slower") {
  const StepQuestion asked = question();
  const double before = step_of(asked).total();
  StepQuestion better = asked;
  better.gpu.memory_rate = BytesPerSecond{6.7e12};
  CHECK(step_of(better).total() < before);
  better = asked;
  better.gpu.ceilings[0].dense = FlopsPerSecond{1600e12};
  CHECK(step_of(better).total() < before);
  better = asked;
  better.links.intra *= 2;
  CHECK(step_of(better).total() < before);
  better = asked;
  better.links.inter *= 2;
  CHECK(step_of(better).total() < before);
}

TEST_CASE("more replicas of the same work are a little slower each, and faster formats feel it more") {
  const auto kept = [](Precision precision) {
    StepQuestion asked = question();
    asked.precision = precision;
    const double few = speed_per_gpu(asked);
    asked.layout.data *= 32;
    return speed_per_gpu(asked) / few;
  };
  CHECK(kept(Precision::bf16) < 1.0);
  CHECK(kept(Precision::bf16) > 0.9);
  CHECK(kept(Precision::fp8) < kept(Precision::bf16));
}

TEST_CASE("the launch floor holds small work back, and large work does not feel it") {
  StepQuestion asked = question();
  asked.shape = shape(24, 1024);
  asked.layout = {};
  asked.layout.data = 8;
  asked.sequence_length = 256;
  const StepBreakdown small = step_of(asked);
  CHECK(small.launch > 0.5 * small.total() - small.constant);
  asked.layout.micro_batch = 512;
  const StepBreakdown large = step_of(asked);
  CHECK(large.launch < 0.02 * large.total());
}

TEST_CASE("an imbalance of experts slows their products and their traffic, nothing else") {
  StepQuestion asked = question();
  asked.shape.experts = 8;
  asked.shape.experts_active = 2;
  asked.shape.expert_ffn = 14336;
  asked.layout.expert = 8;
  const StepBreakdown even = step_of(asked);
  asked.imbalance = 1.5;
  const StepBreakdown uneven = step_of(asked);
  CHECK(close(uneven.experts, 1.5 * even.experts));
  CHECK(close(uneven.expert_traffic, 1.5 * even.expert_traffic));
  CHECK(close(uneven.matrix, even.matrix));
}

TEST_CASE("offload costs time on the host's link and takes the optimiser off the GPU") {
  StepQuestion asked = question();
  const StepBreakdown none = step_of(asked);
  asked.layout.offload = Offload::optimizer;
  const StepBreakdown optimizer = step_of(asked);
  CHECK(optimizer.optimizer == 0.0);
  CHECK(optimizer.host_traffic > 0.0);
  asked.layout.offload = Offload::all;
  CHECK(step_of(asked).total() > optimizer.total());
  CHECK(optimizer.total() > none.total());
}

TEST_CASE("latent attention and windows change the attention's work") {
  TransformerShape plain = shape(32, 4096);
  TransformerShape windowed = plain;
  windowed.window = 1024;
  windowed.windowed_share = 0.5;
  // Half of the layers see 1,024 - 1,024^2 / (2 x 8,192) tokens instead of 4,096.
  CHECK(close(attention_reach(windowed, 8192), 0.5 * 4096 + 0.5 * 960));
  CHECK(close(attention_reach(plain, 8192), 4096));
  TransformerShape encoder = plain;
  encoder.causal = false;
  CHECK(close(attention_forward_flops(encoder, 512), 2 * attention_forward_flops(plain, 512)));
}
