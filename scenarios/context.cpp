#include "scenarios/context.hpp"

#include <algorithm>

namespace fleetcast::scenarios {
namespace {

Node absent_section(const Context& context) {
  Node node;
  node.kind = Node::Kind::object;
  node.at = context.top.field().node().at;
  return node;
}

}  // namespace

void Context::assume(models::Assumption assumption) {
  const bool noted = std::any_of(scenario.assumptions.begin(), scenario.assumptions.end(), [&](const auto& known) {
    return known.pointer == assumption.pointer && known.value == assumption.value;
  });
  if (!noted) scenario.assumptions.push_back(std::move(assumption));
}

void Context::warn(std::string text) {
  if (std::find(scenario.warnings.begin(), scenario.warnings.end(), text) == scenario.warnings.end()) {
    scenario.warnings.push_back(std::move(text));
  }
}

Section::Section(const Context& context, const std::string& name, const KnownObject& known)
    : absent_{absent_section(context)},
      given{context.top.find(name).has_value()},
      object{context.top.find(name).value_or(Field{absent_, pointer_below("", name), context.report()}), known} {}

}  // namespace fleetcast::scenarios
