// The spot market: its courses against closed forms and against a plain loop, and the simulation against both.
// alpha = 1e-5 a check (z_limit); a negative control stands with each.
#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "models/market_path.hpp"
#include "models/random/deterministic_math.hpp"
#include "tests/statistical/samples.hpp"

namespace fleetcast::tests {
namespace {

using models::LayeredMarket;
using models::MarketKey;
using models::MarketPath;

constexpr double hour = 3600.0;

LayeredMarket market_of(int nodes, double none, double some, double all) {
  LayeredMarket market = models::pooled_market();
  market.climate = 0.0;
  market.thresholds = models::thresholds_of_shares(nodes, none, some, all);
  return market;
}

MarketKey key_of(std::uint32_t trial, std::uint32_t zone = 11, std::uint32_t region = 5) {
  return {statistical_seed, trial, zone, region};
}

/// What one course does from 0 to `length_s`.
struct Course {
  double share = 0.0;            ///< of the time with at least `nodes`
  double falls = 0.0;            ///< below `nodes`
  std::vector<double> up_hours;  ///< whole runs with at least `nodes`
};

Course course_of(MarketPath path, int nodes, double length_s) {
  Course course;
  double up_since = -1.0;
  while (path.since_s() < length_s) {
    const double until = std::min(length_s, path.next_s());
    const bool up = path.capacity() >= nodes;
    if (up) course.share += (until - path.since_s()) / length_s;
    const bool falls = up && path.next_s() < length_s && path.next_capacity() < nodes;
    if (falls) ++course.falls;
    if (falls && up_since >= 0.0) course.up_hours.push_back((path.next_s() - up_since) / hour);
    if (falls) up_since = -1.0;
    if (!up && path.next_capacity() >= nodes) up_since = path.next_s();
    path.advance();
  }
  return course;
}

/// The same by a loop over every new value of every layer, with random numbers of its own.
std::vector<double> plain_up_hours(const LayeredMarket& market, std::uint32_t trial, double length_s) {
  std::array<double, 4> value{}, next{};
  std::uint32_t sample = 0;
  const auto draw = [&](bool exponential) {
    models::Stream bits{{statistical_seed, trial, models::Purpose::test, 1, sample++}};
    return exponential ? models::unit_exponential(bits) : models::unit_normal(bits);
  };
  const auto renew = [&](std::size_t i, double now) {
    value[i] = std::sqrt(market.layers[i].weight) * draw(false);
    next[i] = now + market.layers[i].mean_gap_s * draw(true);
  };
  for (std::size_t i = 0; i < 4; ++i) renew(i, 0.0);
  const auto is_up = [&] { return value[0] + value[1] + value[2] + value[3] >= market.thresholds.back(); };
  std::vector<double> runs;
  double up_since = -1.0;
  bool up = is_up();
  for (double now = 0.0; now < length_s;) {
    const auto i = static_cast<std::size_t>(std::min_element(next.begin(), next.end()) - next.begin());
    now = next[i];
    renew(i, now);
    if (up == is_up()) continue;
    if (up && up_since >= 0.0) runs.push_back((now - up_since) / hour);
    up = !up;
    if (up) up_since = now;
  }
  return runs;
}

/// Largest distance between two empirical distributions, in units of its 5 % limit.
double distance(std::vector<double> a, std::vector<double> b) {
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  double largest = 0.0;
  std::size_t j = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    while (j < b.size() && b[j] <= a[i]) ++j;
    largest = std::max(largest, std::abs(static_cast<double>(i + 1) / static_cast<double>(a.size()) -
                                         static_cast<double>(j) / static_cast<double>(b.size())));
  }
  const double n = static_cast<double>(a.size()), m = static_cast<double>(b.size());
  return largest / std::sqrt((n + m) / (n * m));
}

}  // namespace

// n = 4,000 courses of 30 d: shares are caught at 1 to 3 %, falls at 5 %.
TEST_CASE("share of time and rate of falls of a market are their closed forms") {
  for (const double all : {0.9, 0.5}) {
    CAPTURE(all);
    const LayeredMarket market = market_of(4, 0.6 * (1.0 - all), 0.4 * (1.0 - all), all);
    const double length_s = 720.0 * hour;
    std::vector<double> shares, falls;
    for (std::uint32_t trial = 0; trial < 4000; ++trial) {
      const Course course = course_of(MarketPath{market, key_of(trial)}, 4, length_s);
      shares.push_back(course.share);
      falls.push_back(course.falls);
    }
    check_mean(shares, all, all > 0.8 ? 0.01 : 0.03);
    check_mean(falls, models::falls_per_second(market, 4) * length_s, 0.05);
  }
}

