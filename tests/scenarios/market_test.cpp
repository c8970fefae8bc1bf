// Spot nodes: the market model, lives that the user writes, notices by their parts, prices that move.
#include <doctest/doctest.h>

#include <cmath>
#include <fstream>

#include "models/random/deterministic_math.hpp"
#include "reading.hpp"
#include "tests/support/temporary_folder.hpp"

namespace fleetcast::scenarios::test {
namespace {

std::string spot(const std::string& members, int nodes = 4) {
  return with_pool(R"({ "instance": "aws/p5", "region": "us-east-1", "market": "spot", "nodes": )" +
                   std::to_string(nodes) + (members.empty() ? "" : ", " + members) + " }");
}

Pool pool_of(const std::string& text) {
  return read(text).strategies.front().fleet.front();
}

double share_below(const Pool& pool, std::size_t nodes) {
  return models::det::normal_cdf(pool.spot_model->market.thresholds[nodes - 1]);
}

std::string market_file(const std::string& thresholds, const std::string& more = "") {
  const std::string one = R"({ "value": 0.25, "low": 0.2, "high": 0.3 })",
                    hours = R"({ "value": 2, "low": 1, "high": 3 })";
  std::string layers;
  for (int i = 0; i < 4; ++i)
    layers += (i > 0 ? ", " : "") + std::string{R"({ "weight": )"} + one + R"(, "mean_gap_h": )" + hours + " }";
  return R"({ "format": "fleetcast-market-1", "about": "two zones", "kind": "probe", "layers": [)" + layers +
         R"(], "thresholds": [)" + thresholds +
         R"(], "lone_loss_per_h": { "value": 0.1 }, "lone_return_h": { "value": 0.5 }, "daily_swing": { "value": 0 },
    "daily_peak_utc_h": { "value": 5 }, "climate": { "value": 0.6 }, "regional": { "value": 0.9 })" +
         more + " }";
}

class Files {
 public:
  std::string add(const std::string& text) const {
    std::ofstream{folder_.path() / "market.json"} << text;
    return (folder_.path() / "market.json").string();
  }

