#include "models/layout_search.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>

#include "models/errors.hpp"
#include "models/layout_candidates.hpp"

using namespace fleetcast::models;

namespace {

using Verdict = MemoryEstimate::Verdict;
constexpr double gib = 1024.0 * 1024.0 * 1024.0;

TransformerShape llama(std::int64_t layers, std::int64_t hidden, std::int64_t heads, std::int64_t ffn) {
  TransformerShape shape;
  shape.layers = layers;
  shape.hidden = hidden;
  shape.heads = heads;
  shape.kv_heads = 8;
  shape.ffn = ffn;
  shape.vocab = 128256;
  return shape;
}

MemoryQuestion llama_8b() {
  MemoryQuestion model;
  model.shape = llama(32, 4096, 32, 14336);
  model.sequence_length = 8192;
  return model;
}

MemoryQuestion llama_70b() {
  MemoryQuestion model = llama_8b();
  model.shape = llama(80, 8192, 64, 28672);
  return model;
}

MemoryQuestion llama_405b() {
  MemoryQuestion model = llama_8b();
  model.shape = llama(126, 16384, 128, 53248);
  return model;
}

/// Not a model of time, only of its order: bubbles, recompute, and what tensor and context parallelism cost.
double rough_seconds(const Layout& layout) {
  const double bubble = (layout.pipeline - 1.0) / (layout.micro_batches * layout.virtual_stages);
  const double again = layout.recompute == Recompute::full        ? 1.33
                       : layout.recompute == Recompute::selective ? 1.03
                                                                  : 1.0;
  const double cut =
      1.0 + 0.03 * (layout.tensor - 1) + 0.04 * (layout.context - 1) + 0.02 * (layout.virtual_stages - 1);
  const double gather = layout.sharding == Sharding::zero3 ? 1.0 + 0.3 / layout.micro_batch : 1.0;
  return (1.0 + bubble) * again * cut * gather + 0.1 / layout.micro_batch;
}

LayoutSpace space_of(double gpus, double batch) {
  LayoutSpace space;
  space.gpus = gpus;
  space.sequences_per_step = batch;
  return space;
}

}  // namespace

TEST_CASE("the search finds the fastest layout that fits, as trying all of them does") {
  const MemoryQuestion model = llama_8b();
  const LayoutSpace space = space_of(16, 32);
  const Bytes available{80 * gib};
  double best = 1e9;
  for (const Layout& frame : layout_frames(space, model.shape, model.sequence_length))
    for (const double size : micro_batches_of(space, frame))
      for (const Recompute mode : {Recompute::none, Recompute::selective, Recompute::full}) {
        MemoryQuestion asked = model;
        asked.layout = frame;
        asked.layout.micro_batch = size;
        asked.layout.micro_batches = 32.0 / frame.data / size;
        asked.layout.recompute = mode;
        if (estimate_memory(asked, available).verdict == Verdict::fits)
          best = std::min(best, rough_seconds(asked.layout));
      }
  const auto choices = feasible_layouts(space, model, available, rough_seconds, 20);
  REQUIRE(choices.size() == 20);
  CHECK(choices.front().step_s == best);
  CHECK(std::ranges::is_sorted(choices, {}, &LayoutChoice::step_s));
  for (const LayoutChoice& choice : choices) {
    CHECK(choice.memory.verdict == Verdict::fits);
    CHECK(choice.layout.gpus() == 16);
    CHECK(choice.layout.data * choice.layout.micro_batch * choice.layout.micro_batches == 32);
    CHECK(choice.step_s == rough_seconds(choice.layout));
  }
}

TEST_CASE("405B on 1,024 GPUs is searched in well under a second") {
  const MemoryQuestion model = llama_405b();
  const LayoutSpace space = space_of(1024, 1024);
  const auto start = std::chrono::steady_clock::now();
  std::size_t asked = 0;
  const auto choices = feasible_layouts(
      space, model, Bytes{80 * gib},
      [&](const Layout& layout) {
        ++asked;
        return rough_seconds(layout);
      },
      5);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  MESSAGE(asked, " step times in ", seconds, " s; fastest: ", describe(choices.front().layout));
  REQUIRE(choices.size() == 5);
  // Half a second beside the asked times of a microsecond each; sanitizers take five times as long.
  CHECK(asked < 200000);
  CHECK(seconds < 2.5);
}

TEST_CASE("what is fixed stays so, also against the habits of the search") {
  LayoutSpace space = space_of(64, 128);
  space.tensor = 4;
  space.pipeline = 2;
  space.sharding = Sharding::zero3;
  space.recompute = Recompute::full;
  space.micro_batch = 2;
  space.sequence_parallel = false;
  const auto choices = feasible_layouts(space, llama_8b(), Bytes{80 * gib}, rough_seconds, 100);
  REQUIRE(!choices.empty());
  for (const LayoutChoice& choice : choices) {
    const Layout& layout = choice.layout;
    CHECK((layout.tensor == 4 && layout.pipeline == 2 && layout.micro_batch == 2 && !layout.sequence_parallel));
    CHECK((layout.sharding == Sharding::zero3 && layout.recompute == Recompute::full));
    CHECK(layout.gradient_sync == GradientSync::reduce_scatter);
  }
}

