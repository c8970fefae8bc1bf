#include "scenarios/decimal.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace fleetcast::scenarios {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::size_t digits_length(std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size() && is_digit(text[end])) ++end;
  return end - begin;
}

std::size_t exponent_length(std::string_view text, std::size_t begin) {
  if (begin >= text.size() || (text[begin] != 'e' && text[begin] != 'E')) return 0;
  const bool sign = begin + 1 < text.size() && (text[begin + 1] == '+' || text[begin + 1] == '-');
  const std::size_t head = sign ? 2 : 1;
  const std::size_t digits = digits_length(text, begin + head);
  return digits == 0 ? 0 : head + digits;
}

/// Far beyond any double, so that sums with it cannot overflow.
constexpr long exponent_limit = 1'000'000'000;

long parse_exponent(std::string_view text) {
  text.remove_prefix(1);
  const bool negative = text.front() == '-';
  if (text.front() == '-' || text.front() == '+') text.remove_prefix(1);
  long value = 0;
  for (const char c : text) value = std::min(value * 10 + (c - '0'), exponent_limit);
  return negative ? -value : value;
}

void trim_zeros(Decimal& decimal) {
  const std::size_t last = decimal.digits.find_last_not_of('0');
  if (last == std::string::npos) {
    decimal = {};
    return;
  }
  decimal.exponent += static_cast<long>(decimal.digits.size() - last - 1);
  decimal.digits.erase(last + 1);
  decimal.digits.erase(0, decimal.digits.find_first_not_of('0'));
}

template <class... Format>
std::string print(double value, Format... format) {
  std::array<char, 400> buffer{};
  const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format...);
  return {buffer.data(), result.ptr};
}

}  // namespace

std::size_t number_length(std::string_view text) {
  std::size_t at = !text.empty() && text.front() == '-' ? 1 : 0;
  const std::size_t whole = digits_length(text, at);
  if (whole == 0) return 0;
  at += whole;
  if (at < text.size() && text[at] == '.') {
    const std::size_t fraction = digits_length(text, at + 1);
    if (fraction > 0) at += 1 + fraction;
  }
  return at + exponent_length(text, at);
}

std::optional<Decimal> parse_decimal(std::string_view text) {
  if (text.empty() || number_length(text) != text.size()) return std::nullopt;
  Decimal result;
  std::size_t at = 0;
  result.negative = text[at] == '-';
  if (result.negative) ++at;
  const std::size_t whole = digits_length(text, at);
  result.digits = text.substr(at, whole);
  at += whole;
  if (at < text.size() && text[at] == '.') {
    const std::size_t fraction = digits_length(text, at + 1);
    result.digits += text.substr(at + 1, fraction);
    result.exponent = -static_cast<long>(fraction);
    at += 1 + fraction;
  }
  if (at < text.size()) result.exponent += parse_exponent(text.substr(at));
  trim_zeros(result);
  return result;
}

std::optional<double> to_double(const Decimal& decimal) {
  if (decimal.is_zero()) return 0.0;
  const long magnitude = static_cast<long>(decimal.digits.size()) + decimal.exponent;
  if (magnitude > 310) return std::nullopt;
  if (magnitude < -330) return 0.0;
  const std::string text = (decimal.negative ? "-" : "") + decimal.digits + "e" + std::to_string(decimal.exponent);
  double value = 0.0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec == std::errc::result_out_of_range) {
    if (magnitude > 0) return std::nullopt;
    return 0.0;
  }
  return value;
}

std::optional<std::uint64_t> to_whole(const Decimal& decimal) {
  if (decimal.is_zero()) return 0;
  if (decimal.negative || decimal.exponent < 0) return std::nullopt;
  if (static_cast<long>(decimal.digits.size()) + decimal.exponent > 20) return std::nullopt;
  const std::string text = decimal.digits + std::string(static_cast<std::size_t>(decimal.exponent), '0');
  std::uint64_t value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc{}) return std::nullopt;
  return value;
}

std::string format_number(double value) {
  return print(value);
}

std::string format_fixed(double value, int places) {
  return print(value, std::chars_format::fixed, places);
}

std::string format_rounded(double value, int digits) {
  return print(value, std::chars_format::general, digits);
}

}  // namespace fleetcast::scenarios
