#include "models/memory.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "models/errors.hpp"
#include "models/memory_activations.hpp"
#include "models/memory_states.hpp"

using namespace fleetcast::models;

namespace {

using Verdict = MemoryEstimate::Verdict;
constexpr double gib = 1024.0 * 1024.0 * 1024.0;

TransformerShape gpt(std::int64_t layers, std::int64_t hidden, std::int64_t heads) {
  TransformerShape shape;
  shape.layers = layers;
  shape.hidden = hidden;
  shape.heads = shape.kv_heads = heads;
  shape.ffn = 4 * hidden;
  shape.vocab = 51200;
  shape.gated = false;
  shape.tied = true;
  return shape;
}

TransformerShape llama_2_7b() {
  TransformerShape shape;
  shape.layers = 32;
  shape.hidden = 4096;
  shape.heads = shape.kv_heads = 32;
  shape.ffn = 11008;
  shape.vocab = 32000;
  return shape;
}

TransformerShape llama_3_70b() {
  TransformerShape shape;
  shape.layers = 80;
  shape.hidden = 8192;
  shape.heads = 64;
  shape.kv_heads = 8;
  shape.ffn = 28672;
  shape.vocab = 128256;
  return shape;
}

TransformerShape mixtral() {
  TransformerShape shape = llama_2_7b();
  shape.kv_heads = 8;
  shape.ffn = shape.expert_ffn = 14336;
  shape.experts = 8;
  shape.experts_active = 2;
  return shape;
}

MemoryQuestion question(const TransformerShape& shape, double sequence_length) {
  MemoryQuestion asked;
  asked.shape = shape;
  asked.sequence_length = sequence_length;
  return asked;
}

bool near(double value, double expected, double tolerance) {
  return std::abs(value / expected - 1.0) < tolerance;
}

}  // namespace

TEST_CASE("activations are those that Korthikanti et al. print for 22B to 1T on A100") {
  struct Printed {
    TransformerShape shape;
    int pipeline, chunks;
    double micro_batch, micro_batches, plain_gib, selective_gib;
  };
  const Printed printed[] = {{gpt(48, 6144, 64), 1, 1, 4, 1, 59.25, 9.56},
                             {gpt(96, 12288, 96), 8, 3, 1, 64, 66.84, 12.35},
                             {gpt(105, 20480, 128), 35, 3, 1, 280, 114.02, 23.08},
                             {gpt(128, 25600, 160), 64, 1, 1, 512, 131.25, 26.56}};
  for (const Printed& row : printed) {
    MemoryQuestion asked = question(row.shape, 2048);
    asked.flash_attention = false;
    asked.dropout = true;
    asked.layout.tensor = 8;
    asked.layout.pipeline = row.pipeline;
    asked.layout.virtual_stages = row.chunks;
    asked.layout.micro_batch = row.micro_batch;
    asked.layout.micro_batches = row.micro_batches;
    asked.layout.sequence_parallel = false;
    CAPTURE(row.plain_gib);
    // The printed figures have two decimals.
    CHECK(std::abs(memory_of_stage(asked, 0).activations / gib - row.plain_gib) < 0.006);
    asked.layout.sequence_parallel = true;
    asked.layout.recompute = Recompute::selective;
    CHECK(std::abs(memory_of_stage(asked, 0).activations / gib - row.selective_gib) < 0.006);
  }
}

TEST_CASE("moments of seven billion parameters: 56, 28, 14 and about 6 GB") {
  MemoryQuestion asked = question(llama_2_7b(), 4096);
  const double per_gb = 7e9 / parameters(asked.shape) / 1e9;
  const auto moments = [&](Optimizer optimizer) {
    asked.layout.optimizer = optimizer;
    return memory_of_stage(asked, 0).optimizer * per_gb;
  };
  CHECK(near(moments(Optimizer::adamw), 56.0, 1e-9));
  CHECK(near(moments(Optimizer::paged_adamw), 56.0, 1e-9));
  CHECK(near(moments(Optimizer::adamw_bf16), 28.0, 1e-9));
  CHECK(near(moments(Optimizer::sgd), 28.0, 1e-9));
  CHECK(near(moments(Optimizer::adam8bit), 14.0, 1e-9));
  CHECK(near(moments(Optimizer::adafactor), 6.0, 0.02));
}

TEST_CASE("bytes a parameter follow Megatron's table: 18 whole, 6 + 12 / d divided over d replicas") {
  MemoryQuestion asked = question(llama_2_7b(), 4096);
  const auto states = [&](Sharding sharding, int data) {
    asked.layout.sharding = sharding;
    asked.layout.data = data;
    const MemoryParts parts = memory_of_stage(asked, 0);
    return (parts.weights + parts.gradients + parts.master_weights + parts.optimizer) / parameters(asked.shape);
  };
  CHECK(near(states(Sharding::none, 8), 18.0, 1e-12));
  CHECK(near(states(Sharding::zero1, 8), 6.0 + 12.0 / 8.0, 1e-12));
  CHECK(near(states(Sharding::zero2, 8), 2.0 + 14.0 / 8.0, 1e-12));
  CHECK(near(states(Sharding::zero3, 8), 16.0 / 8.0, 1e-12));
  CHECK(near(states(Sharding::hsdp, 64), 16.0 / 8.0, 1e-12));
  asked.precision = Precision::fp32;
  CHECK(near(states(Sharding::none, 8), 16.0, 1e-12));
}

