#pragma once
// Strict reading of one JSON object of a catalog file: every key is asked for once, every fault is noted with its
// place, and what nobody asked for is a fault too.
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/errors.hpp"
#include "models/grade.hpp"
#include "models/hardware.hpp"
#include "scenarios/document.hpp"
#include "scenarios/values.hpp"

namespace fleetcast::scenarios::catalog {

class Entry {
 public:
  /// `node` must be an object and outlive the entry, as must `faults`.
  Entry(const Node& node, std::string file, std::string pointer, std::vector<models::Fault>& faults);

  [[nodiscard]] bool has(std::string_view key) const { return node_->find(key) != nullptr; }
  // Required unless a fallback is given; a value of the wrong kind is a fault and gives an empty or zero value.
  std::string text(std::string_view key);
  std::string text_or(std::string_view key, std::string_view fallback);
  double number(std::string_view key);
  std::int64_t count(std::string_view key);
  std::int64_t count_or(std::string_view key, std::int64_t fallback);
  bool flag_or(std::string_view key, bool fallback);
  std::vector<std::string> texts(std::string_view key);
  std::vector<std::pair<std::string, double>> numbers(std::string_view key);
  std::vector<double> number_list(std::string_view key);
  std::vector<Entry> list(std::string_view key);
  Entry object(std::string_view key);
  /// "source", "date" and "check", all required and not empty.
  models::Provenance provenance();
  models::Grade grade(std::string_view key);

  /// A text that `parse` turns into a Parsed<T>; the default of T, and a fault, if it does not.
  template <class T>
  T value(std::string_view key, Parsed<T> (*parse)(std::string_view)) {
    const Node* found = require(key, Node::Kind::text, "text");
    if (!found) return T{};
    Parsed<T> parsed = parse(found->text);
    if (!parsed.value) note(found->at, pointer_below(pointer_, key), parsed.problem.found, parsed.problem.allowed);
    return std::move(parsed.value).value_or(T{});
  }
  template <class T>
  std::optional<T> optional_value(std::string_view key, Parsed<T> (*parse)(std::string_view)) {
    if (!has(key)) return std::nullopt;
    return value(key, parse);
  }

  /// Notes a fault at the member `key`, or at the object itself for "".
  void fault(std::string_view key, const std::string& problem, std::string_view allowed = {});
  /// Notes a fault for every key that was not asked for. Call it last.
  void close();

 private:
  /// The member if it is there and of that kind; notes a fault and returns null otherwise.
  const Node* require(std::string_view key, Node::Kind kind, std::string_view allowed);
  void note(const Position& at, const std::string& pointer, const std::string& problem, std::string_view allowed);
  /// A finite number; notes a fault and returns nothing for anything else.
  std::optional<double> number_of(const Node& node, const std::string& pointer);

  const Node* node_;
  std::string file_, pointer_;
  std::vector<models::Fault>* faults_;
  std::set<std::string, std::less<>> asked_;
};

}  // namespace fleetcast::scenarios::catalog
