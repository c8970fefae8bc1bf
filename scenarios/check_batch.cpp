// Whether global batch, data parallelism, micro-batch and accumulation agree. Nothing is rounded or cut silently.
#include "scenarios/context.hpp"
#include "scenarios/layout.hpp"

namespace fleetcast::scenarios {
namespace {

std::string text(std::int64_t value) {
  return std::to_string(value);
}

/// "23 or 46 samples"
std::string multiples_near(std::int64_t unit, std::int64_t wanted, std::string_view what) {
  const std::int64_t below = wanted / unit * unit;
  const std::string above = text(below + unit) + ' ' + std::string{what};
  return below > 0 ? text(below) + " or " + above : above;
}

Field batch_field(const Context& context) {
  return deepest(context.top.field(), {"workload", "global_batch"});
}
Field training_field(const Context& context, std::string_view name) {
  return deepest(context.top.field(), {"training", name});
}

/// Samples of a step if they are known: given so, or in tokens that make whole samples.
std::optional<std::int64_t> batch_samples(const Context& context) {
  const Workload& workload = context.scenario.workload;
  if (!workload.global_batch) return std::nullopt;
  const auto count = static_cast<std::int64_t>(workload.global_batch->count);
  if (workload.global_batch->unit == GlobalBatch::Unit::samples) return count;
  if (!workload.sequence_length) return std::nullopt;
  const auto length = static_cast<std::int64_t>(*workload.sequence_length);
  if (count % length == 0) return count / length;
  batch_field(context).fault({"a global batch of " + text(count) + " tokens / sequence_length " + text(length) +
                                  " is " + format_rounded(static_cast<double>(count) / static_cast<double>(length), 6) +
                                  " samples, which is not whole",
                              multiples_near(length, count, "tokens"), ""});
  return std::nullopt;
}

/// Ranks with different data, if the layout says so.
std::optional<std::int64_t> data_parallel(const Context& context) {
  const Scenario& scenario = context.scenario;
  const Parallelism& layout = scenario.training.parallelism;
  const std::int64_t gpus = gpus_of_gang(scenario), group = model_parallel_size(layout);
  if (layout.automatic || gpus % group != 0) return std::nullopt;
  return gpus / group;
}

void check_known_layout(const Context& context, std::int64_t samples, std::int64_t ranks) {
  const Training& training = context.scenario.training;
  const std::string arithmetic = layout_arithmetic(training.parallelism) +
                                 " x DP = " + text(gpus_of_gang(context.scenario)) + " gives DP = " + text(ranks) +
                                 "; ";
  const std::int64_t micro = training.micro_batch.value_or(1), share = ranks * micro;
  if (samples % share != 0) {
    std::string divisor = text(ranks);
    if (training.micro_batch) divisor.append(" / micro_batch ").append(text(micro));
    batch_field(context).fault({arithmetic + "global batch " + text(samples) + " / " + divisor + " is not whole",
                                multiples_near(share, samples, "samples"), ""});
  } else if (training.micro_batch && training.accumulation && share * *training.accumulation != samples) {
    training_field(context, "accumulation")
        .fault({arithmetic + "DP " + text(ranks) + " x micro_batch " + text(micro) + " x accumulation " +
                    text(*training.accumulation) + " = " + text(share * *training.accumulation) +
                    ", but the global batch is " + text(samples),
                "accumulation of " + text(samples / share) + ", or a global batch of " +
                    text(share * *training.accumulation) + " samples",
                ""});
  } else if (!training.micro_batch && training.accumulation && samples / ranks % *training.accumulation != 0) {
    training_field(context, "accumulation")
        .fault({arithmetic + "global batch " + text(samples) + " / DP " + text(ranks) + " = " + text(samples / ranks) +
                    " does not divide by accumulation " + text(*training.accumulation),
                "a divisor of " + text(samples / ranks), ""});
  }
}

/// The layout is to be chosen, but batch, micro-batch and accumulation already fix the number of ranks.
void check_open_layout(const Context& context, std::int64_t samples) {
  const Training& training = context.scenario.training;
  if (!training.micro_batch || !training.accumulation) return;
  const std::int64_t share = std::int64_t{*training.micro_batch} * *training.accumulation;
  const std::int64_t gpus = gpus_of_gang(context.scenario);
  const std::string product =
      "micro_batch " + text(*training.micro_batch) + " x accumulation " + text(*training.accumulation);
  if (samples % share != 0) {
    training_field(context, "accumulation")
        .fault({"global batch " + text(samples) + " / (" + product + ") is not whole",
                "a global batch of " + multiples_near(share, samples, "samples"), ""});
  } else if (gpus % (samples / share) != 0) {
    training_field(context, "accumulation")
        .fault({"global batch " + text(samples) + " / (" + product + ") asks for " + text(samples / share) +
                    " data-parallel ranks, which do not divide " + text(gpus) + " GPUs",
                "a number of ranks that divides the GPUs", ""});
  }
}

/// Without a batch, the parts that are given make one.
void derive_batch(Context& context) {
  const Training& training = context.scenario.training;
  const std::optional<std::int64_t> ranks = data_parallel(context);
  if (context.scenario.workload.global_batch || !ranks || !training.micro_batch || !training.accumulation) return;
  const std::int64_t samples = *ranks * *training.micro_batch * *training.accumulation;
  context.scenario.workload.global_batch = GlobalBatch{GlobalBatch::Unit::samples, static_cast<double>(samples)};
  context.assume({"/workload/global_batch", text(samples) + " samples", models::Grade::assumed,
                  "data-parallel ranks x micro_batch x accumulation"});
}

}  // namespace

void check_batch(Context& context) {
  const Training& training = context.scenario.training;
  const bool open = training.parallelism.automatic;
  if (open && !training.micro_batch) return;
  const std::optional<std::int64_t> samples = batch_samples(context);
  const std::optional<std::int64_t> ranks = data_parallel(context);
  if (samples && ranks) {
    check_known_layout(context, *samples, *ranks);
  } else if (samples && open) {
    check_open_layout(context, *samples);
  }
  derive_batch(context);
}

}  // namespace fleetcast::scenarios
