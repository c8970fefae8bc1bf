#include "scenarios/document.hpp"

#include <algorithm>

namespace fleetcast::scenarios {
namespace {

bool continues_character(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

}  // namespace

const Node* Node::find(std::string_view key) const {
  const auto found = std::find_if(members.begin(), members.end(), [&](const Member& m) { return m.key == key; });
  return found == members.end() ? nullptr : &found->value;
}

Node* Node::find(std::string_view key) {
  const auto found = std::find_if(members.begin(), members.end(), [&](const Member& m) { return m.key == key; });
  return found == members.end() ? nullptr : &found->value;
}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 60;
  if (text.size() <= longest) return '"' + std::string{text} + '"';
  std::size_t end = longest;
  while (end > 0 && continues_character(text[end])) --end;
  return '"' + std::string{text.substr(0, end)} + "...\"";
}

std::string describe(const Node& node) {
  switch (node.kind) {
    case Node::Kind::null:
      return "null";
    case Node::Kind::boolean:
      return node.boolean ? "true" : "false";
    case Node::Kind::number:
      return "the number " + node.text.substr(0, 60);
    case Node::Kind::text:
      return "the text " + in_quotes(node.text);
    case Node::Kind::list:
      return "a list";
    case Node::Kind::object:
      return "an object";
  }
  return "nothing";
}

std::string pointer_below(std::string_view pointer, std::string_view key) {
  std::string result{pointer};
  result += '/';
  for (const char c : key) {
    if (c == '~') {
      result += "~0";
    } else if (c == '/') {
      result += "~1";
    } else {
      result += c;
    }
  }
  return result;
}

}  // namespace fleetcast::scenarios
