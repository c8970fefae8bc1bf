#include "scenarios/strategies.hpp"

#include <algorithm>

#include "scenarios/merge_patch.hpp"
#include "scenarios/nearest_name.hpp"

namespace fleetcast::scenarios {
namespace {

constexpr std::string_view unpatchable = "start define strategies compare_to uncertain montecarlo";

void refuse_levers(const Field& field) {
  if (field.node().kind != Node::Kind::list) {
    field.wrong_kind("a list of names of levers");
    return;
  }
  for (std::size_t i = 0; i < field.node().items.size(); ++i) {
    const Field item = field.item(i);
    if (item.is_text()) {
      item.fault(
          {"lever " + in_quotes(item.node().text) + " is not yet supported", "a patch that says what changes", ""});
    } else {
      item.wrong_kind("the name of a lever");
    }
  }
  if (field.node().items.empty()) field.fault({"levers are not yet supported", "a patch that says what changes", ""});
}

/// Faults for what cannot be patched. The rest is checked when the patched scenario is read.
void check_patch(const Field& field) {
  for (const Member& member : field.node().members) {
    const Field child = field.member(member);
    if (member.key == "levers") {
      refuse_levers(child);
    } else if (contains_word(unpatchable, member.key)) {
      field.report().fault(member.at, false, child.pointer(),
                           {"a strategy cannot change " + in_quotes(member.key) + ": strategies stay comparable",
                            "any field but start, define, strategies, compare_to, uncertain and montecarlo", ""});
    }
  }
}

bool is_usable(const std::string& name, const Field& field) {
  if (name == "base") {
    field.fault({"\"base\" is the scenario itself", "another name", ""});
    return false;
  }
  if (field.node().kind == Node::Kind::list) {
    refuse_levers(field);
    return false;
  }
  if (!field.is_object()) {
    field.wrong_kind("an object: what changes against the base");
    return false;
  }
  check_patch(field);
  return true;
}

/// The patch without what check_patch has refused, so that it is not reported twice.
Node without_refused(const Node& patch) {
  Node result = patch;
  std::erase_if(result.members,
                [](const Member& member) { return member.key == "levers" || contains_word(unpatchable, member.key); });
  return result;
}

}  // namespace

std::vector<Strategy> read_strategies(const Object& top) {
  std::vector<Strategy> result;
  const auto field = top.find("strategies");
  if (!field) return result;
  for (const auto& [name, strategy] : named_members(*field, "an object of strategies by name")) {
    if (is_usable(name, strategy)) result.push_back({name, &strategy.node()});
  }
  return result;
}

std::string read_compare_to(const Object& top, const std::vector<Strategy>& strategies) {
  const auto field = top.find("compare_to");
  if (!field) return "base";
  const std::string name = read_text(*field, "the name of a strategy").value_or("base");
  std::vector<std::string> names{"base"};
  for (const Strategy& strategy : strategies) names.push_back(strategy.name);
  if (field->is_text() && std::find(names.begin(), names.end(), name) == names.end()) {
    field->fault({"there is no strategy " + in_quotes(name), nearest_first(name, names), nearest_name(name, names)});
  }
  return name;
}

Node base_document(const Node& document) {
  Node base = document;
  std::erase_if(base.members,
                [](const Member& member) { return member.key == "strategies" || member.key == "compare_to"; });
  return base;
}

Node patched_document(const Node& base, const Node& patch) {
  Node result = base;
  apply_merge_patch(result, without_refused(patch));
  return result;
}

}  // namespace fleetcast::scenarios
