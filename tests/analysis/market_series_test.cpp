#include <doctest/doctest.h>

#include <cmath>
#include <fstream>

#include "analysis/market/bulk_losses.hpp"
#include "analysis/market/capacity_regimes.hpp"
#include "analysis/market/capacity_runs.hpp"
#include "analysis/market/daily_swing.hpp"
#include "analysis/market/loss_counts.hpp"
#include "analysis/market/market_statistics.hpp"
#include "analysis/market/market_trace.hpp"
#include "models/errors.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace fleetcast::analysis;

namespace {

CapacitySeries series_of(int nodes, std::vector<std::int16_t> values, double interval_h = 0.5) {
  return {nodes, interval_h, std::move(values)};
}

MarketTrace trace_of(const std::string& text) {
  const fleetcast::tests::TemporaryFolder folder;
  const std::string path = (folder.path() / "zone.csv").string();
  std::ofstream{path} << text;
  return read_market_trace(path);
}

}  // namespace

TEST_CASE("runs of a short series, the first and the last without their ends") {
  const CapacitySeries series = series_of(4, {0, 4, 4, 2, 0, 0, 1, 4});
  const std::vector<CapacityRun> runs = runs_of(series, 2);
  REQUIRE(runs.size() == 4);  // 0 | 4 4 2 | 0 0 1 | 4
  CHECK(runs[0].samples == 1);
  CHECK_FALSE(runs[0].complete);
  CHECK(runs[1].samples == 3);
  CHECK(runs[1].up);
  CHECK(runs[1].complete);
  CHECK(runs[2].samples == 3);
  CHECK_FALSE(runs[2].up);
  CHECK_FALSE(runs[3].complete);
  CHECK(complete_lengths_h(series, 2, true) == std::vector<double>{1.5});
}

TEST_CASE("losses: sizes, groups, and whole hours") {
  // Falls of 2, 2 and 1; hours (two samples each): 2, 2, 0, 1 lost.
  const CapacitySeries series = series_of(4, {4, 4, 2, 2, 0, 1, 1, 1, 0});
  CHECK(loss_sizes(series) == std::vector<int>{2, 2, 1});
  const LossCounts losses = count_losses(std::span{&series, 1});
  CHECK(losses.lost == 5);
  CHECK(losses.share_in_groups() == 0.8);
  CHECK(losses.hourly_mean == 1.25);
  CHECK(losses.hourly_variance == doctest::Approx(0.6875));
  CHECK(losses.per_h() == doctest::Approx(5.0 / 4.0));
}

TEST_CASE("statistics are compared with what can be asked for") {
  MarketStatistics trace;
  trace.levels = {{1, 0.60, {10, 1.0, 5.0}, {10, 0.5, std::nullopt}}};
  trace.losses_in_groups = 0.5;
  trace.hourly_loss_dispersion = 2.0;
  MarketStatistics model = trace;
  model.levels[0].up_fraction = 0.66;
  model.levels[0].up = {10, 1.29, 6.6};
  model.levels[0].down = {10, 0.59, 1.0};
  model.losses_in_groups = 0.34;
  model.hourly_loss_dispersion = 2.9;
  const std::vector<ComparedStatistic> compared = compare(trace, model, 0.1);
  REQUIRE(compared.size() == 6);
  CHECK_FALSE(compared[0].within);  // 6 points of up time
  CHECK(compared[1].within);        // 29 %
  CHECK_FALSE(compared[2].within);  // 32 % and 16 samples
  CHECK(compared[3].within);        // 18 %
  CHECK_FALSE(compared[4].within);  // 16 points
  CHECK(compared[5].within);        // a factor 1.45
}

TEST_CASE("regimes: shares, stays and what follows") {
  const CapacityRegimes regimes = find_regimes(series_of(4, {4, 4, 2, 0, 0, 0, 3, 4}));
  CHECK(regimes.share[0] == 0.375);
  CHECK(regimes.share[2] == 0.375);
  CHECK(regimes.next[1][0] == 0.5);
  CHECK(regimes.next[1][2] == 0.5);
  CHECK(regimes.next[0][1] == 1.0);
}

TEST_CASE("bulk: singles are counted, and the law of the rest is the one that made it") {
  std::vector<std::int16_t> all_at_once, one_or_two;
  for (int i = 0; i < 40; ++i) {
    all_at_once.insert(all_at_once.end(), {8, 0});
    one_or_two.insert(one_or_two.end(), {8, static_cast<std::int16_t>(i % 4 == 0 ? 7 : 6)});
  }
  const BulkLosses whole = find_bulk(series_of(8, all_at_once));
  CHECK(whole.single_share == 0.0);
  REQUIRE_FALSE(whole.laws.empty());
  CHECK(whole.laws[0].form == "all or uniform");
  CHECK(whole.laws[0].parameter > 0.9);
  const BulkLosses small = find_bulk(series_of(8, one_or_two));
  CHECK(small.single_share == 0.25);
  CHECK(small.single_low < 0.25);
  CHECK(small.single_high > 0.25);
  CHECK(small.laws[0].form == "geometric");
}

TEST_CASE("the daily swing is found with its hour, and not where there is none") {
  std::vector<std::int16_t> wave, flat;
  for (int hour = 0; hour < 24 * 14; ++hour) {
    const double noise = std::sin(hour * hour * 0.7);
    wave.push_back(static_cast<std::int16_t>(std::lround(8.0 + 5.0 * std::cos((hour - 5) * 0.2617994) + 2.0 * noise)));
    flat.push_back(static_cast<std::int16_t>(std::lround(8.0 + 5.0 * noise)));
  }
  const DailySwing found = find_daily_swing(series_of(16, wave, 1.0), 0.0);
  CHECK(found.significant());
  CHECK(std::abs(found.peak_h - 5.0) < 0.5);
  const DailySwing later = find_daily_swing(series_of(16, wave, 1.0), 3.0);
  CHECK(std::abs(later.peak_h - 8.0) < 0.5);
  CHECK_FALSE(find_daily_swing(series_of(16, flat, 1.0), 0.0).significant());
}

TEST_CASE("a trace is read with its head, on its own grid") {
  std::string text =
      "# provider: aws\n# zone: us-east-1c\n# instance: p3\n# interval_s: 60\n# max_capacity: 2\n"
      "# kind: held (kept)\n# form: step function; last row marks the end\ntime_s,capacity\n"
      "0,2\n3600,0\n7200,1\n14400,1\n";
  const MarketTrace trace = trace_of(text);
  CHECK(trace.kind == TraceKind::held);
  CHECK(trace.zone == "us-east-1c");
  CHECK(trace.series.nodes == 2);
  CHECK(std::abs(trace.series.interval_h * 3600.0 - 120.0) < 1e-9);  // at least 90 s in multiples of 60 s
  CHECK(trace.series.capacity.size() == 120);
  CHECK(std::abs(mean_share(trace.series) - (2.0 * 0.25 + 1.0 * 0.5) / 2.0) < 0.01);
  CHECK(why_too_little(trace.series) == "shorter than 5 days");
  CHECK_THROWS_AS(trace_of("# max_capacity: 0\ntime_s,capacity\n0,0\n36000,0\n"), fleetcast::models::InputError);
  CHECK_THROWS_AS(trace_of("# interval_s: 600\ntime_s,capacity\n0,1\n600,1\n"), fleetcast::models::InputError);
}

TEST_CASE("regions of zones") {
  CHECK(region_of("us-east-1c") == "us-east-1");
  CHECK(region_of("us-central1-b") == "us-central1");
  CHECK(region_of("us-east-1") == "us-east-1");
  CHECK(region_of("") == "");
}