TEST_CASE("8- and 4-bit products keep the 16-bit weights and two copies of what they multiply") {
  MemoryQuestion asked = question(llama_2_7b(), 4096);
  const double matrices = parameters(asked.shape) - 2.0 * 32000 * 4096;
  const double bf16 = memory_of_stage(asked, 0).weights;
  asked.precision = Precision::fp8;
  CHECK(near(memory_of_stage(asked, 0).weights - bf16, 2.0 * matrices, 1e-9));
  asked.precision = Precision::nvfp4;
  CHECK(near(memory_of_stage(asked, 0).weights - bf16, 1.125 * matrices, 1e-9));
}

TEST_CASE("stages hold all weights once, and a tied embedding on both ends of the pipeline") {
  MemoryQuestion asked = question(gpt(96, 12288, 96), 2048);
  for (const int pipeline : {1, 7, 8, 14}) {
    asked.layout.pipeline = pipeline;
    double held = 0, layers = 0;
    for (int stage = 0; stage < pipeline; ++stage) {
      held += stage_parameters(asked, stage).dense;
      layers += layers_of_stage(asked.shape, pipeline, stage);
    }
    const double again = pipeline > 1 ? 51200.0 * 12288.0 : 0.0;
    CAPTURE(pipeline);
    CHECK(near(held, parameters(asked.shape) + again, 1e-9));
    CHECK(layers == 96);
  }
}

TEST_CASE("layers next to the ends are spared where 126 do not divide") {
  const TransformerShape shape = gpt(126, 16384, 128);
  CHECK(layers_of_stage(shape, 8, 0) == 15);
  CHECK(layers_of_stage(shape, 8, 1) == 16);
  CHECK(layers_of_stage(shape, 8, 7) == 15);
  CHECK(layers_of_stage(shape, 4, 0) == 31);
  CHECK(layers_of_stage(shape, 5, 0) == 25);
  CHECK(layers_of_stage(shape, 5, 1) == 26);
}

TEST_CASE("under 1F1B later stages keep fewer micro-batches, and never more than there are") {
  const TransformerShape shape = gpt(96, 12288, 96);
  Layout layout;
  layout.pipeline = 8;
  layout.micro_batches = 64;
  CHECK(layers_in_flight(shape, layout, 0) == 12 * 8);
  CHECK(layers_in_flight(shape, layout, 7) == 12);
  layout.micro_batches = 3;
  CHECK(layers_in_flight(shape, layout, 0) == 12 * 3);
  layout.micro_batches = 64;
  layout.virtual_stages = 3;
  CHECK(near(layers_in_flight(shape, layout, 0), 96 * (1.0 + 7.0 / 24.0), 1e-12));
}

TEST_CASE("full recompute keeps the input of each layer, and compression divides what is kept") {
  MemoryQuestion asked = question(llama_2_7b(), 4096);
  asked.layout.recompute = Recompute::full;
  const double kept = memory_of_stage(asked, 0).activations;
  CHECK(kept == 2.0 * 32 * 4096 * 4096);
  asked.layout.activation_compression = 4;
  CHECK(memory_of_stage(asked, 0).activations == kept / 4);
}

TEST_CASE("fused attention keeps no scores: selective recompute then has nothing left to save") {
  MemoryQuestion asked = question(llama_2_7b(), 8192);
  const double fused = memory_of_stage(asked, 0).activations;
  asked.layout.recompute = Recompute::selective;
  CHECK(near(memory_of_stage(asked, 0).activations, fused, 0.01));  // 4 bytes a head and token for the sums
  asked.flash_attention = false;
  CHECK(near(memory_of_stage(asked, 0).activations, fused, 0.01));
  asked.layout.recompute = Recompute::none;
  // 2 bytes a score and head: heads x sequence x 2 = 128 hidden of 34.
  CHECK(memory_of_stage(asked, 0).activations > 4.0 * fused);
}

TEST_CASE("activations go with the tokens of a GPU, and tensor parallelism divides them if sequence parallel") {
  MemoryQuestion asked = question(llama_3_70b(), 8192);
  asked.layout.tensor = 8;
  const double base = memory_of_stage(asked, 0).activations;
  asked.layout.micro_batch = 3;
  CHECK(near(memory_of_stage(asked, 0).activations, 3 * base, 1e-12));
  asked.layout.micro_batch = 1;
  asked.layout.context = 4;
  CHECK(near(memory_of_stage(asked, 0).activations, base / 4, 1e-12));
  asked.layout.context = asked.layout.tensor = 1;
  CHECK(near(memory_of_stage(asked, 0).activations, 8 * base, 1e-12));
  asked.layout.tensor = 8;
  asked.layout.sequence_parallel = false;
  CHECK(memory_of_stage(asked, 0).activations > 2 * base);
}

