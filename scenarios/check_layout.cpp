// Whether the degrees of parallelism divide what they must, with the arithmetic shown.
#include <algorithm>
#include <array>

#include "scenarios/context.hpp"
#include "scenarios/layout.hpp"

namespace fleetcast::scenarios {
namespace {

std::string text(std::int64_t value) {
  return std::to_string(value);
}

/// The divisors of `whole` next to `wanted`: "tensor of 4 or 8".
std::string divisors_near(std::string_view name, std::int64_t whole, std::int64_t wanted) {
  std::int64_t below = 1, above = whole;
  for (std::int64_t d = 1; d * d <= whole; ++d) {
    if (whole % d != 0) continue;
    for (const std::int64_t divisor : std::array{d, whole / d}) {
      if (divisor <= wanted && divisor > below) below = divisor;
      if (divisor >= wanted && divisor < above) above = divisor;
    }
  }
  const std::string first = std::string{name} + " of " + text(below);
  return above == below ? first : first + " or " + text(above);
}

/// A quotient that must be whole.
struct Quotient {
  std::string_view dividend_name;
  std::int64_t dividend;
  std::string_view divisor_name;
  std::int64_t divisor;
};

void must_divide(const Field& field, const Quotient& q) {
  if (q.dividend % q.divisor == 0) return;
  field.fault({std::string{q.dividend_name} + ' ' + text(q.dividend) + " / " + std::string{q.divisor_name} + ' ' +
                   text(q.divisor) + " is not whole",
               divisors_near(q.divisor_name, q.dividend, q.divisor), ""});
}

Field at(const Context& context, std::string_view name) {
  return deepest(context.top.field(), {"training", "parallelism", name});
}

void check_gpus(const Context& context) {
  const Parallelism& layout = context.scenario.training.parallelism;
  const std::int64_t gpus = gpus_of_gang(context.scenario), group = model_parallel_size(layout);
  if (gpus % group == 0) return;
  const std::int64_t fits = gpus / group;
  std::string allowed;
  if (fits > 0) allowed = text(fits * group) + " or ";
  allowed += text((fits + 1) * group) + " GPUs, or degrees whose product divides " + text(gpus);
  deepest(context.top.field(), {"training", "parallelism"})
      .fault({layout_arithmetic(layout) + " x DP = " + text(gpus) + " gives DP = " +
                  format_rounded(static_cast<double>(gpus) / static_cast<double>(group), 6) + ", which is not whole",
              allowed, ""});
}

void check_experts(const Context& context, const models::TransformerShape& shape) {
  const Parallelism& layout = context.scenario.training.parallelism;
  const int expert = layout.expert_or_1();
  if (expert == 1) return;
  const Field field = at(context, "expert");
  if (shape.experts == 0) {
    field.fault({"expert " + text(expert) + ", but the model has no experts", "1", ""});
    return;
  }
  must_divide(field, {"experts", shape.experts, "expert", expert});
  const std::int64_t gpus = gpus_of_gang(context.scenario);
  if (gpus % layout.pipeline_or_1() != 0) return;
  must_divide(field, {"GPUs of a pipeline stage", gpus / layout.pipeline_or_1(), "expert", expert});
}

void check_model(const Context& context, const models::TransformerShape& shape) {
  const Parallelism& layout = context.scenario.training.parallelism;
  must_divide(at(context, "tensor"), {"heads", shape.heads, "tensor", layout.tensor_or_1()});
  const std::int64_t stages = std::int64_t{layout.pipeline_or_1()} * layout.virtual_or_1();
  must_divide(at(context, "pipeline"),
              {"layers", shape.layers, layout.virtual_or_1() > 1 ? "pipeline x virtual" : "pipeline", stages});
  check_experts(context, shape);
  if (!context.scenario.workload.sequence_length) return;
  must_divide(at(context, "context"),
              {"sequence_length", static_cast<std::int64_t>(*context.scenario.workload.sequence_length), "context",
               layout.context_or_1()});
}

/// Tensor parallelism that leaves the NVLink domain works, slowly.
void warn_of_wide_groups(Context& context) {
  const int tensor = context.scenario.training.parallelism.tensor_or_1();
  for (const Pool* pool : gang_of(context.scenario)) {
    if (tensor <= pool->instance.domain) continue;
    context.warn("tensor " + text(tensor) + " spans more than the " + text(pool->instance.domain) +
                 " GPUs that share NVLink in pool " + in_quotes(pool->name));
  }
}

}  // namespace

std::int64_t gpus_of_gang(const Scenario& scenario) {
  std::int64_t gpus = 0;
  for (const Pool* pool : gang_of(scenario)) gpus += std::int64_t{pool->nodes} * pool->instance.gpus;
  return gpus;
}

std::int64_t model_parallel_size(const Parallelism& layout) {
  return std::int64_t{layout.tensor_or_1()} * layout.pipeline_or_1() * layout.context_or_1();
}

std::string layout_arithmetic(const Parallelism& layout) {
  std::string product = "tensor " + text(layout.tensor_or_1()) + " x pipeline " + text(layout.pipeline_or_1());
  if (layout.context_or_1() > 1) product += " x context " + text(layout.context_or_1());
  return product;
}

void check_layout(Context& context) {
  if (context.scenario.training.parallelism.automatic) return;
  check_gpus(context);
  if (context.scenario.workload.model) check_model(context, *context.scenario.workload.model);
  warn_of_wide_groups(context);
}

}  // namespace fleetcast::scenarios
