#include <algorithm>

#include "models/errors.hpp"
#include "scenarios/parse.hpp"
#include "scenarios/text_cursor.hpp"

namespace fleetcast::scenarios {
namespace {

/// Index after the closing quote of the string that starts at `begin`, or the end of the text.
std::size_t end_of_string(std::string_view text, std::size_t begin) {
  for (std::size_t i = begin + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '"') {
      return i + 1;
    }
  }
  return text.size();
}

std::size_t end_of_block_comment(std::string_view text, std::size_t begin, const std::string& file) {
  const std::size_t close = text.find("*/", begin + 2);
  if (close != std::string_view::npos) return close + 2;
  const Position at = position_of(text, begin);
  throw models::InputError{{{file, at.line, at.column, "", "a /* comment starts here and never ends", "", ""}}};
}

void blank(std::string& text, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; ++i) {
    if (text[i] != '\n' && text[i] != '\r') text[i] = ' ';
  }
}

}  // namespace

// Columns of what follows a comment on its line would count bytes in the blanked text: positions are always taken
// from the original.
std::string blank_comments(std::string_view text, const std::string& file) {
  std::string result{text};
  std::size_t i = 0;
  while (i < text.size()) {
    const std::string_view next = text.substr(i, 2);
    std::size_t end = i + 1;
    if (text[i] == '"') {
      end = end_of_string(text, i);
    } else if (next == "//") {
      end = std::min(text.find('\n', i), text.size());
      blank(result, i, end);
    } else if (next == "/*") {
      end = end_of_block_comment(text, i, file);
      blank(result, i, end);
    }
    i = end;
  }
  return result;
}

}  // namespace fleetcast::scenarios
