#include "models/price_law.hpp"

#include <doctest/doctest.h>

#include <cmath>

namespace fleetcast::models {
namespace {

TEST_CASE("the mean price of a law is that of a log-normal, cut where it is cut") {
  CHECK(mean_price({2.0, 0.0, 1.0, 0.0}) == 2.0);
  CHECK(mean_price({2.0, 0.5, 1.0, 0.3}) == doctest::Approx(2.0 * std::exp(0.125)).epsilon(1e-12));
  // half of the time at the ceiling, which is the median; below it E[p; p < 2] = 2 exp(s^2/2) Phi(-s)
  const double below = 2.0 * std::exp(0.125) * 0.5 * std::erfc(0.5 / std::sqrt(2.0));
  CHECK(mean_price({2.0, 0.5, 1.0, 0.0, 0.0, 2.0}) == doctest::Approx(below + 1.0).epsilon(1e-12));
  // floor and ceiling at the median: always that
  CHECK(mean_price({2.0, 0.5, 1.0, 0.0, 2.0, 2.0}) == doctest::Approx(2.0).epsilon(1e-12));
}

}  // namespace
}  // namespace fleetcast::models