 private:
  fleetcast::tests::TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("a known availability sets the level, drawn towards the class") {
  const Pool pool = pool_of(spot(R"("availability": 0.5)"));
  REQUIRE(pool.spot_model);
  CHECK_FALSE(pool.spot_model->guessed);
  // none and some of the rest as in the class, 1 to 2; the level is that of the mean share
  const double none = 0.5 / 3, some = 1.0 / 3;
  const double seen = models::det::normal_quantile(0.5 + 0.5 * some), usual = models::det::normal_quantile(0.8);
  const models::LevelForecast expected = models::forecast_level(seen, usual, 0.8, 0.6);
  CHECK(pool.spot_model->market.thresholds[0] ==
        doctest::Approx(models::det::normal_quantile(none) + seen - expected.level));
  CHECK(pool.spot_model->market.climate == doctest::Approx(expected.climate));
  // more is expected of a zone that had more
  CHECK(share_below(pool_of(spot(R"("availability": 0.9)")), 4) < share_below(pool, 4));
  CHECK(pool_of(spot(R"("availability": { "some": 0.9, "all": 0.2 })")).spot_model);
  CHECK(has(messages(spot(R"("availability": { "some": 0.1, "all": 0.2 })")), "at least 0.2"));
  CHECK(has(messages(spot(R"("availability": 1.5)")), "/fleet/main/availability"));
}

TEST_CASE("a calibration file becomes the market of the pool") {
  const Files files;
  const std::string path = files.add(market_file("-1, 0, 0.5, 1"));
  const auto with_file = [&](int nodes) { return spot(R"("capacity": ")" + path + "\"", nodes); };
  const Pool pool = pool_of(with_file(2));
  CHECK(pool.spot_model->market.thresholds == std::vector<double>{-1.0, 0.0});
  CHECK(pool.spot_model->market.lone_loss_per_s == doctest::Approx(0.1 / 3600));
  CHECK(pool.spot_model->market.layers[0].mean_gap_s == 7200.0);
  CHECK(pool.spot_model->grade == models::Grade::fitted);
  const Scenario large = read(with_file(8)).strategies.front();
  CHECK(large.fleet[0].spot_model->grade == models::Grade::extrapolated);
  CHECK(warns(large, "was calibrated on 4 nodes, the pool has 8"));
  CHECK(warns(large, "launch probes"));
  // what is expected differs from what was seen
  files.add(market_file("-1, 0, 0.5, 1", R"(, "level": { "seen": 0.2, "expected": 0.5 })"));
  CHECK(pool_of(with_file(1)).spot_model->market.thresholds[0] == doctest::Approx(-1.3));
}

TEST_CASE("an availability beside a calibration is drawn towards all zones") {
  const Files files;
  const std::string path = files.add(market_file("0"));
  const Pool pool = pool_of(spot(R"("capacity": ")" + path + R"(", "availability": 0.9)", 1));
  const models::LevelForecast expected = models::forecast_of_any_zone(models::det::normal_quantile(0.9));
  CHECK(pool.spot_model->market.thresholds[0] == doctest::Approx(-expected.level));
  CHECK(pool.spot_model->market.climate == doctest::Approx(expected.climate));
}

TEST_CASE("what a recording decides is not said again") {
  for (const char* field : {R"("availability": 0.5)", R"("regimes": [])", R"("daily": 0.2)", R"("coupling": 0.2)"}) {
    CAPTURE(field);
    CHECK(has(messages(spot(std::string{R"("replay": { "file": "t.csv" }, )"} + field)), "a recording is replayed"));
  }
}

TEST_CASE("a calibration file that cannot be is refused with the place in it") {
  const Files files;
  const auto why = [&](const std::string& text) { return messages(spot(R"("capacity": ")" + files.add(text) + "\"")); };
  CHECK(has(why(market_file("1, 0")), "must not fall"));
  CHECK(has(why(market_file("")), "needs one for each node"));
  CHECK(has(why("{}"), "format"));
  CHECK(has(why(R"({ "format": "fleetcast-throughput-1" })"), "fleetcast-market-1"));
  CHECK(has(why("nonsense"), "market.json"));
  CHECK(has(messages(spot(R"("capacity": "none.json")")), "none.json"));
}

TEST_CASE("who writes lives does without the model, and not both") {
  const Pool lives = pool_of(spot(R"x("lifetime": "exponential(mean 5 h)")x"));
  CHECK_FALSE(lives.spot_model);
  CHECK(std::get<models::Constant>(lives.wait).value == 900.0);
  CHECK(has(messages(spot(R"("lifetime": "3 h", "availability": 0.5)")), "lives are given"));
  CHECK(has(messages(spot(R"("bulk": { "single": 0.5 })")), "\"lifetime\" is missing"));
  CHECK(has(messages(with_pool(R"({ "instance": "aws/p5", "region": "us-east-1", "nodes": 1, "availability": 0.5 })")),
            "only spot nodes"));
  CHECK(pool_of(spot(R"("lifetime": "3 h", "early_lifetime": "20 min", "daily": 0.4, "max_life": "24 h")")).daily ==
        0.4);
  CHECK(has(messages(spot(R"("launch_failure": 1)")), "every launch fails"));
}

TEST_CASE("regimes are a list from ample to out") {
  const Pool pool = pool_of(spot(R"x("regimes": [
    { "name": "ample", "stay": "exponential(mean 20 h)", "lifetime": "exponential(mean 30 h)" },
    { "name": "out", "stay": "2 h", "capacity": 0.5 } ])x"));
  REQUIRE(pool.regimes.size() == 2);
  CHECK(pool.regimes[0].capacity == 4);
  CHECK(pool.regimes[1].capacity == 2);
  CHECK(std::holds_alternative<models::Never>(pool.regimes[1].lifetime));
  CHECK_FALSE(pool.spot_model);
  const Pool one = pool_of(spot(R"x("lifetime": "exponential(mean 5 h)", "regimes": [
    { "name": "a", "stay": "1 h" }, { "name": "b", "stay": "1 h", "lifetime": "never" } ])x"));
  CHECK(std::get<models::Exponential>(one.regimes[0].lifetime).mean == 18000.0);  // the pool's
  CHECK(std::holds_alternative<models::Never>(one.regimes[1].lifetime));
  CHECK(has(messages(spot(R"("regimes": [ { "name": "a", "stay": "1 h" } ])")), "2 to 16"));
  CHECK(
      has(messages(spot(R"("regimes": [ { "name": "a" }, { "name": "b", "stay": "1 h" } ])")), "\"stay\" is missing"));
}

