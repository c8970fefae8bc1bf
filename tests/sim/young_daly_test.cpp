#include "sim/young_daly.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>

namespace fleetcast::tests {

using sim::expected_run_s;
using sim::optimal_interval_s;
using sim::restart_with_losses_s;

TEST_CASE("short saves and rare stops: Daly's interval is Young's") {
  const double save = 1e-6, life = 1e6;
  CHECK(optimal_interval_s(save, life) == doctest::Approx(std::sqrt(2.0 * save * life)).epsilon(1e-6));
  CHECK(optimal_interval_s(0.0, 3600.0) == 0.0);
}

TEST_CASE("Daly's interval by hand: a save of 5 min, a stop a day") {
  // r = 300 / 172,800; sqrt(2 x 300 x 86,400) (1 + sqrt(r) / 3 + r / 9) - 300 = 7,200 x 1.0140817 - 300.
  const double r = 300.0 / 172'800.0;
  CHECK(optimal_interval_s(300.0, 86'400.0) ==
        doctest::Approx(7200.0 * (1.0 + std::sqrt(r) / 3.0 + r / 9.0) - 300.0).epsilon(1e-13));
  CHECK(optimal_interval_s(300.0, 86'400.0) == doctest::Approx(7001.4).epsilon(1e-5));
}

TEST_CASE("a save of twice the time between stops and more: one interval per stop") {
  CHECK(optimal_interval_s(200.0, 100.0) == 100.0);
  CHECK(optimal_interval_s(1e9, 100.0) == 100.0);
  // Just below, the series says 0.889 M; Daly joins them there.
  CHECK(optimal_interval_s(200.0 - 1e-9, 100.0) ==
        doctest::Approx(100.0 * (2.0 * (1.0 + 1.0 / 3.0 + 1.0 / 9.0) - 2.0)));
}

TEST_CASE("Daly's interval is within a thousandth of the best total time over a wide range") {
  for (const double save : {1.0, 10.0, 100.0}) {
    const double rate = 1e-4, work = 1e6;
    const auto total = [&](double interval) { return expected_run_s(work / interval, interval + save, rate, 300.0); };
    const double chosen = total(optimal_interval_s(save, 1.0 / rate));
    for (double interval = 20.0; interval < 1e5; interval *= 1.05) CHECK(chosen < 1.001 * total(interval));
  }
}

TEST_CASE("the expected run without stops is the work, and with few stops it is their first-order cost") {
  CHECK(expected_run_s(10.0, 100.0, 0.0, 50.0) == 1000.0);
  // Each stop costs half a stretch and a restart: 10 x 100 x rate x (50 + 50).
  const double rate = 1e-8;
  CHECK((expected_run_s(10.0, 100.0, rate, 50.0) - 1000.0) / rate == doctest::Approx(1000.0 * 100.0).epsilon(1e-4));
}

TEST_CASE("one stretch with an instant restart takes (e^x - 1) / rate") {
  CHECK(expected_run_s(1.0, 1000.0, 1e-3, 0.0) == doctest::Approx((std::exp(1.0) - 1.0) * 1000.0).epsilon(1e-14));
}

TEST_CASE("a restart without losses is its length; with losses during start-up it starts over") {
  CHECK(restart_with_losses_s(60.0, 40.0, 0.0) == 100.0);
  CHECK(restart_with_losses_s(60.0, 0.0, 0.01) == 60.0);
  CHECK(restart_with_losses_s(60.0, 100.0, 0.01) ==
        doctest::Approx(60.0 * std::exp(1.0) + 100.0 * (std::exp(1.0) - 1.0)).epsilon(1e-14));
}

}  // namespace fleetcast::tests
