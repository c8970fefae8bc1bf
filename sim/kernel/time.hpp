#pragma once
// Time as a 64-bit count of nanoseconds: exact to add and compare, good for 292 years.
#include <compare>
#include <cstdint>
#include <limits>
#include <stdexcept>

namespace fleetcast::sim::kernel {

namespace detail {

/// The largest count stands for "beyond every time".
constexpr std::int64_t beyond = std::numeric_limits<std::int64_t>::max();

/// To the nearest nanosecond, halves away from zero. 2^63 ns and more (infinity too) are `beyond`;
/// throws std::invalid_argument for NaN and std::overflow_error for -2^63 ns and less.
constexpr std::int64_t nanoseconds_from(double seconds) {
  const double exact = seconds * 1e9;
  if (exact >= 0x1p63) return beyond;
  if (exact != exact) throw std::invalid_argument{"time: not a number"};
  if (exact <= -0x1p63) throw std::overflow_error{"time: before the representable past"};
  const auto whole = static_cast<std::int64_t>(exact);
  const double rest = exact - static_cast<double>(whole);
  return whole + (rest >= 0.5 ? 1 : 0) - (rest <= -0.5 ? 1 : 0);
}

constexpr double seconds_from(std::int64_t nanoseconds) {
  if (nanoseconds == beyond) return std::numeric_limits<double>::infinity();
  return static_cast<double>(nanoseconds) / 1e9;
}

/// Saturates at `beyond` (and stays there); throws std::overflow_error below the representable past.
constexpr std::int64_t sum(std::int64_t a, std::int64_t b) {
  if (a == beyond || b == beyond) return beyond;
  if (b > 0 && a > beyond - b) return beyond;
  if (b < 0 && a < std::numeric_limits<std::int64_t>::min() - b)
    throw std::overflow_error{"time: before the representable past"};
  return a + b;
}

constexpr std::int64_t negated(std::int64_t a) {
  if (a == beyond || a == std::numeric_limits<std::int64_t>::min())
    throw std::overflow_error{"time: the infinite cannot be subtracted"};
  return -a;
}

}  // namespace detail

/// A length of time; may be negative.
class Duration {
 public:
  constexpr Duration() = default;
  constexpr explicit Duration(std::int64_t nanoseconds) : nanoseconds_{nanoseconds} {}
  /// Nearest nanosecond; 292 years and more are forever(). Throws std::invalid_argument for NaN.
  static constexpr Duration from_seconds(double seconds) { return Duration{detail::nanoseconds_from(seconds)}; }
  /// Longer than all others; every sum with it is forever() or Time::never().
  static constexpr Duration forever() { return Duration{detail::beyond}; }

  [[nodiscard]] constexpr std::int64_t nanoseconds() const { return nanoseconds_; }
  /// Infinity for forever().
  [[nodiscard]] constexpr double seconds() const { return detail::seconds_from(nanoseconds_); }

  friend constexpr auto operator<=>(const Duration&, const Duration&) = default;
  friend constexpr Duration operator+(Duration a, Duration b) {
    return Duration{detail::sum(a.nanoseconds_, b.nanoseconds_)};
  }
  friend constexpr Duration operator-(Duration a, Duration b) { return a + -b; }
  /// Throws std::overflow_error for forever().
  constexpr Duration operator-() const { return Duration{detail::negated(nanoseconds_)}; }

 private:
  std::int64_t nanoseconds_ = 0;
};

/// A point in time, counted from the start of a run.
class Time {
 public:
  /// The start of a run.
  constexpr Time() = default;
  constexpr explicit Time(std::int64_t nanoseconds) : nanoseconds_{nanoseconds} {}
  /// Nearest nanosecond; 292 years and more are never(). Throws std::invalid_argument for NaN.
  static constexpr Time from_seconds(double seconds) { return Time{detail::nanoseconds_from(seconds)}; }
  /// Later than all others.
  static constexpr Time never() { return Time{detail::beyond}; }

  [[nodiscard]] constexpr std::int64_t nanoseconds() const { return nanoseconds_; }
  /// Infinity for never().
  [[nodiscard]] constexpr double seconds() const { return detail::seconds_from(nanoseconds_); }

  friend constexpr auto operator<=>(const Time&, const Time&) = default;
  /// never() where the sum is 292 years or more; throws std::overflow_error before the representable past.
  friend constexpr Time operator+(Time time, Duration length) {
    return Time{detail::sum(time.nanoseconds_, length.nanoseconds())};
  }
  friend constexpr Time operator-(Time time, Duration length) { return time + -length; }
  /// forever() from never(); throws std::overflow_error if `b` is never().
  friend constexpr Duration operator-(Time a, Time b) {
    return Duration{detail::sum(a.nanoseconds_, detail::negated(b.nanoseconds_))};
  }
  constexpr Time& operator+=(Duration length) { return *this = *this + length; }

 private:
  std::int64_t nanoseconds_ = 0;
};

}  // namespace fleetcast::sim::kernel
