#include "models/daily_hazard.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>
#include <limits>

namespace fleetcast::models {
namespace {

constexpr double hour = 3600.0;

TEST_CASE("a daily swing moves ends within the day and keeps whole days") {
  CHECK(time_of_daily_hazard(5.0 * hour, 0.0, 3.0) == 5.0 * hour);
  CHECK(time_of_daily_hazard(48.0 * hour, 0.9, 7.0) == doctest::Approx(48.0 * hour).epsilon(1e-12));
  CHECK(time_of_daily_hazard(std::numeric_limits<double>::infinity(), 0.5, 1.0) ==
        std::numeric_limits<double>::infinity());
}

TEST_CASE("where machines are scarce lives end sooner") {
  // around the scarcest hour the clock runs at 1 + swing
  const double scarce = time_of_daily_hazard(60.0, 0.5, scarcest_hour_utc);
  CHECK(scarce == doctest::Approx(60.0 / 1.5).epsilon(1e-4));
  const double ample = time_of_daily_hazard(60.0, 0.5, scarcest_hour_utc + 12.0);
  CHECK(ample == doctest::Approx(60.0 / 0.5).epsilon(1e-4));
}

TEST_CASE("the cumulative hazard at the end is the life without the swing") {
  for (const double start : {0.0, 5.5, 17.0, 100.25}) {
    const double life_h = 7.3, swing = 0.8;
    const double end_h = time_of_daily_hazard(life_h * hour, swing, start) / hour;
    const double w = 2.0 * 3.141592653589793 / 24.0, phase = w * (start - scarcest_hour_utc);
    const double hazard = end_h + swing / w * (std::sin(phase + w * end_h) - std::sin(phase));
    CHECK(hazard == doctest::Approx(life_h).epsilon(1e-9));
  }
}

}  // namespace
}  // namespace fleetcast::models
