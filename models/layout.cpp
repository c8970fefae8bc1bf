#include "models/layout.hpp"

#include <cmath>

namespace fleetcast::models {

namespace {

std::string whole(double value) {
  return std::to_string(std::llround(value));
}

void add_degree(std::string& text, const char* name, int degree) {
  if (degree > 1) text += std::string{name} + " " + std::to_string(degree) + ", ";
}

const char* name_of(Sharding sharding) {
  constexpr const char* names[] = {"not sharded", "ZeRO-1", "ZeRO-2", "ZeRO-3", "HSDP"};
  return names[static_cast<int>(sharding)];
}

/// When gradients are exchanged, where it is not as the sharding suggests.
std::string unusual_sync(const Layout& layout) {
  if (layout.micro_batches <= 1.0) return {};
  const bool shares = layout.sharding == Sharding::zero2 || layout.sharding == Sharding::zero3;
  if (shares && layout.gradient_sync == GradientSync::once) return ", gradients kept whole until the last micro-batch";
  if (!shares && layout.gradient_sync == GradientSync::every) return ", gradients exchanged every micro-batch";
  return {};
}

}  // namespace

std::string describe(const Layout& layout) {
  std::string text;
  add_degree(text, "tensor", layout.tensor);
  if (layout.pipeline > 1) {
    text += "pipeline " + std::to_string(layout.pipeline);
    if (layout.virtual_stages > 1) text += " x " + std::to_string(layout.virtual_stages);
    text += ", ";
  }
  add_degree(text, "context", layout.context);
  add_degree(text, "expert", layout.expert);
  text += "data " + std::to_string(layout.data) + ", " + name_of(layout.sharding) + ", micro-batch " +
          whole(layout.micro_batch) + " x " + whole(layout.micro_batches);
  if (layout.recompute == Recompute::full) text += ", full recompute";
  if (layout.recompute == Recompute::selective) text += ", selective recompute";
  text += unusual_sync(layout);
  if (layout.offload == Offload::optimizer) text += ", optimiser on the host";
  if (layout.offload == Offload::all) text += ", offloaded to the host";
  return text;
}

}  // namespace fleetcast::models
