#include "models/market.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "models/errors.hpp"
#include "models/market_path.hpp"
#include "models/random/deterministic_math.hpp"

namespace fleetcast::models {
namespace {

LayeredMarket market_of(int nodes, double none, double some, double all) {
  LayeredMarket market = pooled_market();
  market.climate = 0.0;
  market.thresholds = thresholds_of_shares(nodes, none, some, all);
  return market;
}

TEST_CASE("thresholds are the quantiles of the shares of time") {
  const auto z = thresholds_of_shares(4, 0.2, 0.3, 0.5);
  REQUIRE(z.size() == 4);
  CHECK(det::normal_cdf(z[0]) == doctest::Approx(0.2).epsilon(1e-12));
  CHECK(det::normal_cdf(z[1]) == doctest::Approx(0.3).epsilon(1e-12));
  CHECK(det::normal_cdf(z[3]) == doctest::Approx(0.5).epsilon(1e-12));
  CHECK(det::normal_cdf(thresholds_of_shares(1, 0.2, 0.3, 0.5)[0]) == doctest::Approx(0.5).epsilon(1e-12));
  CHECK_THROWS_AS(thresholds_of_shares(2, 0.0, 0.5, 0.5), ContractError);
}

TEST_CASE("a pool smaller than its market takes the first thresholds, a larger one the same shares") {
  const std::vector<double> z{-1.0, 0.0, 0.5, 1.0};
  CHECK(thresholds_for(z, 2) == std::vector<double>{-1.0, 0.0});
  CHECK(thresholds_for(z, 8) == std::vector<double>{-1.0, -1.0, 0.0, 0.0, 0.5, 0.5, 1.0, 1.0});
  CHECK(thresholds_for({0.3}, 3) == std::vector<double>{0.3, 0.3, 0.3});
}

TEST_CASE("a climate moves shares towards one half") {
  LayeredMarket market = market_of(1, 0.1, 0.0, 0.9);
  CHECK(share_at_least(market, 1) == doctest::Approx(0.9).epsilon(1e-12));
  market.climate = 0.7;
  CHECK(share_at_least(market, 1) == doctest::Approx(det::normal_cdf(1.2815515655446 / std::sqrt(1.49))).epsilon(1e-9));
}

TEST_CASE("a level seen in one period is drawn towards its class, less so where zones differ much") {
  const LevelForecast usual = forecast_level(1.0, 0.0, 0.75, 0.44);
  CHECK(usual.level == doctest::Approx(0.616).epsilon(0.01));
  CHECK(usual.climate == doctest::Approx(0.64).epsilon(0.01));
  // nothing between zones: the class; nothing known of the class: what was seen
  CHECK(forecast_level(1.0, 0.2, 0.0, 0.44).level == doctest::Approx(0.2));
  CHECK(forecast_level(1.0, 0.2, 0.0, 0.44).climate == doctest::Approx(0.44));
  CHECK(forecast_level(1.0, 0.0, 100.0, 0.44).level == doctest::Approx(1.0).epsilon(1e-4));
  CHECK(forecast_level(1.0, 0.0, 100.0, 0.44).climate ==
        doctest::Approx(std::sqrt(0.16 + 2 * 0.44 * 0.44)).epsilon(0.15));
}

TEST_CASE("falls of a market with one layer are those of independent values") {
  LayeredMarket market = market_of(1, 0.3, 0.0, 0.7);
  market.layers = {{{1.0, 100.0}, {0.0, 1.0}, {0.0, 1.0}, {0.0, 1.0}}};
  // a new value every 100 s, independent of the last: up before and down after
  CHECK(falls_per_second(market, 1) == doctest::Approx(0.7 * 0.3 / 100.0).epsilon(1e-9));
}

TEST_CASE("a path is a function of its key, and zones of a region share what is regional") {
  const LayeredMarket market = market_of(4, 0.2, 0.3, 0.5);
  const auto changes = [&](const MarketKey& key) {
    MarketPath path{market, key};
    std::vector<double> times;
    for (int i = 0; i < 50; ++i, path.advance()) times.push_back(path.next_s());
    return times;
  };
  CHECK(changes({1, 2, 3, 4}) == changes({1, 2, 3, 4}));
  CHECK(changes({1, 2, 3, 4}) != changes({1, 3, 3, 4}));
  CHECK(changes({1, 2, 3, 4}) != changes({1, 2, 5, 4}));
  CHECK(MarketPath::climate({1, 2, 3, 4}, 1.0, 1.0) == MarketPath::climate({1, 2, 9, 4}, 1.0, 1.0));
  CHECK(MarketPath::climate({1, 2, 3, 4}, 1.0, 0.5) != MarketPath::climate({1, 2, 9, 4}, 1.0, 0.5));
  CHECK(MarketPath::climate({1, 2, 3, 4}, 0.0, 0.5) == 0.0);
}

TEST_CASE("capacity stays within the pool, changes move forward, and each says what it becomes") {
  LayeredMarket market = market_of(4, 0.2, 0.3, 0.5);
  market.lone_loss_per_s = 1e-5;
  market.daily_swing = 0.4;
  MarketPath path{market, {7, 0, 1, 1}, 13.5, 0.2};
  for (int i = 0; i < 5000; ++i) {
    const double next_s = path.next_s();
    const int next = path.next_capacity();
    REQUIRE(next_s >= path.since_s());
    path.advance();
    REQUIRE(path.since_s() == next_s);
    REQUIRE(path.capacity() == next);
    REQUIRE(path.capacity() >= 0);
    REQUIRE(path.capacity() <= 4);
  }
}

TEST_CASE("a market that hardly ever changes says so instead of looking on for ever") {
  const LayeredMarket market = market_of(1, 1e-15, 0.0, 1.0 - 1e-15);
  MarketPath path{market, {1, 0, 1, 1}};
  CHECK(path.capacity() == 1);
  CHECK(path.next_capacity() == 1);
  CHECK(path.next_s() > 30.0 * 86400.0);
}

}  // namespace
}  // namespace fleetcast::models
