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
  if (layout.offload == Offload::optimizer) text += ", optimiser on the host";
  if (layout.offload == Offload::all) text += ", offloaded to the host";
  return text;
}

}  // namespace fleetcast::models
