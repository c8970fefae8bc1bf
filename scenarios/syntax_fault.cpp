#include "scenarios/syntax_fault.hpp"

#include <algorithm>
#include <array>
#include <cctype>

#include "scenarios/text_cursor.hpp"

namespace fleetcast::scenarios {
namespace {

constexpr std::string_view blanks = " \t\r\n";

bool in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '+' || c == '-';
}

/// The word or number that starts at or after `begin`, separators skipped; empty if something else stands there.
std::string_view word_after(std::string_view text, std::size_t begin) {
  const std::size_t start = std::min(text.find_first_not_of(" \t\r\n,:", begin), text.size());
  std::size_t end = start;
  while (end < text.size() && in_word(text[end])) ++end;
  return text.substr(start, end - start);
}

bool is_not_a_number_word(std::string_view word) {
  if (!word.empty() && (word.front() == '-' || word.front() == '+')) word.remove_prefix(1);
  static constexpr std::array<std::string_view, 7> words{"NaN", "nan", "NAN", "Infinity", "infinity", "inf", "Inf"};
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_number_word(std::string_view word) {
  return !word.empty() && word.find_first_not_of("+-.0123456789eE") == std::string_view::npos;
}

/// Start of the token that the parser was reading when it stopped; inside a text, the byte it did not like.
std::size_t start_of_token(const SyntaxError& error) {
  if (error.parser_message.find("invalid string") != std::string::npos) {
    return std::min(error.parser_position > 0 ? error.parser_position - 1 : 0, error.blanked.size());
  }
  std::size_t at = error.last_good;
  while (at < error.blanked.size()) {
    const bool read_past = at + 1 < error.parser_position;
    const bool separator = error.blanked[at] == ',' || error.blanked[at] == ':';
    if (blanks.find(error.blanked[at]) == std::string_view::npos && !(separator && read_past)) break;
    ++at;
  }
  return at;
}

/// Offset of the comma if a bracket closes right behind one.
std::size_t trailing_comma(std::string_view text, std::size_t at) {
  if (at >= text.size() || (text[at] != '}' && text[at] != ']') || at == 0) return std::string_view::npos;
  const std::size_t before = text.find_last_not_of(blanks, at - 1);
  return before != std::string_view::npos && text[before] == ',' ? before : std::string_view::npos;
}

/// The parser's reason without its own prefix and position.
std::string reason(const std::string& message) {
  std::size_t begin = message.find("column ");
  begin = begin == std::string::npos ? message.find("] ") : message.find(": ", begin);
  std::string text = begin == std::string::npos ? message : message.substr(begin + 2);
  const std::size_t last_read = text.find("; last read");
  return last_read == std::string::npos ? text : text.substr(0, last_read);
}

models::Fault fault_at(const SyntaxError& error, std::size_t offset, const std::string& file, std::string problem,
                       std::string allowed) {
  const Position at = position_of(error.original, offset);
  return {file, at.line, at.column, "", std::move(problem), std::move(allowed), ""};
}

}  // namespace

models::Fault syntax_fault(const SyntaxError& error, const std::string& file) {
  const std::string_view word = word_after(error.blanked, error.last_good);
  const auto word_start = static_cast<std::size_t>(word.data() - error.blanked.data());
  if (is_not_a_number_word(word)) {
    return fault_at(error, word_start, file, std::string{word} + " is not a number of JSON", "finite numbers");
  }
  if (is_number_word(word) && error.parser_message.find("out_of_range") != std::string::npos) {
    return fault_at(error, word_start, file, "the number " + std::string{word.substr(0, 60)} + " is too large",
                    "numbers below 1.8e308");
  }
  const std::size_t at = start_of_token(error);
  const std::size_t comma = trailing_comma(error.blanked, at);
  if (comma != std::string_view::npos) {
    return fault_at(error, comma, file, std::string{"trailing comma before '"} + error.blanked[at] + "': remove it",
                    "");
  }
  return fault_at(error, at, file, "not valid JSON: " + reason(error.parser_message), "");
}

}  // namespace fleetcast::scenarios
