#include "models/local_steps.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "models/errors.hpp"

using namespace fleetcast::models;

namespace {

bool close(double a, double b, double tolerance = 1e-12) {
  return std::abs(a / b - 1) < tolerance;
}

/// A 10B model on 14 islands of 8 H100 (arXiv 2412.01152), 8-bit differences. A step is 1 Mi tokens on an island at
/// 38 % MFU: 21 s.
const double step = 6 * 10e9 * (1 << 20) / (8 * 989e12 * 0.38);

/// Seconds of one exchange among islands that reach each other at so many Gb/s, with 100 ms a hop.
double exchange(double gbit, int islands = 14) {
  const LocalSteps local{.every = 1, .bytes_per_value = 1, .parameters = 10e9, .islands = islands};
  return local_steps_exchange(local, plain_interconnect(gbit * 1e9 / 8, 0.1)).seconds_per_step;
}

}  // namespace

TEST_CASE("exchanging every 100 steps in 8 bits moves 400 times less than every step in 32") {
  const Interconnect wan = plain_interconnect(1e9 / 8, 0.0);
  const LocalSteps often{.every = 1, .bytes_per_value = 4, .parameters = 10e9, .islands = 14};
  const LocalSteps seldom{.every = 100, .bytes_per_value = 1, .parameters = 10e9, .islands = 14};
  CHECK(close(local_steps_exchange(often, wan).bytes_per_step / local_steps_exchange(seldom, wan).bytes_per_step, 400));
  CHECK(close(local_steps_exchange(seldom, wan).seconds_per_step, 2 * 13.0 / 14 * 10e9 / 0.125e9 / 100));
}

TEST_CASE("83 % across continents and 96 % within one country are 0.35 and 1.7 Gb/s between islands at H = 100") {
  CHECK(std::abs(compute_share(step, exchange(0.35), 100) - 0.83) < 0.005);
  CHECK(std::abs(compute_share(step, exchange(1.7), 100) - 0.96) < 0.005);
}

TEST_CASE("how the share of computing grows with the period, and the smallest period for 83 %") {
  const double seconds = exchange(0.35);
  const std::vector<std::pair<int, double>> table = {{1, 0.05}, {10, 0.33}, {50, 0.71}, {100, 0.83}, {500, 0.96}};
  for (const auto& [every, share] : table) CHECK(std::abs(compute_share(step, seconds, every) - share) < 0.006);
  const int smallest = smallest_period(step, seconds, 0.83);
  CHECK(smallest > 90);
  CHECK(smallest < 110);
  CHECK(compute_share(step, seconds, smallest) >= 0.83);
  CHECK(compute_share(step, seconds, smallest - 1) < 0.83);
}

TEST_CASE("the smallest period is exact at the border") {
  CHECK(smallest_period(1, 9, 0.9) == 81);
  CHECK(smallest_period(1, 1, 0.5) == 1);
  CHECK(smallest_period(1, 1.001, 0.5) == 2);
  CHECK(smallest_period(1, 0, 1) == 1);
  CHECK(smallest_period(1, 5, 0) == 1);
  CHECK_THROWS_AS(smallest_period(1, 1, 1), InfeasibleError);
  CHECK_THROWS_AS(smallest_period(1, 1, 1.1), ContractError);
  CHECK_THROWS_AS(compute_share(0, 1, 1), ContractError);
}

TEST_CASE("one island exchanges nothing") {
  const GradientExchange alone = local_steps_exchange({.parameters = 10e9, .islands = 1}, plain_interconnect(1e9, 0.1));
  CHECK(alone.seconds_per_step == 0);
  CHECK(alone.collectives == 0);
}
