#pragma once
// Numbers as they are written: exact, so that 64-bit seeds keep every digit and "1.4T" is whole.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fleetcast::scenarios {

/// digits x 10^exponent. `digits` has no zeros at either end and is empty for zero.
struct Decimal {
  bool negative = false;
  std::string digits;
  long exponent = 0;

  [[nodiscard]] bool is_zero() const { return digits.empty(); }
  [[nodiscard]] bool is_whole() const { return exponent >= 0 || digits.empty(); }
};

/// Length of the number (-? digits [. digits] [e[+-] digits]) that `text` starts with; 0 if none.
std::size_t number_length(std::string_view text);

/// The whole of `text` as a number, or nothing.
std::optional<Decimal> parse_decimal(std::string_view text);

/// The nearest double. Nothing on overflow; underflow gives 0, and -0 is 0.
std::optional<double> to_double(const Decimal& decimal);

/// Exact. Nothing if negative, not whole or beyond 64 bits.
std::optional<std::uint64_t> to_whole(const Decimal& decimal);

/// The shortest text that reads back as the same double; "0.40" style with `places` >= 0 digits after the point.
std::string format_number(double value);
std::string format_fixed(double value, int places);
/// With at most `digits` significant digits.
std::string format_rounded(double value, int digits);

}  // namespace fleetcast::scenarios
