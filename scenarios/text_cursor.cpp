#include "scenarios/text_cursor.hpp"

#include <algorithm>

namespace fleetcast::scenarios {

Position TextCursor::at(std::size_t offset) {
  const std::size_t end = std::min(offset, text_.size());
  for (; offset_ < end; ++offset_) {
    const auto byte = static_cast<unsigned char>(text_[offset_]);
    if (byte == '\n') {
      ++here_.line;
      here_.column = 1;
    } else if (end - offset_ == 1 || (static_cast<unsigned char>(text_[offset_ + 1]) & 0xC0U) != 0x80U) {
      ++here_.column;  // counted at the last byte of a character
    }
  }
  return here_;
}

Position position_of(std::string_view text, std::size_t offset) {
  return TextCursor{text}.at(offset);
}

}  // namespace fleetcast::scenarios
