#include <algorithm>
#include <array>
#include <cmath>

#include "scenarios/document.hpp"
#include "scenarios/values.hpp"

namespace fleetcast::scenarios {
namespace {

constexpr std::string_view count_example = "1.4T";
constexpr std::string_view suffix_list = "k M B T (10^3 to 10^12) or Ki Mi Gi (2^10 to 2^30)";

struct Suffix {
  std::string_view name;
  int tens, twos;  ///< factor 10^tens x 2^twos
};
constexpr std::array<Suffix, 8> suffixes{
    {{"", 0, 0}, {"k", 3, 0}, {"M", 6, 0}, {"B", 9, 0}, {"T", 12, 0}, {"Ki", 0, 10}, {"Mi", 0, 20}, {"Gi", 0, 30}}};

struct Synonym {
  std::string_view written, meant;
};
constexpr std::array<Synonym, 12> synonyms{{{"K", "k"},
                                            {"m", "M"},
                                            {"b", "B"},
                                            {"t", "T"},
                                            {"G", "B"},
                                            {"g", "B"},
                                            {"ki", "Ki"},
                                            {"mi", "Mi"},
                                            {"gi", "Gi"},
                                            {"KiB", "Ki"},
                                            {"MiB", "Mi"},
                                            {"bn", "B"}}};

Problem unknown_suffix(const NumberAndRest& parts, std::string_view text) {
  Problem problem{"found " + in_quotes(text) + ": " + in_quotes(parts.rest) + " is not a suffix of a count",
                  std::string{suffix_list}, ""};
  const auto* meant = std::find_if(synonyms.begin(), synonyms.end(),
                                   [&](const Synonym& synonym) { return synonym.written == parts.rest; });
  if (meant != synonyms.end()) problem.nearest = parts.written + std::string{meant->meant};
  return problem;
}

/// number x 2^twos, exact or nothing. A decimal of up to 15 digits times 2^30 is exact in a long double only if the
/// product is whole, which is what is asked.
std::optional<std::uint64_t> times_power_of_two(const Decimal& number, int twos) {
  if (number.is_whole()) {
    const std::optional<std::uint64_t> whole = to_whole(number);
    if (!whole || *whole > (~std::uint64_t{0} >> twos)) return std::nullopt;
    return *whole << twos;
  }
  // whole only if 5^k divides the digits, since 10^-k = 5^-k x 2^-k
  std::optional<std::uint64_t> digits = to_whole({number.negative, number.digits, 0});
  const long k = -number.exponent;
  if (!digits || k > twos) return std::nullopt;
  for (long i = 0; i < k; ++i) {
    if (*digits % 5 != 0) return std::nullopt;
    *digits /= 5;
  }
  return times_power_of_two({number.negative, std::to_string(*digits), 0}, twos - static_cast<int>(k));
}

Problem not_a_count(const Decimal& number, std::string_view text, bool whole) {
  if (number.negative) return {"found " + in_quotes(text) + ", which is negative", "a count", ""};
  if (!whole) return {"found " + in_quotes(text) + ", which is not whole", "a whole number", ""};
  return {"found " + in_quotes(text) + ", which is too large", "a count below 2^64", ""};
}

Parsed<std::uint64_t> apply(const Suffix& suffix, Decimal number, std::string_view text) {
  if (!number.is_zero()) number.exponent += suffix.tens;
  const bool whole = suffix.twos > 0 || number.is_whole();
  const std::optional<std::uint64_t> value = number.negative ? std::nullopt : times_power_of_two(number, suffix.twos);
  if (!value) return not_a_count(number, text, whole && (suffix.twos == 0 || number.is_whole()));
  return *value;
}

}  // namespace

Parsed<std::uint64_t> parse_count(std::string_view text) {
  const Parsed<NumberAndRest> parts = split_number(text, "a count", count_example);
  if (!parts.value) return parts.problem;
  const auto* suffix = std::find_if(suffixes.begin(), suffixes.end(),
                                    [&](const Suffix& candidate) { return candidate.name == parts.value->rest; });
  if (suffix == suffixes.end()) return unknown_suffix(*parts.value, text);
  return apply(*suffix, parts.value->number, text);
}

Parsed<CountOf> parse_count_of(std::string_view text, std::string_view one_unit, std::string_view other_unit) {
  const std::string_view plain = trimmed(text);
  const std::size_t space = plain.rfind(' ');
  const std::string_view unit = space == std::string_view::npos ? std::string_view{} : plain.substr(space + 1);
  const std::string allowed = "a count of " + std::string{one_unit} + " or " + std::string{other_unit} +
                              ", such as \"4Mi " + std::string{one_unit} + "\" or \"2048 " + std::string{other_unit} +
                              "\"";
  if (unit != one_unit && unit != other_unit) {
    return Problem{"found " + in_quotes(text) + ", which does not say of what", allowed, ""};
  }
  const Parsed<std::uint64_t> count = parse_count(plain.substr(0, space));
  if (!count.value) return count.problem;
  if (*count.value == 0) return Problem{"found " + in_quotes(text), allowed + ", at least 1", ""};
  return CountOf{*count.value, std::string{unit}};
}

}  // namespace fleetcast::scenarios
