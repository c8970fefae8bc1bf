#include "analysis/calibration/published_runs_layout.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "models/compute.hpp"
#include "models/layout_search.hpp"

namespace fleetcast::analysis {

namespace {

using models::Layout;
using models::Recompute;
using models::StepQuestion;

constexpr double batch_rounding = 0.05;
constexpr double usable_memory = 0.98;  // what fits leaves 2 % to spare

long long odd_part(long long number) {
  while (number > 0 && number % 2 == 0) number /= 2;
  return number;
}

int stated_data(const PublishedRun& run) {
  const StatedLayout& stated = run.stated;
  if (!stated.tensor || !stated.pipeline || !stated.context) return 1;
  const double cut = 1.0 * *stated.tensor * *stated.pipeline * *stated.context;
  return std::max(1, static_cast<int>(std::lround(run.gpus / cut)));
}

/// Tuned pipelines are interleaved unless said otherwise; DeepSpeed's and others of that age are not.
bool interleaves(const PublishedRun& run) {
  return run.stated.interleaved || run.question.software.stack == models::Stack::tuned;
}

models::LayoutSpace space_of(const PublishedRun& run) {
  const StatedLayout& stated = run.stated;
  models::LayoutSpace space;
  space.gpus = run.gpus;
  space.links = run.question.links;
  space.sequences_per_step =
      sequences_of_step(run.step_tokens, run.question.sequence_length, run.gpus, stated_data(run));
  space.tensor = stated.tensor;
  space.pipeline = stated.pipeline;
  space.context = stated.context;
  space.expert = stated.expert;
  space.sharding = stated.sharding;
  space.recompute = stated.recompute;
  if (!space.recompute && run.question.software.stack == models::Stack::early) space.recompute = Recompute::full;
  if (!interleaves(run)) space.virtual_stages = 1;
  return space;
}

models::MemoryQuestion memory_of(const PublishedRun& run, bool sparing) {
  models::MemoryQuestion asked;
  asked.shape = run.question.shape;
  asked.precision = run.question.precision;
  asked.sequence_length = run.question.sequence_length;
  asked.flash_attention = run.question.fused_attention;
  if (sparing) {
    asked.gradient_bytes = 2;
    asked.logit_bytes = 4;
  }
  return asked;
}

/// Tuned code recomputes just the layers whose activations do not fit (Megatron's "block" method).
double share_that_does_not_fit(const PublishedRun& run, models::MemoryQuestion asked, const Layout& layout) {
  const models::Bytes available = run.question.gpu.memory;
  asked.layout = layout;
  const double full = models::quick_memory(asked, available).total;
  asked.layout.recompute = Recompute::none;
  const double none = models::quick_memory(asked, available).total;
  return std::clamp((none - usable_memory * available.value()) / (none - full), 0.0, 1.0);
}

StepQuestion at_layout(const PublishedRun& run, const models::MemoryQuestion& asked, const Layout& layout) {
  StepQuestion question = run.question;
  question.layout = layout;
  const StatedLayout& stated = run.stated;
  if (stated.recomputed_share) question.recomputed_share = *stated.recomputed_share;
  const bool partial = run.question.software.stack == models::Stack::tuned && !stated.recompute;
  if (!stated.recomputed_share && partial && layout.recompute == Recompute::full)
    question.recomputed_share = share_that_does_not_fit(run, asked, layout);
  return question;
}

}  // namespace

double sequences_of_step(double step_tokens, double sequence_length, double gpus, int data) {
  const double wanted = std::max(1.0, step_tokens / sequence_length);
  const double least = static_cast<double>(
      std::lcm(odd_part(std::max(1LL, std::llround(gpus))), static_cast<long long>(std::max(1, data))));
  double best = std::max(least, std::round(wanted / data) * data);
  for (double unit = least; unit <= wanted * (1.0 + batch_rounding); unit *= 2.0) {
    const double near = std::round(wanted / unit) * unit;
    if (std::abs(near / wanted - 1.0) <= batch_rounding) best = near;
  }
  return best;
}

std::optional<StepQuestion> with_layout(const PublishedRun& run, const models::ThroughputCalibration& calibration) {
  models::LayoutSpace space = space_of(run);
  for (const bool sparing : {false, true}) {
    const models::MemoryQuestion asked = memory_of(run, sparing);
    space.allow_at_risk = sparing;
    const auto seconds = [&](const Layout& layout) {
      return models::quick_step(at_layout(run, asked, layout), calibration).total();
    };
    const auto found = models::feasible_layouts(space, asked, run.question.gpu.memory, seconds, 1);
    if (!found.empty()) return at_layout(run, asked, found.front().layout);
  }
  return std::nullopt;
}

}  // namespace fleetcast::analysis
