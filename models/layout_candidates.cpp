#include "models/layout_candidates.hpp"

#include <algorithm>
#include <cmath>

namespace fleetcast::models {

namespace {

/// Places for layers that a pipeline may leave empty.
constexpr double empty_places = 0.05;
constexpr double least_context_tokens = 1024;

std::vector<int> tensor_degrees(const LayoutSpace& space, const TransformerShape& shape) {
  if (space.tensor) return {*space.tensor};
  std::vector<int> degrees = divisors(std::max(1, space.links.domain));
  std::erase_if(degrees, [&](int degree) { return shape.heads % degree != 0 || degree > space.gpus; });
  return degrees;
}

bool fills(std::int64_t layers, int pipeline) {
  const std::int64_t places = (layers + pipeline - 1) / pipeline * pipeline;
  return pipeline <= layers && static_cast<double>(places - layers) <= empty_places * static_cast<double>(places);
}

std::vector<int> pipeline_degrees(const LayoutSpace& space, const TransformerShape& shape, long long ranks) {
  if (space.pipeline) return {*space.pipeline};
  std::vector<int> degrees = divisors(ranks);
  std::erase_if(degrees, [&](int degree) { return !fills(shape.layers, degree); });
  return degrees;
}

std::vector<int> chunk_counts(const LayoutSpace& space, const TransformerShape& shape, int pipeline) {
  if (space.virtual_stages) return {*space.virtual_stages};
  return pipeline == 1 ? std::vector<int>{1} : divisors((shape.layers + pipeline - 1) / pipeline);
}

std::vector<int> context_degrees(const LayoutSpace& space, double sequence_length, long long ranks) {
  if (space.context) return {*space.context};
  std::vector<int> degrees;
  for (int degree = 1; degree <= ranks && sequence_length / degree >= least_context_tokens; degree *= 2)
    if (ranks % degree == 0 && std::fmod(sequence_length, degree) == 0.0) degrees.push_back(degree);
  return degrees.empty() ? std::vector<int>{1} : degrees;
}

std::vector<int> expert_degrees(const LayoutSpace& space, const TransformerShape& shape, long long ranks) {
  if (space.expert) return {*space.expert};
  if (shape.experts == 0) return {1};
  std::vector<int> degrees = divisors(shape.experts);
  std::erase_if(degrees, [&](int degree) { return ranks % degree != 0; });
  return degrees;
}

std::vector<Sharding> shardings(const LayoutSpace& space, const Layout& frame) {
  if (space.sharding) return {*space.sharding};
  if (frame.pipeline > 1 || frame.data * frame.context == 1) return {Sharding::zero1};
  return {Sharding::zero1, Sharding::zero3};
}

Layout levers_of(const LayoutSpace& space) {
  Layout layout;
  layout.offload = space.offload;
  layout.activation_compression = space.activation_compression;
  layout.optimizer = space.optimizer;
  return layout;
}

void add_shardings(std::vector<Layout>& frames, const LayoutSpace& space, Layout frame) {
  frame.sequence_parallel = space.sequence_parallel.value_or(frame.tensor > 1);
  for (const Sharding sharding : shardings(space, frame)) {
    frame.sharding = sharding;
    const GradientSync usual = sharding >= Sharding::zero2 ? GradientSync::reduce_scatter : GradientSync::once;
    frame.gradient_sync = space.gradient_sync.value_or(usual);
    frames.push_back(frame);
  }
}

/// Of a frame with tensor, pipeline and context set, if they divide the gang.
void add_inner(std::vector<Layout>& frames, const LayoutSpace& space, const TransformerShape& shape, Layout frame) {
  const long long ranks = std::llround(space.gpus), cut = 1LL * frame.tensor * frame.pipeline * frame.context;
  if (cut < 1 || ranks % cut != 0) return;
  frame.data = static_cast<int>(ranks / cut);
  for (const int chunks : chunk_counts(space, shape, frame.pipeline))
    for (const int expert : expert_degrees(space, shape, 1LL * frame.data * frame.context)) {
      frame.virtual_stages = chunks;
      frame.expert = expert;
      add_shardings(frames, space, frame);
    }
}

}  // namespace

std::vector<int> divisors(long long number) {
  std::vector<int> low, high;
  for (long long d = 1; d * d <= number; ++d) {
    if (number % d != 0) continue;
    low.push_back(static_cast<int>(d));
    if (d != number / d) high.push_back(static_cast<int>(number / d));
  }
  low.insert(low.end(), high.rbegin(), high.rend());
  return low;
}

std::vector<Layout> layout_frames(const LayoutSpace& space, const TransformerShape& shape, double sequence_length) {
  std::vector<Layout> frames;
  const long long gpus = std::llround(space.gpus);
  Layout frame = levers_of(space);
  for (const int tensor : tensor_degrees(space, shape)) {
    if (gpus % tensor != 0) continue;
    for (const int pipeline : pipeline_degrees(space, shape, gpus / tensor)) {
      for (const int context : context_degrees(space, sequence_length, gpus / tensor / pipeline)) {
        frame.tensor = tensor;
        frame.pipeline = pipeline;
        frame.context = context;
        add_inner(frames, space, shape, frame);
      }
    }
  }
  return frames;
}

std::vector<double> micro_batches_of(const LayoutSpace& space, const Layout& frame) {
  const double each = space.sequences_per_step / frame.data;
  if (each < 1.0 || each != std::floor(each)) return {};
  std::vector<double> sizes;
  if (space.micro_batch) {
    sizes = {*space.micro_batch};
  } else {
    for (const int size : divisors(std::llround(each))) sizes.push_back(size);
  }
  std::erase_if(sizes, [&](double size) {
    const double count = each / size;
    const bool interleaved = frame.virtual_stages > 1;
    return count != std::floor(count) || (interleaved && std::fmod(count, frame.pipeline) != 0.0);
  });
  std::ranges::reverse(sizes);
  return sizes;
}

}  // namespace fleetcast::models
