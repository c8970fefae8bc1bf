#include <cctype>

#include "scenarios/document.hpp"
#include "scenarios/values.hpp"

namespace fleetcast::scenarios {
namespace {

/// "1,024" and "1_024" with the marks taken out, if the text begins like that.
std::string without_thousands_marks(std::string_view text) {
  std::string result;
  std::size_t marks = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool between_digits = i > 0 && i + 1 < text.size() && std::isdigit(static_cast<unsigned char>(text[i - 1])) &&
                                std::isdigit(static_cast<unsigned char>(text[i + 1]));
    if ((text[i] == ',' || text[i] == '_' || text[i] == '\'') && between_digits) {
      ++marks;
    } else {
      result += text[i];
    }
  }
  return marks > 0 ? result : "";
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

std::string such_as(std::string_view what, std::string_view example) {
  return std::string{what} + " such as \"" + std::string{example} + '"';
}

Parsed<NumberAndRest> split_number(std::string_view text, std::string_view what, std::string_view example) {
  const std::string_view plain = trimmed(text);
  const std::size_t length = number_length(plain);
  const char next = length < plain.size() ? plain[length] : ' ';
  const std::string unmarked = without_thousands_marks(plain);
  if (length > 0 && (next == ',' || next == '_' || next == '\'') && !unmarked.empty()) {
    return Problem{"found " + in_quotes(text) + ": digits are written without separators", such_as(what, example),
                   unmarked};
  }
  const bool broken = next == '.' || next == ',' || next == '+';
  if (length == 0 || broken) return Problem{"found " + in_quotes(text), such_as(what, example), ""};
  return NumberAndRest{*parse_decimal(plain.substr(0, length)), trimmed(plain.substr(length)),
                       std::string{plain.substr(0, length)}};
}

Parsed<double> to_amount(const Decimal& number, std::string_view text, std::string_view what) {
  const std::optional<double> value = to_double(number);
  if (!value) return Problem{"found " + in_quotes(text) + ", which is too large for a number", "", ""};
  if (*value < 0.0) {
    return Problem{"found " + in_quotes(text) + ", which is negative", std::string{what} + " of 0 or more", ""};
  }
  return *value;
}

std::vector<std::string_view> split_at_commas(std::string_view text) {
  std::vector<std::string_view> pieces;
  for (std::size_t begin = 0;;) {
    const std::size_t comma = text.find(',', begin);
    pieces.push_back(trimmed(text.substr(begin, comma - begin)));
    if (comma == std::string_view::npos) return pieces;
    begin = comma + 1;
  }
}

std::optional<std::string_view> named(std::string_view argument, std::string_view word) {
  if (!argument.starts_with(word) || argument.size() <= word.size() || argument[word.size()] != ' ')
    return std::nullopt;
  return trimmed(argument.substr(word.size()));
}

}  // namespace fleetcast::scenarios