TEST_CASE("frames keep tensor parallelism in the domain, divide heads and layers, and ZeRO-3 without a pipeline") {
  LayoutSpace space = space_of(256, 512);
  const MemoryQuestion model = llama_405b();
  const auto frames = layout_frames(space, model.shape, model.sequence_length);
  bool uneven = false, sharded = false;
  for (const Layout& frame : frames) {
    CHECK(frame.tensor <= 8);
    CHECK(frame.gpus() == 256);
    CHECK((frame.sharding != Sharding::zero3 || frame.pipeline == 1));
    CHECK(frame.sequence_parallel == (frame.tensor > 1));
    uneven = uneven || frame.pipeline == 8;
    sharded = sharded || frame.sharding == Sharding::zero3;
  }
  CHECK(uneven);  // 126 layers in 8 stages of 16, two places empty
  CHECK(sharded);
  space.links.domain = 72;
  const auto rack = layout_frames(space, model.shape, model.sequence_length);
  CHECK(std::ranges::none_of(rack, [](const Layout& frame) { return 128 % frame.tensor != 0; }));
}

TEST_CASE("experts divide experts and ranks; interleaving asks for micro-batches in multiples of the pipeline") {
  MemoryQuestion model = llama_8b();
  model.shape.experts = 8;
  model.shape.experts_active = 2;
  model.shape.expert_ffn = 14336;
  const LayoutSpace space = space_of(32, 64);
  for (const Layout& frame : layout_frames(space, model.shape, 8192)) {
    CHECK((8 % frame.expert == 0 && (frame.data * frame.context) % frame.expert == 0));
    for (const double size : micro_batches_of(space, frame))
      CHECK((frame.virtual_stages == 1 || std::fmod(64 / frame.data / size, frame.pipeline) == 0.0));
  }
}

TEST_CASE("where nothing fits the error names the nearest layout, what it lacks and its parts") {
  LayoutSpace space = space_of(8, 8);
  try {
    fastest_layout(space, llama_405b(), Bytes{80 * gib}, rough_seconds);
    FAIL("405B on eight GPUs");
  } catch (const InfeasibleError& error) {
    const std::string text = error.what();
    CAPTURE(text);
    CHECK(text.find("no layout of 8 GPUs fits in 80.0 GiB") != std::string::npos);
    CHECK(text.find("full recompute") != std::string::npos);
    CHECK(text.find("GiB too much (weights") != std::string::npos);
    CHECK(text.find("gradients") != std::string::npos);
  }
  space.sequences_per_step = 7;
  space.tensor = 1;
  space.pipeline = 1;
  space.context = 1;
  CHECK_THROWS_WITH_AS(fastest_layout(space, llama_8b(), Bytes{80 * gib}, rough_seconds),
                       "no layout divides 8 GPUs and a global batch of 7 sequences", InfeasibleError);
}

TEST_CASE("gradients exchanged once a step refuse accumulation that the largest micro-batch does without") {
  MemoryQuestion model = llama_70b();
  LayoutSpace space = space_of(64, 128);
  space.tensor = space.pipeline = space.context = 1;
  space.sharding = Sharding::zero3;
  space.gradient_sync = GradientSync::once;
  const auto choices = feasible_layouts(space, model, Bytes{160 * gib}, rough_seconds, 10);
  REQUIRE(choices.size() == 1);
  CHECK(choices.front().layout.micro_batches == 1);
}

TEST_CASE("fewer replicas force a slower layout of 70B: 768 GPUs do without what 32 GPUs need") {
  LayoutSpace large = space_of(768, 2304), small = space_of(32, 96);
  const auto many = fastest_layout(large, llama_70b(), Bytes{80 * gib}, rough_seconds);
  const auto few = fastest_layout(small, llama_70b(), Bytes{80 * gib}, rough_seconds);
  CHECK(few.step_s > many.step_s);
}

TEST_CASE("next to a layout that does not fit stand those with the fewest changes, none of them needless") {
  MemoryQuestion asked = llama_70b();
  asked.layout.tensor = 8;
  asked.layout.pipeline = 2;
  asked.layout.data = 8;
  asked.layout.micro_batches = 32;
  asked.layout.sequence_parallel = false;
  REQUIRE(estimate_memory(asked, Bytes{80 * gib}).verdict == Verdict::does_not_fit);
  const auto near = nearest_fitting(asked, Links{}, Bytes{80 * gib}, rough_seconds, 30);
  REQUIRE(!near.empty());
  CHECK(near.size() <= 30);
  for (const LayoutChoice& choice : near) {
    CHECK(choice.memory.verdict == Verdict::fits);
    CHECK(choice.layout.gpus() == 128);
    CHECK(choice.layout.data * choice.layout.micro_batch * choice.layout.micro_batches == 256);
    CHECK(choice.layout.tensor == 8);  // the domain ends there
  }
  // One change is enough: sequence parallelism, or full recompute.
  const auto has = [&](auto&& what) {
    return std::ranges::any_of(near, [&](const LayoutChoice& choice) { return what(choice.layout); });
  };
  CHECK(has([](const Layout& l) { return l.sequence_parallel && l.recompute == Recompute::none && l.pipeline == 2; }));
  CHECK(has([](const Layout& l) { return !l.sequence_parallel && l.recompute == Recompute::full && l.pipeline == 2; }));
}

TEST_CASE("for full gradients of 70B the nearest change is to exchange shares every micro-batch") {
  MemoryQuestion asked = llama_70b();
  asked.layout.data = 64;
  asked.layout.sharding = Sharding::zero3;
  asked.layout.recompute = Recompute::full;
  asked.layout.micro_batches = 4;
  const auto near = nearest_fitting(asked, Links{}, Bytes{80 * gib}, rough_seconds, 1);
  REQUIRE(near.size() == 1);
  CHECK(near.front().layout.gradient_sync == GradientSync::reduce_scatter);
  CHECK(nearest_fitting(asked, Links{}, Bytes{4 * gib}, rough_seconds, 5).empty());
}