// Two-sample Kolmogorov-Smirnov, limit 2.5 (alpha 7e-6 for independent runs); about 60,000 runs each. Control: a
// fast layer that is half as fast.
TEST_CASE("runs of a course that skips invisible values are those of a loop over all of them") {
  const LayeredMarket market = market_of(1, 0.3, 0.0, 0.7);
  LayeredMarket other = market;
  other.layers[0].mean_gap_s *= 2.0;
  std::vector<double> skipped, plain, slower;
  for (std::uint32_t trial = 0; trial < 300; ++trial) {
    const auto add = [](std::vector<double>& to, const std::vector<double>& from) {
      // of each course only every tenth run, so that runs are nearly independent
      for (std::size_t i = 0; i < from.size(); i += 10) to.push_back(from[i]);
    };
    add(skipped, course_of(MarketPath{market, key_of(trial)}, 1, 5000.0 * hour).up_hours);
    add(plain, plain_up_hours(market, trial, 5000.0 * hour));
    add(slower, plain_up_hours(other, trial, 5000.0 * hour));
  }
  CAPTURE(skipped.size());
  CHECK(distance(skipped, plain) < 2.5);
  CHECK(distance(skipped, slower) > 2.5);
}

// P(both up) is that of a bivariate normal with correlation rho (w3 + w4); of 20,000 moments 13 % are caught. At 0 it
// is the product.
TEST_CASE("zones of a region move together as far as their slow layers are the region's") {
  LayeredMarket market = market_of(1, 0.5, 0.0, 0.5);
  for (const double regional : {0.0, 0.95}) {
    market.regional = regional;
    std::vector<double> both;
    for (std::uint32_t trial = 0; trial < 20'000; ++trial) {
      const MarketPath one{market, key_of(trial, 1)}, other{market, key_of(trial, 2)};
      both.push_back(one.capacity() + other.capacity() == 2 ? 1.0 : 0.0);
    }
    const double correlation = regional * (market.layers[2].weight + market.layers[3].weight);
    // both above their medians: 1/4 + asin(r) / (2 pi)
    check_mean(both, 0.25 + std::asin(correlation) / 6.283185307179586, 0.13);
  }
}

// x over 400 trials of 100 d with a daily swing: at the best hour it is up more often by what the cosine adds.
TEST_CASE("a daily swing shows at its hours and keeps the mean share") {
  LayeredMarket market = market_of(1, 0.5, 0.0, 0.5);
  market.daily_swing = 0.4;
  market.daily_peak_h = 5.0;
  std::vector<double> best, worst;
  for (std::uint32_t trial = 0; trial < 20'000; ++trial) {
    best.push_back(MarketPath{market, key_of(trial), 5.0}.capacity());
    worst.push_back(MarketPath{market, key_of(trial), 17.0}.capacity());
  }
  const double shrink = std::sqrt(1.0 - 0.5 * 0.4 * 0.4), middle = 0.4 * std::cos(6.283185307179586 * 0.5 / 24.0);
  check_mean(best, models::det::normal_cdf(middle / shrink), 0.05);
  check_mean(worst, models::det::normal_cdf(-middle / shrink), 0.08);
}

