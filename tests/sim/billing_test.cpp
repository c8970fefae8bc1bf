#include "sim/billing.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

namespace fleetcast::tests {
namespace {

using models::Billing;
using models::Seconds;
using sim::bill_of_life;
using sim::LifeBill;

constexpr double minute = 60.0, hour = 3600.0;

double total(const LifeBill& bill) {
  return bill.held + bill.rounding + bill.forgiven;
}

Billing steps_of(double increment_s, double minimum_s = 0.0) {
  Billing billing;
  billing.increment = Seconds{increment_s};
  billing.minimum = Seconds{minimum_s};
  return billing;
}

/// Minutes that are billed for a life of so many minutes, at 60 USD an hour.
double billed_minutes(double minutes, const Billing& billing) {
  return total(bill_of_life({minutes * minute, 0.0, false}, 60.0, billing));
}

}  // namespace

TEST_CASE("by the second: a started second is billed, a whole one is not rounded up") {
  const Billing billing = steps_of(1.0);
  CHECK(total(bill_of_life({100.0, 0.0, false}, hour, billing)) == doctest::Approx(100.0).epsilon(1e-14));
  CHECK(total(bill_of_life({100.001, 0.0, false}, hour, billing)) == doctest::Approx(101.0).epsilon(1e-14));
  CHECK(total(bill_of_life({99.999, 0.0, false}, hour, billing)) == doctest::Approx(100.0).epsilon(1e-14));
}

TEST_CASE("8 minutes are billed as 15, and 10 minutes as an hour, on sellers with such steps") {
  CHECK(billed_minutes(8.0, steps_of(15 * minute)) == doctest::Approx(15.0));
  CHECK(billed_minutes(10.0, steps_of(hour)) == doctest::Approx(60.0));
  CHECK(billed_minutes(25.0, steps_of(hour)) / 25.0 == doctest::Approx(2.4));
  // 8 min of a GPU at 5.50 USD an hour: 1.375 USD.
  CHECK(total(bill_of_life({8 * minute, 0.0, false}, 5.5, steps_of(15 * minute))) == doctest::Approx(1.375));
}

TEST_CASE("both sides of a step, and steps that a division does not hit exactly") {
  const Billing billing = steps_of(minute);
  CHECK(billed_minutes(3.0, billing) == doctest::Approx(3.0).epsilon(1e-14));
  CHECK(total(bill_of_life({180.0 + 1e-6, 0.0, false}, 60.0, billing)) == doctest::Approx(4.0).epsilon(1e-14));
  CHECK(total(bill_of_life({180.0 - 1e-6, 0.0, false}, 60.0, billing)) == doctest::Approx(3.0).epsilon(1e-14));
  for (int steps = 1; steps < 1000; ++steps) {
    const LifeBill bill = bill_of_life({steps * 0.1, 0.0, false}, hour, steps_of(0.1));
    CHECK(bill.rounding < 1e-9);
    CHECK(bill.rounding >= 0.0);
  }
}

TEST_CASE("a minimum holds for short lives only") {
  const Billing billing = steps_of(1.0, minute);
  CHECK(billed_minutes(0.5, billing) == doctest::Approx(1.0));
  CHECK(billed_minutes(1.0, billing) == doctest::Approx(1.0));
  CHECK(total(bill_of_life({61.0, 0.0, false}, hour, billing)) == doctest::Approx(61.0));
}

TEST_CASE("the lines: held time at the price, rounding on top, what is forgiven below zero") {
  Billing billing = steps_of(minute);
  billing.boot = false;
  const LifeBill bill = bill_of_life({150.0, 40.0, false}, hour, billing);
  CHECK(bill.held == doctest::Approx(150.0));
  CHECK(bill.forgiven == doctest::Approx(-40.0));
  CHECK(bill.rounding == doctest::Approx(10.0));
}

TEST_CASE("a life that never got through its boot costs nothing where boot is free") {
  Billing billing = steps_of(minute);
  billing.boot = false;
  CHECK(total(bill_of_life({30.0, 30.0, false}, hour, billing)) == doctest::Approx(0.0));
}

TEST_CASE("the first hour is free up to the hour, exclusively, and only for reclaims") {
  Billing billing = steps_of(1.0);
  billing.first_hour_free = true;
  CHECK(total(bill_of_life({hour - 1e-9, 0.0, true}, hour, billing)) == 0.0);
  CHECK(total(bill_of_life({hour, 0.0, true}, hour, billing)) == doctest::Approx(hour));
  CHECK(total(bill_of_life({hour + 1.0, 0.0, true}, hour, billing)) == doctest::Approx(hour + 1.0));
  CHECK(total(bill_of_life({100.0, 0.0, false}, hour, billing)) == doctest::Approx(100.0));
}

TEST_CASE("a bulk takes others by its size: all, uniform, geometric; never more than there are") {
  using Size = scenarios::Bulk::Size;
  constexpr std::uint32_t n = 20'000;
  for (const Size size : {Size::all, Size::uniform, Size::geometric}) {
    double sum = 0.0;
    std::vector<int> seen(8, 0);
    for (std::uint32_t i = 0; i < n; ++i) {
      models::Stream bits{{3, 0, models::Purpose::test, static_cast<std::uint32_t>(size), i}};
      const std::size_t extra = sim::bulk_extra(size, 7, bits);
      REQUIRE(extra >= 1);
      REQUIRE(extra <= 7);
      ++seen[extra];
      sum += static_cast<double>(extra);
    }
    const double expected = sim::mean_reclaim_size({0.0, size}, 8) - 1.0;
    CHECK(std::abs(sum / n - expected) < 4.42 * 2.0 / std::sqrt(n));  // sd at most 2
    CHECK((seen[1] > 0) == (size != Size::all));
    CHECK(seen[7] > 0);
  }
  models::Stream bits{{3, 0, models::Purpose::test, 0, 0}};
  CHECK(sim::bulk_extra(Size::all, 0, bits) == 0);
}

TEST_CASE("mean sizes by hand") {
  using Size = scenarios::Bulk::Size;
  CHECK(sim::mean_reclaim_size({1.0, Size::all}, 8) == 1.0);
  CHECK(sim::mean_reclaim_size({0.5, Size::all}, 8) == 1.0 + 0.5 * 7.0);
  CHECK(sim::mean_reclaim_size({0.0, Size::uniform}, 8) == 5.0);
  CHECK(sim::mean_reclaim_size({0.0, Size::geometric}, 3) == 1.0 + 1.0 + 0.5);
  CHECK(sim::mean_reclaim_size({0.0, Size::all}, 1) == 1.0);
}

}  // namespace fleetcast::tests