TEST_CASE("a usable notice is announced and early, less what passes until it is seen and what a supervisor keeps") {
  const auto notice = [](const std::string& text) { return pool_of(spot("\"notice\": " + text)).notice; };
  const auto plain = std::get<models::Uniform>(notice(R"({ "announced": "120 s", "poll": "12 s", "none": 0 })"));
  CHECK(plain.low == 108.0);
  CHECK(plain.high == 120.0);
  const auto kept = std::get<models::Uniform>(notice(R"({ "margin": "95 s", "poll": "12 s", "none": 0 })"));
  CHECK(kept.low == 13.0);  // the provider's 120 s
  CHECK(kept.high == 25.0);
  // half of the polls come too late
  const auto late = std::get<models::Mixture>(notice(R"({ "announced": "5 s", "poll": "10 s", "none": 0 })"));
  CHECK(late.components[0].share == doctest::Approx(0.5));
  CHECK(std::holds_alternative<models::None>(notice(R"({ "announced": "5 s", "margin": "10 s" })")));
  CHECK(models::mean(notice(R"({ "announced": "30 s", "early": "120 s", "poll": "0 s", "none": 0.1 })")) ==
        doctest::Approx(135.0));
  CHECK(has(messages(with_pool(R"({ "instance": "azure/nd", "price": "1 USD/GPU-h", "nodes": 1, "market": "spot",
    "availability": 0.5, "notice": { "poll": "5 s" } })")),
            "\"announced\" is missing"));
}

TEST_CASE("prices that change by themselves cost their mean and have a cap") {
  const Pool list = pool_of(spot(R"x("price": "list-changes(median 20 USD/node-h, sigma 0.2, every 30 d)")x"));
  REQUIRE(list.price_law);
  CHECK(list.price_law->memory == 0.0);
  CHECK(list.price_per_node_h == doctest::Approx(20.0 * std::exp(0.02)));
  CHECK(*list.price_cap == 80.0);  // on demand
  const Pool wander =
      pool_of(spot(R"x("price": "mean-reverting(median 2 USD/GPU-h, sigma 0.2, every 8 h, half-life 16 h)")x"));
  CHECK(wander.price_law->median == 16.0);
  CHECK(wander.price_law->memory == doctest::Approx(std::sqrt(0.5)));
  CHECK(has(messages(spot(R"x("price": "list-changes(median 20 USD/node-h, every 30 d)")x")), "list-changes(median"));
  CHECK(has(messages(spot(R"x("price": "list-changes(median 20 USD/node-h, sigma 9, every 30 d)")x")), "from 0 to 3"));
  CHECK(has(messages(spot(R"("price": "20 USD/node-h", "price_cap": "10 USD/node-h")")), "never falls to the cap"));
}

TEST_CASE("launches are tried again as sourcing says, and a brake needs its share") {
  const Scenario scenario =
      read(
          with(
              R"("sourcing": { "retry": { "first": "30 s", "longest": "10 min" }, "brake": { "above": 0.2, "pause": "5 min" } })"))
          .strategies.front();
  CHECK(scenario.retry.first_s == 30.0);
  CHECK(scenario.retry.longest_s == 600.0);
  CHECK(scenario.brake->above == 0.2);
  CHECK(has(messages(with(R"("sourcing": { "brake": { "above": 0.2 } })")), "\"pause\" is missing"));
  CHECK(has(messages(with(R"("sourcing": { "policy": "failover" })")), "not yet supported"));
}

}  // namespace fleetcast::scenarios::test
