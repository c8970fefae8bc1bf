#include "sim/kernel/time.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace fleetcast::sim::kernel {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

TEST_CASE("Seconds become the nearest nanosecond, halves away from zero") {
  CHECK(Time::from_seconds(1.0).nanoseconds() == 1'000'000'000);
  CHECK(Time::from_seconds(0.4999e-9).nanoseconds() == 0);
  CHECK(Time::from_seconds(0.5e-9).nanoseconds() == 1);
  CHECK(Time::from_seconds(1.5e-9).nanoseconds() == 2);
  CHECK(Duration::from_seconds(-0.4999e-9).nanoseconds() == 0);
  CHECK(Duration::from_seconds(-0.5e-9).nanoseconds() == -1);
  CHECK(Duration::from_seconds(-2.25).nanoseconds() == -2'250'000'000);
}

TEST_CASE("Nanoseconds survive the way to seconds and back for a hundred days") {
  for (std::int64_t ns = 1; ns < 8'640'000'000'000'000; ns = ns * 3 + 1)
    CHECK(Time::from_seconds(Time{ns}.seconds()) == Time{ns});
}

TEST_CASE("What lies 292 years ahead or further is never") {
  const double limit = std::ldexp(1.0, 63) / 1e9;
  CHECK(Time::from_seconds(limit * 1.000001) == Time::never());
  CHECK(Time::from_seconds(limit * 0.999999) < Time::never());
  CHECK(Time::from_seconds(infinity) == Time::never());
  CHECK(Duration::from_seconds(infinity) == Duration::forever());
  CHECK(Time::never().seconds() == infinity);
  CHECK(Duration::forever().seconds() == infinity);
}

TEST_CASE("What is not a time is refused") {
  CHECK_THROWS_AS(Time::from_seconds(std::nan("")), std::invalid_argument);
  CHECK_THROWS_AS(Duration::from_seconds(-infinity), std::overflow_error);
}

TEST_CASE("Sums are exact up to the last nanosecond and then never, without wrapping") {
  CHECK(Time{largest - 2} + Duration{1} == Time{largest - 1});
  CHECK(Time{largest - 2} + Duration{2} == Time::never());
  CHECK(Time{largest - 2} + Duration{largest - 2} == Time::never());
  CHECK(Time::never() + Duration{-1} == Time::never());
  CHECK(Time{5} + Duration::forever() == Time::never());
  CHECK(Time{5} + Duration{-7} == Time{-2});
  CHECK_THROWS_AS(Time{-largest} + Duration{-2}, std::overflow_error);
}

TEST_CASE("Differences are durations") {
  CHECK(Time{7} - Time{10} == Duration{-3});
  CHECK(Time{7} - Duration{3} == Time{4});
  CHECK(Time::never() - Time{10} == Duration::forever());
  CHECK_THROWS_AS(Time{10} - Time::never(), std::overflow_error);
  CHECK_THROWS_AS(Time{10} - Duration::forever(), std::overflow_error);
}

}  // namespace fleetcast::sim::kernel
