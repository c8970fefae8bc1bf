#pragma once
// Line and column of places in a text, visited from front to back.
#include <cstddef>
#include <string_view>

#include "scenarios/document.hpp"

namespace fleetcast::scenarios {

/// Walks a text once; each place costs only the way from the place before.
class TextCursor {
 public:
  explicit TextCursor(std::string_view text) : text_{text} {}

  /// Where the byte at `offset` stands. Offsets must not go back.
  Position at(std::size_t offset);

 private:
  std::string_view text_;
  std::size_t offset_ = 0;
  Position here_{1, 1};
};

/// The same for a single place.
Position position_of(std::string_view text, std::size_t offset);

}  // namespace fleetcast::scenarios
