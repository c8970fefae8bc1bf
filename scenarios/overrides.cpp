#include "scenarios/overrides.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <stdexcept>

#include "scenarios/parse.hpp"

namespace fleetcast::scenarios {
namespace {

using models::Fault;
using models::InputError;

[[noreturn]] void refuse(const std::string& pointer, std::string problem, std::string allowed) {
  throw InputError{{{"", 0, 0, pointer, "--set: " + std::move(problem), std::move(allowed), ""}}};
}

std::string unescaped(std::string_view token, const std::string& pointer) {
  std::string result;
  for (std::size_t i = 0; i < token.size(); ++i) {
    if (token[i] != '~') {
      result += token[i];
      continue;
    }
    const char next = i + 1 < token.size() ? token[i + 1] : ' ';
    if (next != '0' && next != '1') refuse(pointer, "~ stands alone in the pointer", "~0 for ~ and ~1 for /");
    result += next == '0' ? '~' : '/';
    ++i;
  }
  return result;
}

std::vector<std::string> split_pointer(const std::string& pointer) {
  std::vector<std::string> tokens;
  std::size_t begin = 1;
  while (begin <= pointer.size()) {
    const std::size_t end = std::min(pointer.find('/', begin), pointer.size());
    tokens.push_back(unescaped(std::string_view{pointer}.substr(begin, end - begin), pointer));
    begin = end + 1;
  }
  return tokens;
}

/// Not from the file: line 0 throughout.
void forget_positions(Node& node) {
  node.at = {};
  for (Node& item : node.items) forget_positions(item);
  for (Member& member : node.members) {
    member.at = {};
    forget_positions(member.value);
  }
}

Node text_node(std::string_view text) {
  Node node;
  node.kind = Node::Kind::text;
  node.text = text;
  return node;
}

/// What begins like a list or an object must be one; everything else that is no JSON is a text.
Node parse_value(std::string_view text, const std::string& pointer) {
  try {
    Node node = parse_document(text, "");
    forget_positions(node);
    return node;
  } catch (const InputError& error) {
    if (!text.starts_with('{') && !text.starts_with('[')) return text_node(text);
    refuse(pointer, "the value is not valid: " + error.faults().front().problem, "");
  }
}

std::optional<std::size_t> list_index(const std::string& token) {
  std::size_t index = 0;
  const auto result = std::from_chars(token.data(), token.data() + token.size(), index);
  if (result.ec != std::errc{} || result.ptr != token.data() + token.size()) return std::nullopt;
  return index;
}

Node& step_into_list(Node& list, const std::string& token, const std::string& pointer) {
  if (token == "-") return list.items.emplace_back();
  const std::optional<std::size_t> index = list_index(token);
  if (index && *index < list.items.size()) return list.items[*index];
  refuse(pointer, "the list has no item \"" + token + '"',
         "0 to " + std::to_string(list.items.size()) + " exclusive, or -");
}

Node& step_into_object(Node& object, const std::string& token) {
  Node* found = object.find(token);
  return found != nullptr ? *found : object.members.emplace_back(Member{token, {}, {}}).value;
}

Node& step(Node& node, const std::string& token, const std::string& pointer) {
  if (node.kind == Node::Kind::list) return step_into_list(node, token, pointer);
  if (node.kind == Node::Kind::null) node.kind = Node::Kind::object;
  if (node.kind == Node::Kind::object) return step_into_object(node, token);
  refuse(pointer, "there is " + describe(node) + " on the way, in which nothing can be set", "");
}

void remove_member(Node& parent, const std::string& name) {
  std::erase_if(parent.members, [&](const Member& member) { return member.key == name; });
}

void apply_override(Node& document, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || !text.starts_with('/') || equals < 2) {
    refuse("", "found " + in_quotes(text), "/pointer=value, such as /fleet/main/nodes=32");
  }
  const std::string pointer = text.substr(0, equals);
  const Node value = parse_value(std::string_view{text}.substr(equals + 1), pointer);
  const std::vector<std::string> tokens = split_pointer(pointer);
  Node* parent = &document;
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) parent = &step(*parent, tokens[i], pointer);
  if (value.kind == Node::Kind::null && parent->kind == Node::Kind::object) {
    remove_member(*parent, tokens.back());
  } else {
    step(*parent, tokens.back(), pointer) = value;
  }
}

}  // namespace

void apply_overrides(Node& document, const std::vector<std::string>& overrides) {
  std::vector<Fault> faults;
  for (const std::string& text : overrides) {
    try {
      apply_override(document, text);
    } catch (const InputError& error) {
      faults.insert(faults.end(), error.faults().begin(), error.faults().end());
    }
  }
  if (!faults.empty()) throw InputError{std::move(faults)};
}

}  // namespace fleetcast::scenarios