TEST_CASE("expert parallelism divides the experts alone, and the fullest rank sets the activations") {
  MemoryQuestion asked = question(mixtral(), 4096);
  asked.layout.data = 8;
  const double whole = memory_of_stage(asked, 0).weights;
  asked.layout.expert = 8;
  asked.expert_imbalance = 1.0;
  const MemoryParts even = memory_of_stage(asked, 0);
  const double experts = 32.0 * 8 * 3 * 4096 * 14336;
  CHECK(near(whole - even.weights, 2.0 * experts * 7.0 / 8.0, 1e-9));
  asked.expert_imbalance = 1.5;
  CHECK(memory_of_stage(asked, 0).activations > 1.1 * even.activations);
}

TEST_CASE("offload empties the GPU into the host, by part") {
  MemoryQuestion asked = question(llama_2_7b(), 4096);
  asked.layout.data = 8;
  const MemoryEstimate without = estimate_memory(asked, Bytes{80 * gib});
  asked.layout.offload = Offload::optimizer;
  const MemoryEstimate states = estimate_memory(asked, Bytes{80 * gib});
  CHECK(without.host_bytes == 0.0);
  CHECK(states.parts.optimizer + states.parts.master_weights == 0.0);
  CHECK(near(states.host_bytes, 16.0 / 8.0 * parameters(asked.shape), 1e-12));
  asked.layout.offload = Offload::all;
  const MemoryEstimate all = estimate_memory(asked, Bytes{80 * gib});
  CHECK(all.parts.weights + all.parts.gradients == 0.0);
  CHECK(all.total < 0.4 * states.total);
}

TEST_CASE("paged AdamW moves to the host what is in the way, no more") {
  MemoryQuestion asked = question(llama_2_7b(), 2048);
  asked.layout.optimizer = Optimizer::paged_adamw;
  asked.layout.recompute = Recompute::full;
  const MemoryEstimate roomy = estimate_memory(asked, Bytes{192 * gib});
  CHECK(roomy.host_bytes == 0.0);
  const MemoryEstimate tight = estimate_memory(asked, Bytes{80 * gib});
  CHECK(tight.verdict == Verdict::fits);
  CHECK(near(tight.total, 0.98 * 80 * gib, 1e-5));
  CHECK(near(tight.host_bytes, roomy.total - tight.total, 1e-9));
  CHECK(estimate_memory(asked, Bytes{40 * gib}).verdict == Verdict::does_not_fit);
}

TEST_CASE("adapters need no states of the weights") {
  MemoryQuestion asked = question(llama_2_7b(), 512);
  asked.layout.recompute = Recompute::full;
  CHECK(estimate_memory(asked, Bytes{24 * gib}).verdict == Verdict::does_not_fit);
  asked.fine_tune_lora = true;
  CHECK(estimate_memory(asked, Bytes{24 * gib}).verdict == Verdict::fits);
}

TEST_CASE("a shortfall of 0.15 % is at risk, as is a fit with less than 2 % to spare") {
  const MemoryQuestion asked = question(llama_2_7b(), 2048);
  const double total = estimate_memory(asked, Bytes{gib}).total;
  const auto verdict = [&](double available) { return estimate_memory(asked, Bytes{available}).verdict; };
  const MemoryEstimate short_of = estimate_memory(asked, Bytes{total / 1.0015});
  CHECK(short_of.verdict == Verdict::at_risk);
  CHECK(near(short_of.shortfall, total - total / 1.0015, 1e-9));
  CHECK(verdict(total / 0.981) == Verdict::at_risk);
  CHECK(verdict(total / 0.979) == Verdict::fits);
  CHECK(verdict(total / 1.019) == Verdict::at_risk);
  CHECK(verdict(total / 1.021) == Verdict::does_not_fit);
}

TEST_CASE("parts add up to the total, of the fullest stage") {
  MemoryQuestion asked = question(llama_3_70b(), 8192);
  asked.layout.tensor = asked.layout.pipeline = 4;
  asked.layout.micro_batches = 16;
  const MemoryEstimate estimate = estimate_memory(asked, Bytes{80 * gib});
  REQUIRE(estimate.stages.size() == 4);
  for (const MemoryParts& stage : estimate.stages) CHECK(stage.total() <= estimate.total);
  CHECK(estimate.stages[estimate.stage].total() == estimate.total);
  CHECK(quick_memory(asked, Bytes{80 * gib}).total == estimate.total);
  CHECK(estimate.stages.back().logits > 0.0);
  CHECK(estimate.stages.front().logits == 0.0);
  CHECK_THROWS_AS(memory_of_stage(asked, 4), ContractError);
}
