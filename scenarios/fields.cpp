#include "scenarios/fields.hpp"

#include "scenarios/nearest_name.hpp"

namespace fleetcast::scenarios {
namespace {

/// Pools, strategies or causes in one file: far beyond use, small enough that every one may be copied.
constexpr std::size_t most_names = 1000;

}  // namespace

void Field::wrong_kind(std::string_view expected) const {
  const bool missing = node_->kind == Node::Kind::null;
  fault({missing ? "missing value: null restores a default in a strategy only"
                 : "expects " + std::string{expected} + ", found " + describe(*node_),
         std::string{expected}, ""});
}

Field Field::member(const Member& member) const {
  return {member.value, pointer_below(pointer_, member.key), *report_};
}

Field Field::item(std::size_t index) const {
  return {node_->items[index], pointer_below(pointer_, std::to_string(index)), *report_};
}

Object::Object(Field field, const KnownObject& known) : field_{std::move(field)}, known_{&known} {
  if (!field_.is_object()) {
    field_.wrong_kind("an object with the fields of " + std::string{known.path});
    return;
  }
  for (const Member& member : field_.node().members) check_key(member);
}

void Object::check_key(const Member& member) const {
  const Field child = field_.member(member);
  if (contains_word(known_->now, member.key)) {
    if (member.value.kind == Node::Kind::null) child.wrong_kind("a value");
    return;
  }
  Problem problem;
  if (contains_word(known_->later, member.key)) {
    problem.found = in_quotes(member.key) + " is not yet supported";
  } else if (!field_.report().full()) {
    const std::vector<std::string> names = split_words(known_->now);
    const std::string elsewhere = where_it_belongs(member.key);
    problem.found = "unknown field " + in_quotes(member.key) + " in " + std::string{known_->path};
    if (!elsewhere.empty()) problem.found += "; it belongs under " + elsewhere;
    problem.nearest = elsewhere.empty() ? nearest_name(member.key, names) : "";
    if (problem.nearest.empty()) problem.allowed = nearest_first(member.key, names, 20);
  }
  field_.report().fault(member.at, member.value.patched, child.pointer(), problem);
}

std::optional<Field> Object::find(std::string_view name) const {
  if (!field_.is_object()) return std::nullopt;
  const Node* node = field_.node().find(name);
  if (node == nullptr || node->kind == Node::Kind::null) return std::nullopt;
  return Field{*node, pointer(name), field_.report()};
}

std::optional<Field> Object::need(std::string_view name, std::string_view allowed) const {
  std::optional<Field> found = find(name);
  const bool reported = !field_.is_object() || field_.node().find(name) != nullptr;
  if (!found && !reported) {
    field_.report().fault(field_.node(), pointer(name),
                          {in_quotes(name) + " is missing in " + std::string{known_->path}, std::string{allowed}, ""});
  }
  return found;
}

std::vector<std::pair<std::string, Field>> named_members(const Field& field, std::string_view expected) {
  std::vector<std::pair<std::string, Field>> result;
  if (!field.is_object()) {
    field.wrong_kind(expected);
    return result;
  }
  if (field.node().members.size() > most_names) {
    field.fault({"there are " + std::to_string(field.node().members.size()) + " entries", "at most 1000", ""});
    return result;
  }
  for (const Member& member : field.node().members) {
    const Field child = field.member(member);
    if (member.key.empty()) {
      child.fault({"a name must not be empty", "", ""});
    } else if (member.value.kind == Node::Kind::null) {
      child.wrong_kind("a value");
    } else {
      result.emplace_back(member.key, child);
    }
  }
  return result;
}

Field deepest(const Field& root, const std::vector<std::string_view>& path) {
  Field here = root;
  for (const std::string_view name : path) {
    const Node* next = here.is_object() ? here.node().find(name) : nullptr;
    if (next == nullptr) break;
    here = Field{*next, pointer_below(here.pointer(), name), here.report()};
  }
  return here;
}

}  // namespace fleetcast::scenarios