// 4,000 trials of 30 d of one node: what it holds is the market's share. Control: 3 % off.
TEST_CASE("a pool holds its node as long as the market has one") {
  sim::Plan plan = bare_plan(1, 1'000'000'000);
  plan.horizon_s = 720.0 * hour;
  plan.pools[0].market = market_of(1, 0.3, 0.0, 0.7);
  const auto held =
      figures_of(plan, 4000, [&](const sim::Outcome& outcome) { return outcome.held_gpu_s / plan.horizon_s; });
  check_mean(held, 0.7, 0.03);
}

TEST_CASE("regimes share the time as their stays and visits say, and capacity follows them") {
  sim::Plan plan = bare_plan(2, 1'000'000'000);
  plan.horizon_s = 2000.0 * hour;
  plan.pools[0].regimes = {{"ample", models::Exponential{6.0 * hour}, models::Never{}, models::Constant{}, 2},
                           {"tight", models::Exponential{2.0 * hour}, models::Never{}, models::Constant{}, 1},
                           {"out", models::Exponential{4.0 * hour}, models::Never{}, models::Constant{}, 0}};
  // ends are visited once for every two visits of the middle: 6, 2 x 2 and 4 h
  const auto held =
      figures_of(plan, 4000, [&](const sim::Outcome& outcome) { return outcome.held_gpu_s / plan.horizon_s; });
  check_mean(held, (2.0 * 6.0 + 1.0 * 4.0) / 14.0, 0.02);
}

// While the regime with lives of 1 h holds, nodes die at that rate; 10 of 20 h it does.
TEST_CASE("lives follow the regime that holds") {
  sim::Plan plan = bare_plan(1, 1'000'000'000);
  plan.horizon_s = 1000.0 * hour;
  plan.pools[0].regimes = {{"calm", models::Exponential{10.0 * hour}, models::Never{}, models::Constant{}, 1},
                           {"hot", models::Exponential{10.0 * hour}, models::Exponential{hour}, models::Constant{}, 1}};
  const auto lost = figures_of(plan, 2000, [](const sim::Outcome& outcome) {
    return static_cast<double>(outcome.stops) + outcome.losses_during_restart;
  });
  check_mean(lost, 500.0, 0.04);
}

TEST_CASE("launches that fail are tried again after pauses that double") {
  sim::Plan plan = bare_plan(1, 1);
  plan.pools[0].launch_failure = 0.5;
  plan.retry = {60.0, 2.0, 240.0};
  // pauses of 60, 120, 240, 240 ...: 0.5 x 60 + 0.25 x 120 + 240 x 0.25 (the chance of each further one halves)
  const auto times = figures_of(plan, 40'000, [](const sim::Outcome& outcome) { return outcome.time_s - 1.0; });
  check_mean(times, 120.0, 0.08);
}

TEST_CASE("nodes held soon after a reclaim live by the early law") {
  sim::Plan plan = bare_plan(1, 1'000'000'000);
  plan.horizon_s = 1000.0 * hour;
  plan.pools[0].lifetime = models::Exponential{10.0 * hour};
  plan.pools[0].early_lifetime = models::Exponential{1.0 * hour};
  // replacement at once: all lives but the first are early ones
  const auto lost = figures_of(plan, 2000, [](const sim::Outcome& outcome) {
    return static_cast<double>(outcome.stops) + outcome.losses_during_restart;
  });
  check_mean(lost, 1.0 + 990.0, 0.02);
  // replacement after two hours: none is
  plan.pools[0].wait = models::Constant{2.0 * hour};
  const auto late = figures_of(plan, 2000, [](const sim::Outcome& outcome) {
    return static_cast<double>(outcome.stops) + outcome.losses_during_restart;
  });
  check_mean(late, (1000.0 - 2.0) / 12.0, 0.02);
}

TEST_CASE("no node outlives the age limit") {
  sim::Plan plan = bare_plan(1, 1'000'000'000);
  plan.horizon_s = 240.5 * hour;
  plan.pools[0].max_life = sim::Duration::from_seconds(24.0 * hour);
  const sim::Outcome outcome = sim::run_trial(plan, statistical_seed, 0);
  CHECK(outcome.stops + outcome.losses_during_restart == 10);
}

// A price that wanders: its mean over the run is the law's. Capped, the node is held as long as it is below.
TEST_CASE("a drawn price costs its mean, and a cap takes the nodes while it is above") {
  sim::Plan plan = bare_plan(1, 1'000'000'000);
  plan.horizon_s = 2000.0 * hour;
  plan.pools[0].price_law = models::PriceLaw{2.0, 0.5, 4.0 * hour, 0.6};
  const auto usd = figures_of(plan, 4000, [](const sim::Outcome& outcome) { return outcome.held_usd / 2000.0; });
  check_mean(usd, models::mean_price(*plan.pools[0].price_law), 0.02);
  plan.pools[0].price_cap = 2.0;
  const auto held =
      figures_of(plan, 4000, [&](const sim::Outcome& outcome) { return outcome.held_gpu_s / plan.horizon_s; });
  check_mean(held, 0.5, 0.02);
}

// Of 24 h the half around the scarcest hour sees (1 + 2 x 0.6 / pi) / 2 of the losses.
TEST_CASE("a daily swing of lives puts losses where machines are scarce") {
  sim::Plan plan = bare_plan(1, 1'000'000'000);
  plan.start_hour = 11.0;  // six hours before the scarcest
  plan.horizon_s = 12.0 * hour;
  plan.pools[0].lifetime = models::Exponential{0.1 * hour};
  plan.pools[0].daily = 0.6;
  const auto lost = figures_of(plan, 2000, [](const sim::Outcome& outcome) {
    return static_cast<double>(outcome.stops) + outcome.losses_during_restart;
  });
  check_mean(lost, 120.0 * (1.0 + 2.0 * 0.6 / 3.141592653589793), 0.02);
}

TEST_CASE("replacement pauses while many nodes are missing") {
  sim::Plan plan = bare_plan(10, 1'000'000'000);
  plan.horizon_s = 300.0 * hour;
  plan.brake_above = 0.2;
  plan.brake_s = 300.0;
  // one node at a time: never above a fifth
  plan.pools[0].lifetime = models::Exponential{1000.0 * hour};
  const auto idle_of = [](const sim::Outcome& outcome) {
    return outcome.account_gpu_s[static_cast<std::size_t>(sim::Account::idle)];
  };
  CHECK(moments_of(figures_of(plan, 200, idle_of)).mean == 0.0);
  // all at once: each time five minutes, in which nothing is held
  plan.pools[0].bulk_share = 1.0;
  plan.pools[0].bulk_size = scenarios::Bulk::Size::all;
  const auto held = figures_of(
      plan, 2000, [&](const sim::Outcome& outcome) { return 1.0 - outcome.held_gpu_s / (10.0 * plan.horizon_s); });
  // ten clocks of 1,000 h: a reclaim every 100 h of holding
  check_mean(held, 300.0 / (100.0 * hour + 300.0), 0.15);
}

}  // namespace fleetcast::tests
