#pragma once
// A JSON document that remembers where everything stood.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fleetcast::scenarios {

/// 1-based; columns count characters, not bytes. Line 0: not from the file but set on the command line.
struct Position {
  std::uint32_t line = 0, column = 0;
};

struct Member;

/// One value. Only the fields that belong to its kind are used.
struct Node {
  enum class Kind : std::uint8_t { null, boolean, number, text, list, object };

  Kind kind = Kind::null;
  bool boolean = false;
  bool patched = false;  ///< it came with a strategy's patch
  Position at;
  std::string text;  ///< a text, decoded; a number, its characters exactly as written
  std::vector<Node> items;
  std::vector<Member> members;  ///< in file order, keys unique

  [[nodiscard]] const Node* find(std::string_view key) const;
  [[nodiscard]] Node* find(std::string_view key);
};

struct Member {
  std::string key;
  Position at;  ///< of the key
  Node value;
};

/// "the number 8.5", "the text \"x\"", "a list" ...; long texts are cut.
std::string describe(const Node& node);
/// "\"text\"", cut after 60 bytes at a character border.
std::string in_quotes(std::string_view text);

/// The JSON pointer (RFC 6901) of a member or item below `pointer`.
std::string pointer_below(std::string_view pointer, std::string_view key);

}  // namespace fleetcast::scenarios
