#include "sim/plan_layout.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/errors.hpp"
#include "models/layout_search.hpp"
#include "sim/plan_parts.hpp"

namespace fleetcast::sim {
namespace {

using models::Layout;
using models::LayoutChoice;
using models::LayoutSpace;
using models::MemoryEstimate;
using models::MemoryQuestion;
using scenarios::Pool;
using scenarios::Scenario;
using Verdict = models::MemoryEstimate::Verdict;

constexpr double gib = 1024.0 * 1024.0 * 1024.0;
constexpr double pcie = 16e9;             // a direction of generation 3 and 4 slots, as collectives see them
constexpr double usual_network = 12.5e9;  // 100 Gbit/s a node, where a described machine does not say

std::vector<const Pool*> gang_pools(const Scenario& scenario) {
  std::vector<const Pool*> pools;
  for (const Pool& pool : scenario.fleet)
    if (pool.nodes > 0) pools.push_back(&pool);
  return pools;
}

/// Of the smallest GPU.
models::Bytes available_memory(const Scenario& scenario) {
  double least = std::numeric_limits<double>::infinity();
  for (const Pool* pool : gang_pools(scenario)) least = std::min(least, pool->gpu.memory.value());
  if (const auto& limit = scenario.training.memory_limit) least = std::min(least, limit->value());
  return models::Bytes{least};
}

MemoryQuestion memory_question(const Scenario& scenario, const Layout& layout) {
  MemoryQuestion question;
  question.shape = *scenario.workload.model;
  question.layout = layout;
  question.precision = scenario.training.precision;
  question.sequence_length = *scenario.workload.sequence_length;
  question.expert_imbalance = scenario.training.imbalance;
  question.gpus_per_node = gang_pools(scenario).front()->instance.gpus;
  return question;
}

double sequences_per_step(const PlanFacts& facts) {
  return std::max(1.0, std::round(facts.samples_per_step));
}

LayoutSpace space_of(const Scenario& scenario, const PlanFacts& facts) {
  const auto& training = scenario.training;
  const auto& given = training.parallelism;
  LayoutSpace space;
  space.gpus = facts.gpus;
  space.links = links_of(*gang_pools(scenario).front());
  space.sequences_per_step = sequences_per_step(facts);
  space.sequence_parallel = given.sequence_parallel;
  space.sharding = given.sharding;
  space.virtual_stages = given.virtual_stages;
  if (!given.automatic) {
    space.tensor = given.tensor_or_1();
    space.pipeline = given.pipeline_or_1();
    space.virtual_stages = given.virtual_or_1();
    space.context = given.context_or_1();
    space.expert = given.expert_or_1();
    space.sharding = given.sharding.value_or(models::Sharding::zero1);
    space.recompute = training.recompute.value_or(models::Recompute::selective);
  }
  if (training.recompute) space.recompute = training.recompute;
  if (training.micro_batch) space.micro_batch = *training.micro_batch;
  space.gradient_sync = training.gradient_sync;
  space.offload = training.offload;
  space.activation_compression = training.activation_compression;
  space.optimizer = training.optimizer;
  return space;
}

/// Nothing is left to choose.
bool is_given(const Scenario& scenario) {
  return !scenario.training.parallelism.automatic && scenario.training.micro_batch.has_value();
}

models::GradientSync usual_sync(models::Sharding sharding) {
  if (sharding == models::Sharding::hsdp) return models::GradientSync::reduce_scatter;
  return sharding == models::Sharding::zero2 || sharding == models::Sharding::zero3 ? models::GradientSync::every
                                                                                    : models::GradientSync::once;
}

Layout given_layout(const Scenario& scenario, const PlanFacts& facts) {
  const LayoutSpace space = space_of(scenario, facts);
  Layout layout;
  layout.tensor = *space.tensor;
  layout.pipeline = *space.pipeline;
  layout.virtual_stages = *space.virtual_stages;
  layout.context = *space.context;
  layout.expert = *space.expert;
  layout.data = std::max(1, static_cast<int>(facts.gpus) / (layout.tensor * layout.pipeline * layout.context));
  layout.sequence_parallel = space.sequence_parallel.value_or(true);
  layout.sharding = *space.sharding;
  layout.recompute = *space.recompute;
  layout.micro_batch = *space.micro_batch;
  layout.micro_batches = std::max(1.0, sequences_per_step(facts) / (layout.data * layout.micro_batch));
  layout.gradient_sync = space.gradient_sync.value_or(usual_sync(layout.sharding));
  layout.offload = space.offload;
  layout.activation_compression = space.activation_compression;
  layout.optimizer = space.optimizer;
  return layout;
}

models::StepSeconds slowest_pool(const Scenario& scenario, const models::Catalog& catalog) {
  return [&](const Layout& layout) {
    double slowest = 0.0;
    for (const Pool* pool : gang_pools(scenario))
      slowest =
          std::max(slowest, models::quick_step(question_for(scenario, *pool, layout), catalog.throughput).total());
    return slowest;
  };
}

Layout searched_layout(const Scenario& scenario, const models::Catalog& catalog, Plan& plan) {
  LayoutSpace space = space_of(scenario, plan.facts);
  const MemoryQuestion model = memory_question(scenario, {});
  const auto available = available_memory(scenario);
  const auto seconds = slowest_pool(scenario, catalog);
  auto found = models::feasible_layouts(space, model, available, seconds, 1);
  if (found.empty()) {
    space.allow_at_risk = true;
    found.push_back(models::fastest_layout(space, model, available, seconds));
  }
  Layout layout = found.front().layout;
  if (scenario.training.parallelism.automatic)
    assume(plan, "/training/parallelism", describe(layout), "the fastest layout that fits", models::Grade::fitted);
  return layout;
}

std::string in_gib(double bytes) {
  const double tenths = std::round(bytes / gib * 10.0) / 10.0;
  std::string text = std::to_string(tenths);
  return text.substr(0, text.find('.') + 2) + " GiB";
}

std::string alternatives(const std::vector<LayoutChoice>& choices) {
  if (choices.empty()) return "; nothing near it fits";
  std::string text = "; these fit:";
  for (const LayoutChoice& choice : choices)
    text += " (" + describe(choice.layout) + ": " + in_gib(choice.memory.total) + ", " + in_words(choice.step_s) +
            " a step)";
  return text;
}

[[noreturn]] void refuse_misfit(const Scenario& scenario, const models::Catalog& catalog, const MemoryQuestion& asked,
                                const MemoryEstimate& memory) {
  const auto choices = models::nearest_fitting(asked, links_of(*gang_pools(scenario).front()),
                                               available_memory(scenario), slowest_pool(scenario, catalog), 3);
  throw models::InfeasibleError{
      "strategy " + scenario.strategy + ": the model does not fit in memory: " + describe(asked.layout) + " needs " +
      in_gib(memory.total) + " of " + in_gib(memory.available) + " on stage " + std::to_string(memory.stage) + " (" +
      describe(memory.parts) + "), " + in_gib(memory.shortfall) + " too much" + alternatives(choices)};
}

void judge(const Scenario& scenario, const models::Catalog& catalog, const Layout& layout, Plan& plan) {
  const MemoryQuestion asked = memory_question(scenario, layout);
  MemoryEstimate memory = models::estimate_memory(asked, available_memory(scenario));
  const bool measured = scenario.training.speed.kind != scenarios::Speed::Kind::model;
  if (memory.verdict == Verdict::does_not_fit && !measured) refuse_misfit(scenario, catalog, asked, memory);
  const std::string need = in_gib(memory.total) + " of " + in_gib(memory.available);
  if (memory.verdict == Verdict::does_not_fit)
    plan.facts.warnings.push_back("by the memory model this layout does not fit (" + need +
                                  "), though its speed is given as measured");
  if (memory.verdict == Verdict::at_risk)
    plan.facts.warnings.push_back("memory is at risk: " + need + ", within 2 % of what is there");
  plan.facts.layout = layout;
  plan.facts.memory = std::move(memory);
}

}  // namespace

models::Links links_of(const Pool& pool) {
  const auto& instance = pool.instance;
  const bool nvlink = pool.gpu.nvlink.value() > 0.0;
  models::Links links;
  links.gpus_per_node = instance.gpus;
  links.domain = std::max(instance.domain, instance.gpus);
  // Sheets print both directions of NVLink, but one of PCIe.
  links.intra = nvlink ? instance.intra.value() / 2.0 : instance.intra.value();
  if (links.intra <= 0.0) links.intra = nvlink ? pool.gpu.nvlink.value() / 2.0 : pcie;
  // Where NVLink joins only some GPUs of a machine, a ring over all of them runs at the host's rate.
  if (instance.domain < instance.gpus) links.intra = std::min(nvlink ? pcie : links.intra, 2.0 * pcie);
  links.inter = instance.inter.value() / instance.gpus;
  if (links.inter <= 0.0) links.inter = usual_network / instance.gpus;
  return links;
}

models::StepQuestion question_for(const Scenario& scenario, const Pool& pool, const Layout& layout) {
  const auto& training = scenario.training;
  models::StepQuestion question;
  question.shape = *scenario.workload.model;
  question.gpu = pool.gpu;
  question.links = links_of(pool);
  question.precision = training.precision;
  question.layout = layout;
  question.sequence_length = *scenario.workload.sequence_length;
  using Kind = scenarios::Software::Kind;
  question.software.known = training.software.kind != Kind::unknown;
  if (training.software.kind == Kind::pytorch) question.software.stack = models::Stack::pytorch;
  if (training.software.kind == Kind::jax) question.software.stack = models::Stack::jax;
  if (training.software.year) question.software.year = *training.software.year + 0.5;
  question.overlap = training.overlap;
  question.imbalance = question.shape.experts > 0 ? training.imbalance : 1.0;
  return question;
}

models::Layout plan_layout(const Scenario& scenario, const models::Catalog& catalog, Plan& plan) {
  for (const Pool* pool : gang_pools(scenario))
    if (pool->instance.inter.value() <= 0.0 && plan.nodes > 1)
      assume(plan, "/fleet/" + pool->name + "/instance/inter", "100 Gbit/s",
             "usual Ethernet; the machine does not say");
  const Layout layout =
      is_given(scenario) ? given_layout(scenario, plan.facts) : searched_layout(scenario, catalog, plan);
  judge(scenario, catalog, layout, plan);
  return layout;
}

}  // namespace fleetcast::sim
