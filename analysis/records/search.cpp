#include "analysis/records/search.hpp"

#include <algorithm>
#include <boost/math/tools/minima.hpp>

#include "models/errors.hpp"

namespace fleetcast::analysis {

namespace {

constexpr int bits = 26;  // half of a double: no minimum is known better (Brent 1973)
constexpr int bisections = 30;

/// Between `inside`, where the curve is above the level, and `outside`, where it is below.
double crossing(const Curve& curve, double inside, double outside, double level) {
  for (int i = 0; i < bisections; ++i) {
    const double middle = 0.5 * (inside + outside);
    (curve(middle) >= level ? inside : outside) = middle;
  }
  return inside;
}

/// The last place on the way from the peak to `end` before the curve first falls below the level; `open` if it never
/// does.
double edge(const Curve& curve, const Peak& peak, double end, double level, int steps, bool& open) {
  double inside = peak.at;
  for (int step = 1; step <= steps; ++step) {
    const double at = peak.at + (end - peak.at) * step / steps;
    if (curve(at) < level) return crossing(curve, inside, at, level);
    inside = at;
  }
  open = true;
  return end;
}

}  // namespace

Peak largest(const Curve& curve, double low, double high, int steps) {
  models::require(low < high && steps > 1, "a search has room");
  Peak best{low, curve(low)};
  const double width = (high - low) / steps;
  for (int step = 1; step <= steps; ++step)
    if (const double at = low + width * step, value = curve(at); value > best.value) best = {at, value};
  const auto [at, negative] = boost::math::tools::brent_find_minima(
      [&](double x) { return -curve(x); }, std::max(low, best.at - width), std::min(high, best.at + width), bits);
  return -negative > best.value ? Peak{at, -negative} : best;
}

Range90 range_within(const Curve& curve, const Peak& peak, double low, double high, double drop, int steps) {
  Range90 range;
  const double level = peak.value - drop;
  range.low = edge(curve, peak, low, level, steps, range.open_low);
  range.high = edge(curve, peak, high, level, steps, range.open_high);
  return range;
}

}  // namespace fleetcast::analysis
