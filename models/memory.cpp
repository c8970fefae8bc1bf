#include "models/memory.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "models/errors.hpp"
#include "models/memory_activations.hpp"
#include "models/memory_states.hpp"

namespace fleetcast::models {

namespace {

constexpr double gib = 1024.0 * 1024.0 * 1024.0;
constexpr double fragmentation_share = 0.05;
constexpr double risk_band = 0.02;
constexpr double page_share = 2.0 / (1 << 20);  ///< pages are moved whole: a little more than the band

struct StageMemory {
  MemoryParts parts;
  double host = 0;
};

/// Driver's own, context and libraries, then buffers of each kind of communicator.
double runtime_bytes(const Layout& layout) {
  int groups = 0;
  for (const int degree : {layout.tensor, layout.pipeline, layout.context, layout.expert, layout.data})
    groups += degree > 1 ? 1 : 0;
  return (1.5 + 0.25 * groups) * gib;
}

/// Logits are gone when the layers' backward passes run, and all activations when the optimiser steps.
double workspace_bytes(const MemoryParts& parts, double layer, double update) {
  const double backward = std::max(0.0, layer - parts.logits);
  return std::max(backward, update - parts.activations - parts.logits - parts.communication_buffers);
}

StageMemory stage_memory(const MemoryQuestion& question, int stage) {
  const StateBytes states = state_bytes(question, stage);
  const ActivationBytes activations = activation_bytes(question, stage);
  MemoryParts parts;
  parts.weights = states.weights;
  parts.gradients = states.gradients;
  parts.master_weights = states.master_weights;
  parts.optimizer = states.optimizer;
  parts.activations = activations.kept;
  parts.logits = activations.logits;
  parts.communication_buffers = states.communication_buffers + activations.passed;
  parts.workspace = workspace_bytes(parts, activations.layer, states.update);
  parts.fragmentation = fragmentation_share * parts.total();
  parts.runtime = runtime_bytes(question.layout);
  return {parts, states.host + activations.host};
}

void page_out(StageMemory& memory, double available) {
  const double excess = memory.parts.total() - (1.0 - risk_band - page_share) * available;
  const double moved = std::clamp(excess, 0.0, memory.parts.optimizer);
  memory.parts.optimizer -= moved;
  memory.host += moved;
}

MemoryEstimate::Verdict verdict_of(double margin) {
  if (margin >= risk_band) return MemoryEstimate::Verdict::fits;
  return margin > -risk_band ? MemoryEstimate::Verdict::at_risk : MemoryEstimate::Verdict::does_not_fit;
}

void consider(MemoryEstimate& estimate, const MemoryQuestion& question, int stage) {
  StageMemory memory = stage_memory(question, stage);
  if (question.layout.optimizer == Optimizer::paged_adamw) page_out(memory, estimate.available);
  estimate.stages.push_back(memory.parts);
  if (estimate.total > 0 && memory.parts.total() <= estimate.total) return;
  estimate.parts = memory.parts;
  estimate.stage = stage;
  estimate.total = memory.parts.total();
  estimate.host_bytes = memory.host;
}

void judge(MemoryEstimate& estimate) {
  estimate.margin = 1.0 - estimate.total / estimate.available;
  estimate.verdict = verdict_of(estimate.margin);
  estimate.shortfall = std::max(0.0, estimate.total - estimate.available);
}

std::string in_gib(double bytes) {
  const long long tenths = std::llround(10.0 * bytes / gib);
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " GiB";
}

}  // namespace

double MemoryParts::total() const {
  return weights + gradients + master_weights + optimizer + activations + logits + communication_buffers + workspace +
         runtime + fragmentation;
}

std::string describe(const MemoryParts& parts) {
  const std::array<std::pair<const char*, double>, 10> named{{{"weights", parts.weights},
                                                              {"gradients", parts.gradients},
                                                              {"master weights", parts.master_weights},
                                                              {"optimiser", parts.optimizer},
                                                              {"activations", parts.activations},
                                                              {"logits", parts.logits},
                                                              {"communication buffers", parts.communication_buffers},
                                                              {"workspace", parts.workspace},
                                                              {"runtime", parts.runtime},
                                                              {"fragmentation", parts.fragmentation}}};
  std::string text;
  for (const auto& [name, bytes] : named)
    if (bytes > 0.05 * gib) text += (text.empty() ? "" : ", ") + (name + (" " + in_gib(bytes)));
  return text;
}

MemoryParts memory_of_stage(const MemoryQuestion& question, int stage) {
  require(stage >= 0 && stage < question.layout.pipeline, "a stage of the pipeline");
  return stage_memory(question, stage).parts;
}

MemoryEstimate estimate_memory(const MemoryQuestion& question, Bytes available) {
  MemoryEstimate estimate;
  estimate.available = available.value();
  for (int stage = 0; stage < question.layout.pipeline; ++stage) consider(estimate, question, stage);
  judge(estimate);
  return estimate;
}

MemoryEstimate quick_memory(const MemoryQuestion& question, Bytes available) {
  MemoryEstimate estimate;
  estimate.available = available.value();
  const int last = question.layout.pipeline - 1;
  consider(estimate, question, 0);
  if (last > 1) consider(estimate, question, 1);
  if (last > 0) consider(estimate, question, last);
  judge(estimate);
  estimate.stages.clear();
  return estimate;
}

}  // namespace fleetcast::models
