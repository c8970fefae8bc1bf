// A recording as trials play it: windows, seams, ends, integrals.
#include "sim/recorded_course.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace fleetcast::tests {
namespace {

using models::Recording;
using sim::RecordedCourse;
using sim::kernel::Duration;
using sim::kernel::Time;
using AtEnd = RecordedCourse::AtEnd;

Recording by_hand() {
  return {"by hand", {{0.0, 4.0}, {10.0, 0.0}, {15.0, 3.0}, {40.0, 4.0}}, 100.0, {}, 7};
}

Duration s(double seconds) {
  return Duration::from_seconds(seconds);
}
Time at(double seconds) {
  return Time::from_seconds(seconds);
}

}  // namespace

TEST_CASE("a course repeats, and its seam is no change where both ends agree") {
  const RecordedCourse course{by_hand(), 35.0, 1, AtEnd::repeat};
  CHECK(course.value(s(35), at(0)) == 3.0);
  CHECK(course.next_change(s(35), at(0)) == at(5));
  CHECK(course.value(s(35), at(5)) == 4.0);
  CHECK(course.next_change(s(35), at(5)) == at(75));  // not at 65, the seam
  CHECK(course.value(s(35), at(75)) == 0.0);
  CHECK(course.value(s(35), at(175)) == 0.0);
  CHECK(course.next_change(s(35), at(1075)) == at(1080));
}

TEST_CASE("a seam between different values is a change") {
  const RecordedCourse course{{"", {{0.0, 1.0}, {5.0, 4.0}}, 10.0, {}, 0}, 0.0, 1, AtEnd::repeat};
  CHECK(course.next_change(s(0), at(5)) == at(10));
  CHECK(course.value(s(0), at(10)) == 1.0);
}

TEST_CASE("hold keeps the last value, stop ends the trial") {
  const RecordedCourse hold{by_hand(), 0.0, 1, AtEnd::hold}, stop{by_hand(), 0.0, 1, AtEnd::stop};
  CHECK(hold.value(s(0), at(5000)) == 4.0);
  CHECK(hold.next_change(s(0), at(40)) == Time::never());
  CHECK(hold.end(s(0)) == Time::never());
  CHECK(stop.end(s(30)) == at(70));
}

TEST_CASE("the integral agrees with sums by hand, over seams too") {
  const RecordedCourse course{by_hand(), 0.0, 1, AtEnd::repeat};
  CHECK(course.integral(s(0), at(0), at(100)) == doctest::Approx(355.0).epsilon(1e-12));
  CHECK(course.integral(s(0), at(5), at(20)) == doctest::Approx(20.0 + 15.0).epsilon(1e-12));
  CHECK(course.integral(s(35), at(0), at(1000)) == doctest::Approx(3550.0).epsilon(1e-12));
  CHECK(course.integral(s(95), at(0), at(10)) == doctest::Approx(40.0).epsilon(1e-12));
}

TEST_CASE("windows are uniform and shared by equal entities") {
  const RecordedCourse a{by_hand(), {}, 5, AtEnd::repeat}, b{by_hand(), {}, 5, AtEnd::repeat},
      other{by_hand(), {}, 6, AtEnd::repeat};
  double sum = 0.0;
  int same = 0;
  for (std::uint32_t trial = 0; trial < 10'000; ++trial) {
    const sim::Draws draws{1, trial};
    const Duration window = a.window(draws);
    CHECK(window == b.window(draws));
    same += window == other.window(draws) ? 1 : 0;
    CHECK(window >= s(0));
    CHECK(window < s(100));
    sum += window.seconds();
  }
  // 5 standard errors of a uniform mean.
  CHECK(sum / 1e4 == doctest::Approx(50.0).epsilon(5.0 * 100.0 / std::sqrt(12.0 * 1e4) / 50.0));
  CHECK(same == 0);
}

}  // namespace fleetcast::tests
