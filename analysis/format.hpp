#pragma once
// Figures and texts as a terminal shows them.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/style.hpp"

namespace fleetcast::analysis {

/// Signs that depend on the encoding.
struct Signs {
  std::string plus_minus, at_least, dash, line;
};
Signs signs_of(const Style& style);

/// With commas between thousands: grouped(-1234567.891, 1) is "-1,234,567.9". Decimals 0 to 9; finite values only.
std::string grouped(double value, int decimals);

/// The power of ten to which a figure with this error is worth showing: 10 for an error of 35 to 350, one for 3.5
/// to 35. An error of zero: five significant digits of the figure.
double step_for(double value, double error);
/// The figure rounded to that step. 12343.27 with an error of 120 is "12,340".
std::string rounded_to(double value, double step);
/// With this many significant digits, thousands grouped, never as 1e9.
std::string significant(double value, int digits);
/// A count: whole numbers as they are, others with three digits.
std::string whole(double value);
/// "93.2" for 0.932; more digits near 0 and 1; "0" and "100" only for exactly these.
std::string percent(double share);

/// The unit of time that suits a duration, and how to show seconds in it.
struct TimeUnit {
  std::string name;  ///< "d", "h", "min", "s"
  double seconds = 1.0;
};
TimeUnit unit_for(double seconds);
/// "8.21 d".
std::string duration(double seconds);
/// "12.3 GB".
std::string byte_size(double bytes);

/// A blank at which no line is broken; `wrapped` turns it into a plain one.
constexpr char hard_blank = '\x1f';

/// Safe to print: control characters, and for a plain terminal all that is not ASCII, become '?'.
std::string shown(std::string_view text, const Style& style);
/// Columns that a text takes: its code points.
std::size_t columns_of(std::string_view text);
std::string padded_left(std::string_view text, std::size_t columns);
std::string padded_right(std::string_view text, std::size_t columns);
/// Lines of at most `width` columns, broken at blanks, or inside a word that is longer than a line. The first line
/// begins with `first`, the others with `rest`.
std::string wrapped(std::string_view text, int width, std::string_view first, std::string_view rest);

enum class Emphasis { none, bold, warning, good, dim };
/// With colour codes if the style has colour.
std::string emphasized(const std::string& text, Emphasis emphasis, const Style& style);

}  // namespace fleetcast::analysis
