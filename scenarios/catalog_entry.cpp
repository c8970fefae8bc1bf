#include "scenarios/catalog_entry.hpp"

#include <charconv>
#include <cmath>

#include "scenarios/nearest_name.hpp"

namespace fleetcast::scenarios::catalog {

namespace {

constexpr double largest_count = 9e15;  // beyond 2^53 a double skips whole numbers

bool is_whole(double value) {
  return value >= 0.0 && value <= largest_count && value == std::floor(value);
}

}  // namespace

Entry::Entry(const Node& node, std::string file, std::string pointer, std::vector<models::Fault>& faults)
    : node_{&node}, file_{std::move(file)}, pointer_{std::move(pointer)}, faults_{&faults} {}

void Entry::note(const Position& at, const std::string& pointer, const std::string& problem, std::string_view allowed) {
  faults_->push_back({file_, at.line, at.column, pointer, problem, std::string{allowed}, {}});
}

const Node* Entry::require(std::string_view key, Node::Kind kind, std::string_view allowed) {
  asked_.emplace(key);
  const Node* found = node_->find(key);
  if (found && found->kind == kind) return found;
  if (found)
    note(found->at, pointer_below(pointer_, key), "found " + describe(*found), allowed);
  else
    note(node_->at, pointer_below(pointer_, key), "is missing", allowed);
  return nullptr;
}

std::optional<double> Entry::number_of(const Node& node, const std::string& pointer) {
  double value = 0.0;
  const char* const end = node.text.data() + node.text.size();
  if (node.kind == Node::Kind::number && std::from_chars(node.text.data(), end, value).ptr == end &&
      std::isfinite(value))
    return value;
  note(node.at, pointer, "found " + describe(node), "a finite number");
  return std::nullopt;
}

std::string Entry::text(std::string_view key) {
  const Node* found = require(key, Node::Kind::text, "text");
  return found ? found->text : std::string{};
}

std::string Entry::text_or(std::string_view key, std::string_view fallback) {
  return has(key) ? text(key) : std::string{fallback};
}

double Entry::number(std::string_view key) {
  const Node* found = require(key, Node::Kind::number, "a finite number");
  return found ? number_of(*found, pointer_below(pointer_, key)).value_or(0.0) : 0.0;
}

std::int64_t Entry::count(std::string_view key) {
  const double value = number(key);
  if (is_whole(value)) return static_cast<std::int64_t>(value);
  fault(key, "is not a count", "a whole number, at least 0");
  return 0;
}

std::int64_t Entry::count_or(std::string_view key, std::int64_t fallback) {
  return has(key) ? count(key) : fallback;
}

bool Entry::flag_or(std::string_view key, bool fallback) {
  if (!has(key)) return fallback;
  const Node* found = require(key, Node::Kind::boolean, "true or false");
  return found ? found->boolean : fallback;
}

std::vector<std::string> Entry::texts(std::string_view key) {
  std::vector<std::string> found;
  const Node* list = require(key, Node::Kind::list, "a list of texts");
  if (!list) return found;
  for (std::size_t at = 0; at < list->items.size(); ++at) {
    const Node& item = list->items[at];
    if (item.kind == Node::Kind::text)
      found.push_back(item.text);
    else
      note(item.at, pointer_below(pointer_below(pointer_, key), std::to_string(at)), "is no text", "text");
  }
  return found;
}

std::vector<std::pair<std::string, double>> Entry::numbers(std::string_view key) {
  std::vector<std::pair<std::string, double>> found;
  const Node* object = require(key, Node::Kind::object, "numbers by name");
  if (!object) return found;
  for (const Member& member : object->members)
    if (const auto value = number_of(member.value, pointer_below(pointer_below(pointer_, key), member.key)))
      found.emplace_back(member.key, *value);
  return found;
}

std::vector<double> Entry::number_list(std::string_view key) {
  std::vector<double> found;
  const Node* list = require(key, Node::Kind::list, "a list of numbers");
  if (!list) return found;
  for (std::size_t at = 0; at < list->items.size(); ++at) {
    const std::string pointer = pointer_below(pointer_below(pointer_, key), std::to_string(at));
    if (const auto value = number_of(list->items[at], pointer)) found.push_back(*value);
  }
  return found;
}

std::vector<Entry> Entry::list(std::string_view key) {
  std::vector<Entry> found;
  const Node* list = require(key, Node::Kind::list, "a list of objects");
  if (!list) return found;
  for (std::size_t at = 0; at < list->items.size(); ++at) {
    const Node& item = list->items[at];
    const std::string pointer = pointer_below(pointer_below(pointer_, key), std::to_string(at));
    if (item.kind == Node::Kind::object)
      found.emplace_back(item, file_, pointer, *faults_);
    else
      note(item.at, pointer, "found " + describe(item), "an object");
  }
  return found;
}

Entry Entry::object(std::string_view key) {
  static const Node nothing = [] {
    Node node;
    node.kind = Node::Kind::object;
    return node;
  }();
  const Node* found = require(key, Node::Kind::object, "an object");
  return {found ? *found : nothing, file_, pointer_below(pointer_, key), *faults_};
}

models::Provenance Entry::provenance() {
  models::Provenance found{text("source"), text("date"), text("check")};
  for (const auto& [key, value] : {std::pair{"source", &found.source}, {"date", &found.date}, {"check", &found.check}})
    if (has(key) && value->empty()) fault(key, "is empty", "where the figures come from");
  return found;
}

models::Grade Entry::grade(std::string_view key) {
  const std::string name = text(key);
  for (const models::Grade grade : {models::Grade::measured, models::Grade::fitted, models::Grade::extrapolated})
    if (name == models::name_of(grade)) return grade;
  if (!name.empty() && name != models::name_of(models::Grade::assumed))
    fault(key, "is \"" + name + "\"", "measured, fitted, extrapolated, assumed");
  return models::Grade::assumed;
}

void Entry::fault(std::string_view key, const std::string& problem, std::string_view allowed) {
  const Node* member = key.empty() ? nullptr : node_->find(key);
  note(member ? member->at : node_->at, key.empty() ? pointer_ : pointer_below(pointer_, key), problem, allowed);
}

void Entry::close() {
  for (const Member& member : node_->members) {
    if (asked_.contains(member.key)) continue;
    note(member.at, pointer_below(pointer_, member.key), "is not a field of this object", {});
    faults_->back().nearest = nearest_name(member.key, {asked_.begin(), asked_.end()});
  }
}

}  // namespace fleetcast::scenarios::catalog
