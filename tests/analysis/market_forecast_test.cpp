#include <doctest/doctest.h>

#include <cmath>

#include "analysis/market/control_models.hpp"
#include "analysis/market/forecast_score.hpp"
#include "analysis/market/grid_weather.hpp"
#include "analysis/market/layered_forecast.hpp"
#include "analysis/market/loss_counts.hpp"
#include "analysis/market/market_statistics.hpp"
#include "analysis/market/spot_job.hpp"

using namespace fleetcast::analysis;
namespace models = fleetcast::models;

namespace {

models::LayeredMarket all_or_nothing(int nodes) {
  models::LayeredMarket market = models::pooled_market();
  market.thresholds = models::thresholds_of_shares(nodes, 0.35, 0.05, 0.6);
  return market;
}

}  // namespace

TEST_CASE("scores by hand") {
  // Draws 0 and 1, truth 0.5: mean |X - y| = 0.5, half of the mean difference of draws 0.25.
  CHECK(std::abs(ranked_probability_score({0.0, 1.0}, {0.5}) - 0.25) < 1e-12);
  CHECK(std::abs(ranked_probability_score({0.0, 1.0}, {2.0}) - 1.25) < 1e-12);
  CHECK(ranked_probability_score({1.0, 1.0}, {1.0}) == 0.0);
  CHECK(std::abs(kolmogorov_distance({0.0, 1.0}, {0.5, 2.0}) - 0.5) < 1e-12);
  std::vector<double> draws;
  for (int i = 0; i <= 100; ++i) draws.push_back(i);
  CHECK(score_forecast(draws, {4.0, 5.0, 50.0, 95.0}).coverage == 0.75);
}

TEST_CASE("a job without a loss: a start, its work, and nothing else") {
  const SpotJobOutcome outcome = play({4, 4, 10.0}, {{4, 1000.0}});
  CHECK(outcome.finished);
  CHECK(std::abs(outcome.hours - (10.0 + 1.0 / 6.0)) < 1e-9);
  CHECK(std::abs(outcome.node_hours - 4.0 * outcome.hours) < 1e-9);
}

TEST_CASE("a gang that loses a node goes back to its checkpoint and waits") {
  // Start 10 min, 50 min of work (30 kept), an hour without, start 10 min, the other 90 min.
  const SpotJobOutcome outcome = play({4, 4, 2.0}, {{4, 1.0}, {3, 1.0}, {4, 1000.0}});
  CHECK(std::abs(outcome.hours - (2.0 + 1.0 / 6.0 + 1.5)) < 1e-9);
  CHECK(std::abs(outcome.node_hours - 4.0 * (1.0 + 1.0 / 6.0 + 1.5)) < 1e-9);
}

TEST_CASE("an elastic job goes on slower and grows at a checkpoint") {
  // As above, but on 2 of 4 nodes: 10 min start, then half speed; after 30 min of it the job is whole again (10 min).
  const SpotJobOutcome outcome = play({4, 2, 2.0}, {{4, 1.0}, {2, 0.5}, {4, 1000.0}});
  // Kept 0.5; from 1:10 at half speed to 1:40 (0.75 done), start until 1:50, 1.25 h left.
  CHECK(std::abs(outcome.hours - (1.0 + 1.0 / 6.0 + 0.5 + 1.0 / 6.0 + 1.25)) < 1e-9);
  CHECK(std::abs(outcome.node_hours - (4.0 + 2.0 * (1.0 / 6.0 + 0.5) + 4.0 * (1.0 / 6.0 + 1.25))) < 1e-9);
}

TEST_CASE("a job that never starts is cut at its limit and costs nothing; a course begins again at its end") {
  const SpotJobOutcome never = play({4, 4, 10.0}, {{3, 5.0}});
  CHECK_FALSE(never.finished);
  CHECK(never.hours == 152.0);
  CHECK(never.node_hours == 0.0);
  // From 1.5 h on: half an hour up, one down, two up ...
  const SpotJobOutcome wrapped = play({1, 1, 1.0}, {{0, 1.0}, {1, 2.0}}, 2.5);
  CHECK(std::abs(wrapped.hours - (0.5 + 1.0 + 1.0 / 6.0 + 1.0)) < 1e-9);
}

TEST_CASE("quick draws have the law of the simulated path") {
  const models::LayeredMarket market = all_or_nothing(4);
  const GridForm form{0.25, 40000, 0.0};
  const models::MarketKey key{5, 0, 0, 0};
  const std::vector<CapacitySeries> quick{draw_quickly(market, key, form, 0.0)}, path{draw_series(market, key, form)};
  const MarketStatistics a = market_statistics(quick), b = market_statistics(path);
  // 10,000 h hold about 140 independent stretches of the slowest layer: 4 points are one sd of the share.
  CHECK(std::abs(a.levels[0].up_fraction - 0.65) < 0.12);
  CHECK(std::abs(b.levels[0].up_fraction - 0.65) < 0.12);
  CHECK(std::abs(*a.levels[0].up.p50_h / *b.levels[0].up.p50_h - 1.0) < 0.3);
  CHECK(std::abs(a.losses_per_h / b.losses_per_h - 1.0) < 0.15);
  CHECK(std::abs(*a.losses_in_groups - *b.losses_in_groups) < 0.05);
}

TEST_CASE("independent nodes have no bulk losses where the market has little else") {
  const CapacitySeries market = draw_quickly(all_or_nothing(16), {9, 0, 0, 0}, {0.1, 8000, 0.0}, 0.0);
  const CapacitySeries nodes = IndependentNodesControl{market}.draw({0.1, 8000, 0.0}, 1);
  CHECK(count_losses(std::span{&market, 1}).share_in_groups() > 0.9);
  CHECK(count_losses(std::span{&nodes, 1}).share_in_groups() < 0.6);
  CHECK(std::abs(mean_share(nodes) - mean_share(market)) < 0.1);
}

TEST_CASE("a Markov chain keeps the shares of the counts that it has seen") {
  const CapacitySeries market = draw_quickly(all_or_nothing(4), {9, 1, 0, 0}, {0.1, 8000, 0.0}, 0.0);
  const CapacitySeries chain = MarkovControl{market}.draw({0.1, 80000, 0.0}, 1);
  CHECK(std::abs(mean_share(chain) - mean_share(market)) < 0.05);
}

TEST_CASE("the level of a forecast is drawn towards other zones: of the group, else of the type, else of all") {
  const std::vector<KnownLevel> levels{{"g", "t", "a", 0.0}, {"g", "t", "b", 1.0}, {"g", "t", "c", 2.0},
                                       {"h", "t", "d", 5.0}, {"h", "t", "e", 5.0}, {"i", "u", "f", -3.0}};
  CHECK(prior_level(levels, levels[0], levels[0]) == 1.5);
  CHECK(prior_level(levels, levels[0], levels[1]) == 5.0);  // only c is left of the group: d, e and c of the type
  CHECK(prior_level(levels, levels[5], levels[5]) == 2.0);
  CHECK(prior_level({}, levels[0], levels[0]) == 0.4);
}
