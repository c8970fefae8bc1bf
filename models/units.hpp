#pragma once
// Tagged quantities. They cross the boundaries between folders; inside a formula plain SI doubles are used.
#include <compare>

namespace fleetcast::models {

/// A double with a unit in its type: explicit to make, comparable, without arithmetic.
template <class Unit>
class Quantity {
 public:
  constexpr Quantity() = default;
  constexpr explicit Quantity(double value) : value_{value} {}
  /// The figure in the SI base of the unit (seconds, bytes, dollars, 1/s ...).
  [[nodiscard]] constexpr double value() const { return value_; }
  friend constexpr auto operator<=>(const Quantity&, const Quantity&) = default;

 private:
  double value_ = 0.0;
};

using Seconds = Quantity<struct SecondsUnit>;
using Bytes = Quantity<struct BytesUnit>;
using BytesPerSecond = Quantity<struct BytesPerSecondUnit>;
using Usd = Quantity<struct UsdUnit>;
using UsdPerNodeHour = Quantity<struct UsdPerNodeHourUnit>;
using FlopsPerSecond = Quantity<struct FlopsPerSecondUnit>;
/// Events per second (of one node, one GPU or the whole fleet: the name of the field says which).
using PerSecond = Quantity<struct PerSecondUnit>;

constexpr double seconds_per_hour = 3600.0;
constexpr double seconds_per_day = 86400.0;

}  // namespace fleetcast::models
