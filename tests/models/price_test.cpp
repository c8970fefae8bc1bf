#include "models/price.hpp"

#include <doctest/doctest.h>

using namespace fleetcast::models;

namespace {

PriceEntry entry(std::string zone, double on_demand, std::optional<double> spot, bool discount = true) {
  PriceEntry price;
  price.region = "north";
  price.zone = std::move(zone);
  price.on_demand = UsdPerNodeHour{on_demand};
  if (spot) price.spot = UsdPerNodeHour{*spot};
  price.spot_gives_discount = discount;
  price.date = "2026";
  return price;
}

InstanceSpec machine() {
  InstanceSpec instance;
  instance.prices = {entry("north-a", 50, 30), entry("north-b", 50, 10), entry("north-c", 50, 50, false),
                     entry("north-d", 50, 20)};
  return instance;
}

}  // namespace

TEST_CASE("the spot price of a region is the median of the zones that give a discount, with their range") {
  const auto quote = spot_price(machine(), "north", "");
  REQUIRE(quote);
  CHECK(quote->price.value() == 20);
  CHECK(quote->low == 10);
  CHECK(quote->high == 30);
  CHECK(quote->zones == 3);
  CHECK(quote->date == "2026");
}

TEST_CASE("the median of an even number of zones lies half way") {
  InstanceSpec instance = machine();
  instance.prices.push_back(entry("north-e", 50, 40));
  CHECK(spot_price(instance, "north", "")->price.value() == 25);
}

TEST_CASE("a zone answers with its own price, also where spot gives no discount") {
  CHECK(spot_price(machine(), "north", "north-b")->price.value() == 10);
  CHECK(spot_price(machine(), "north", "north-c")->price.value() == 50);
  CHECK(on_demand_price(machine(), "north", "north-a")->price.value() == 50);
}

TEST_CASE("an unknown place has no price") {
  CHECK_FALSE(spot_price(machine(), "south", ""));
  CHECK_FALSE(on_demand_price(machine(), "south", ""));
  CHECK_FALSE(spot_price(machine(), "north", "north-x"));
  CHECK_FALSE(on_demand_price(machine(), "north", "north-x"));
}

TEST_CASE("a region where no zone gives a discount has no spot price") {
  InstanceSpec instance;
  instance.prices = {entry("north-a", 50, 50, false)};
  CHECK_FALSE(spot_price(instance, "north", ""));
}

TEST_CASE("a missing spot price is not zero") {
  InstanceSpec instance;
  instance.prices = {entry("", 50, std::nullopt)};
  CHECK_FALSE(spot_price(instance, "north", ""));
  CHECK(on_demand_price(instance, "north", "")->price.value() == 50);
}

TEST_CASE("a price of the whole region holds in each zone, unless the zone has its own") {
  InstanceSpec instance;
  instance.prices = {entry("", 50, 25), entry("north-a", 60, 30)};
  CHECK(on_demand_price(instance, "north", "north-z")->price.value() == 50);
  CHECK(on_demand_price(instance, "north", "north-a")->price.value() == 60);
}
