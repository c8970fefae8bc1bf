#include "models/daily_hazard.hpp"

#include <algorithm>
#include <cmath>

#include "models/errors.hpp"
#include "models/random/deterministic_math.hpp"
#include "models/units.hpp"

namespace fleetcast::models {
namespace {

constexpr double radians_per_hour = 6.283185307179586 / 24.0;
constexpr int halvings = 60;

double sine(double x) {
  constexpr double quarter_turn = 1.5707963267948966;
  return det::cos(x - quarter_turn);
}

}  // namespace

double time_of_daily_hazard(double life_s, double swing, double start_hour) {
  require(swing >= 0.0 && swing < 1.0, "a daily swing outside of [0, 1)");
  if (swing <= 0.0 || !std::isfinite(life_s)) return life_s;
  const double life_h = life_s / seconds_per_hour;
  const double phase = std::fmod(start_hour - scarcest_hour_utc, 24.0) * radians_per_hour;
  const double at_start = sine(phase);
  // Hours of the clock that runs faster when machines are scarce.
  const auto clock = [&](double hours) {
    return hours + swing / radians_per_hour * (sine(phase + hours * radians_per_hour) - at_start);
  };
  double low = std::max(0.0, life_h - 2.0 * swing / radians_per_hour), high = life_h + 2.0 * swing / radians_per_hour;
  for (int i = 0; i < halvings; ++i) {
    const double middle = 0.5 * (low + high);
    (clock(middle) < life_h ? low : high) = middle;
  }
  return high * seconds_per_hour;
}

}  // namespace fleetcast::models
