#include "analysis/format.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "models/units.hpp"

namespace fleetcast::analysis {

namespace {

std::string fixed(double value, int decimals) {
  std::array<char, 400> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals).ptr;
  return {text.data(), end};
}

/// 10^exponent, exact for the powers that a double holds exactly.
double power_of_ten(int exponent) {
  double power = 1.0;
  for (int i = 0; i < std::abs(exponent); ++i) power *= 10.0;
  return exponent < 0 ? 1.0 / power : power;
}

/// Exponent of the leading decimal digit.
int magnitude(double value) {
  return static_cast<int>(std::floor(std::log10(std::abs(value))));
}

}  // namespace

Signs signs_of(const Style& style) {
  if (style.unicode) return {"±", "≥", "–", "─"};
  return {"+-", ">=", "-", "-"};
}

std::string grouped(double value, int decimals) {
  std::string text = fixed(std::abs(value), decimals);
  const bool zero = text.find_first_of("123456789") == std::string::npos;
  const auto point = std::min(text.find('.'), text.size());
  for (std::size_t at = point; at > 3; at -= 3) text.insert(at - 3, ",");
  return value < 0.0 && !zero ? "-" + text : text;
}

double step_for(double value, double error) {
  constexpr double noise = 1e-12;  // equal bills added in another order are not an uncertainty
  if (error > noise * std::abs(value)) return power_of_ten(magnitude(error / 3.5));
  return value == 0.0 ? 1.0 : power_of_ten(magnitude(value) - 4);
}

std::string rounded_to(double value, double step) {
  const int decimals = std::clamp(-magnitude(step * 1.000001), 0, 9);
  const double steps = std::round(value / step);
  return grouped(step >= 1.0 ? steps * step : value, decimals);
}

std::string significant(double value, int digits) {
  if (value == 0.0) return "0";
  return rounded_to(value, power_of_ten(magnitude(value) - digits + 1));
}

std::string whole(double value) {
  return value == std::floor(value) ? grouped(value, 0) : significant(value, 3);
}

std::string percent(double share) {
  if (share == 0.0) return "0";
  if (share == 1.0) return "100";
  const double edge = std::min(std::abs(share), std::abs(1.0 - share));
  if (edge >= 0.0095) return grouped(100.0 * share, 1);
  return grouped(100.0 * share, std::clamp(-magnitude(100.0 * edge), 1, 6));
}

TimeUnit unit_for(double seconds) {
  if (seconds >= 2.0 * models::seconds_per_day) return {"d", models::seconds_per_day};
  if (seconds >= 2.0 * models::seconds_per_hour) return {"h", models::seconds_per_hour};
  if (seconds >= 120.0) return {"min", 60.0};
  return {"s", 1.0};
}

std::string duration(double seconds) {
  if (!std::isfinite(seconds)) return "never";
  const TimeUnit unit = unit_for(std::abs(seconds));
  return significant(seconds / unit.seconds, 3) + " " + unit.name;
}

std::string byte_size(double bytes) {
  constexpr std::array names{"B", "kB", "MB", "GB", "TB", "PB"};
  std::size_t i = 0;
  for (; bytes >= 1000.0 && i + 1 < names.size(); ++i) bytes /= 1000.0;
  return significant(bytes, 3) + " " + names[i];
}

std::string shown(std::string_view text, const Style& style) {
  std::string safe;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == hard_blank)
      safe += c;
    else if (byte < 0x20 || byte == 0x7f)
      safe += byte == '\n' || byte == '\t' ? ' ' : '?';
    else if (byte < 0x80 || style.unicode)
      safe += c;
    else if ((byte & 0xc0) != 0x80)
      safe += '?';  // one for each character, not for each byte
  }
  return safe;
}

std::size_t columns_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

std::string padded_left(std::string_view text, std::size_t columns) {
  const std::size_t used = columns_of(text);
  return std::string(columns > used ? columns - used : 0, ' ') + std::string{text};
}

std::string padded_right(std::string_view text, std::size_t columns) {
  const std::size_t used = columns_of(text);
  return std::string{text} + std::string(columns > used ? columns - used : 0, ' ');
}

namespace {

/// Cuts off the first `columns` characters.
std::string_view take_columns(std::string_view& text, std::size_t columns) {
  std::size_t bytes = 0;
  for (std::size_t seen = 0; bytes < text.size(); ++bytes)
    if ((static_cast<unsigned char>(text[bytes]) & 0xc0) != 0x80 && seen++ == columns) break;
  const std::string_view taken = text.substr(0, bytes);
  text.remove_prefix(bytes);
  return taken;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : text) {
    if (c != ' ')
      word += c;
    else if (!word.empty())
      words.push_back(std::exchange(word, ""));
  }
  if (!word.empty()) words.push_back(word);
  return words;
}

}  // namespace

std::string wrapped(std::string_view text, int width, std::string_view first, std::string_view rest) {
  const auto room = static_cast<std::size_t>(std::max(width, 8));
  std::string out, line{first};
  bool begun = false;
  const auto flush = [&] {
    out += line + "\n";
    line = rest;
    begun = false;
  };
  for (const std::string& word : words_of(text)) {
    if (begun && columns_of(line) + 1 + columns_of(word) > room) flush();
    if (begun) line += ' ';
    begun = true;
    std::string_view left = word;
    while (columns_of(line) + columns_of(left) > room && columns_of(line) < room) {
      line += take_columns(left, room - columns_of(line));
      flush();
    }
    line += left;
    begun = begun || !left.empty();
  }
  out += line + "\n";
  std::ranges::replace(out, hard_blank, ' ');
  return out;
}

std::string emphasized(const std::string& text, Emphasis emphasis, const Style& style) {
  if (!style.color || emphasis == Emphasis::none) return text;
  constexpr std::array codes{"", "1", "33", "32", "2"};  // ECMA-48, SGR
  return std::string{"\x1b["} + codes[static_cast<std::size_t>(emphasis)] + "m" + text + "\x1b[0m";
}

}  // namespace fleetcast::analysis
