#pragma once
// Typed access to a document: a value in its place, read strictly. What is wrong goes to the report and the answer
// is empty; the reader goes on, so that all faults are found at once.
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenarios/document.hpp"
#include "scenarios/known_fields.hpp"
#include "scenarios/report.hpp"
#include "scenarios/values.hpp"

namespace fleetcast::scenarios {

/// A value and where it stands.
class Field {
 public:
  Field(const Node& node, std::string pointer, Report& report)
      : node_{&node}, pointer_{std::move(pointer)}, report_{&report} {}

  [[nodiscard]] const Node& node() const { return *node_; }
  [[nodiscard]] const std::string& pointer() const { return pointer_; }
  [[nodiscard]] Report& report() const { return *report_; }
  [[nodiscard]] bool is_text() const { return node_->kind == Node::Kind::text; }
  [[nodiscard]] bool is_object() const { return node_->kind == Node::Kind::object; }

  void fault(const Problem& problem) const { report_->fault(*node_, pointer_, problem); }
  /// "expects a list, found the text "x""
  void wrong_kind(std::string_view expected) const;
  [[nodiscard]] Field member(const Member& member) const;
  [[nodiscard]] Field item(std::size_t index) const;

 private:
  const Node* node_;
  std::string pointer_;
  Report* report_;
};

/// An object with fixed fields. Reports unknown and not yet supported fields and nulls when it is made; what is not
/// an object reads as one without fields.
class Object {
 public:
  Object(Field field, const KnownObject& known);

  [[nodiscard]] std::optional<Field> find(std::string_view name) const;
  /// The same, and a fault if it is not there.
  std::optional<Field> need(std::string_view name, std::string_view allowed) const;
  [[nodiscard]] const Field& field() const { return field_; }
  /// Where `name` stands or would stand.
  [[nodiscard]] std::string pointer(std::string_view name) const { return pointer_below(field_.pointer(), name); }

 private:
  void check_key(const Member& member) const;

  Field field_;
  const KnownObject* known_;
};

/// Members of a map by free names (pools, causes, strategies). Reports other kinds, nulls and empty names.
std::vector<std::pair<std::string, Field>> named_members(const Field& field, std::string_view expected);

/// The value at a path below `root`, or the last one on the way that exists.
Field deepest(const Field& root, const std::vector<std::string_view>& path);

struct CountRange {
  std::uint64_t low = 0;
  std::uint64_t high = 1'000'000'000;
};
/// Counts that go on as a double stay exact up to here.
constexpr std::uint64_t largest_exact_count = std::uint64_t{1} << 53;

std::optional<std::uint64_t> read_count(const Field& field, CountRange range);
/// The same as an int.
std::optional<int> read_int(const Field& field, CountRange range);
std::optional<double> read_fraction(const Field& field);
/// A plain number in [low, high], or in (low, high] if `open`.
std::optional<double> read_number(const Field& field, double low, double high, bool open = false);
std::optional<bool> read_flag(const Field& field);
/// A text that is not empty.
std::optional<std::string> read_text(const Field& field, std::string_view expected);

/// True if the field holds a text; else says that a unit is missing or that the kind is wrong.
bool expect_unit_text(const Field& field, std::string_view what, std::string_view example);

/// Of a text with a unit; `parse` is one of values.hpp.
template <class T, class Parse>
std::optional<T> read_with_unit(const Field& field, std::string_view what, std::string_view example, Parse parse) {
  if (!expect_unit_text(field, what, example)) return std::nullopt;
  Parsed<T> parsed = parse(field.node().text);
  if (!parsed.value) field.fault(parsed.problem);
  return parsed.value;
}

enum class Zero { allowed, refused };
/// Longest time that may be given where it bounds the run: a hundred years.
constexpr double longest_time_s = 36525.0 * 86400.0;
std::optional<double> read_time(const Field& field, Zero zero, double longest = longest_time_s);
std::optional<models::Distribution> read_random_time(const Field& field, const RandomRules& rules);
std::optional<double> read_bytes(const Field& field, Zero zero);
std::optional<double> read_byte_rate(const Field& field);
std::optional<double> read_usd(const Field& field);

/// One word of several. A choice without a value is known but not yet supported.
template <class T>
struct Choice {
  std::string_view name;
  std::optional<T> value;
};
/// Index of the word, or nothing after a fault. `supported` has one flag per name.
std::optional<std::size_t> read_word(const Field& field, const std::vector<std::string>& names,
                                     const std::vector<bool>& supported);
template <class T>
std::optional<T> read_choice(const Field& field, const std::vector<Choice<T>>& choices) {
  std::vector<std::string> names;
  std::vector<bool> supported;
  for (const Choice<T>& choice : choices) {
    names.emplace_back(choice.name);
    supported.push_back(choice.value.has_value());
  }
  const std::optional<std::size_t> index = read_word(field, names, supported);
  return index ? choices[*index].value : std::nullopt;
}

}  // namespace fleetcast::scenarios
