// What strikes, as seen in the simulation: renewal counts, laws of lives, causes, bulk, uncertain rates, notices.
// alpha = 1e-5 a check; n and the smallest error caught with power 0.99 stand with each.
#include <cmath>
#include <map>

#include "sim/billing.hpp"
#include "tests/statistical/samples.hpp"

namespace fleetcast::tests {
namespace {

/// A run that steps until the horizon, with restarts that take no time: every node is always held.
sim::Plan endless_plan(int nodes, double horizon_s) {
  sim::Plan plan = bare_plan(nodes, 1'000'000'000);
  plan.horizon_s = horizon_s;
  return plan;
}

double losses(const sim::Outcome& outcome) {
  return static_cast<double>(outcome.stops) + outcome.losses_during_restart;
}

/// Makes every machine life cost one dollar, so that the cost counts lives.
void count_lives_by_cost(sim::Plan& plan) {
  constexpr double long_s = 1e9;
  plan.pools[0].billing.increment = models::Seconds{long_s};
  plan.pools[0].usd_per_node_h = models::seconds_per_hour / long_s;
}

}  // namespace

// n = 20,000 trials of 4 nodes x 40 lives: 0.4 % of the mean is caught (cv of a count 1 / sqrt(160)).
TEST_CASE("exponential lives: the reclaims of a window are Poisson, in mean and variance") {
  sim::Plan plan = endless_plan(4, 40'000.0);
  plan.pools[0].lifetime = models::Exponential{1000.0};
  const auto counts = figures_of(plan, 20'000, losses);
  check_mean(counts, 160.0, 0.004);
  CHECK(std::abs(z_of_variance(counts, 160.0)) < z_limit);
  CHECK(std::abs(z_of_variance(counts, 160.0 * 1.08)) > z_limit);  // control: 8 % more variance is refused
}

// The renewal function: m(t) = t / mu + (sigma^2 - mu^2) / (2 mu^2) + o(1); after 60 mean lives the rest is far below
// 1e-3 for these laws. n = 20,000; 1.2 % of the mean is caught, so the constant (-0.36 to 0.77 of 60) counts.
TEST_CASE("Weibull, log-normal and uniform lives: the mean number of reclaims is the renewal function") {
  const models::Distribution laws[] = {models::Weibull{1000.0, 0.62}, models::Weibull{1000.0, 2.0},
                                       models::LogNormal{1000.0, 0.5}, models::Uniform{500.0, 1500.0}};
  for (const models::Distribution& law : laws) {
    CAPTURE(models::describe_time(law));
    const double mean = models::mean(law), variance = models::variance(law);
    sim::Plan plan = endless_plan(1, 60.0 * mean);
    plan.pools[0].lifetime = law;
    const double constant = (variance - mean * mean) / (2.0 * mean * mean);
    const auto counts = figures_of(plan, 20'000, losses);
    check_mean(counts, 60.0 + constant, 0.012);
    if (std::abs(constant) > 0.3) CHECK(std::abs(z_of_mean(counts, 60.0)) > z_limit);  // without the constant: refused
  }
}

// DKW: n = 20,000; a Kolmogorov distance of 0.032 is caught with power 0.99. Control: a scale 10 % larger.
TEST_CASE("the lives of nodes follow the law of the scenario") {
  const models::Distribution laws[] = {
      models::Exponential{1000.0}, models::Weibull{1000.0, 0.62}, models::LogNormal{1000.0, 0.8},
      models::PiecewiseHazard{{{900.0, 1.0 / 2000.0}, {1e300, 1.0 / 500.0}}},
      models::Mixture{{{0.3, models::Uniform{0.0, 100.0}}, {0.7, models::Exponential{2000.0}}}}};
  constexpr double wait_s = 1e6;
  for (const models::Distribution& law : laws) {
    CAPTURE(models::describe_time(law));
    // The node boots after the wait; its successor would boot after the horizon. So held time is the first life.
    sim::Plan plan = endless_plan(1, 2.0 * wait_s - 1.0);
    plan.pools[0].wait = models::Constant{wait_s};
    plan.pools[0].lifetime = law;
    const auto lives = figures_of(plan, 20'000, [](const sim::Outcome& outcome) { return outcome.held_gpu_s; });
    const auto cdf_of = [](const models::Distribution& of) {
      return [of](double x) { return 1.0 - models::survival(of, x); };
    };
    CHECK(kolmogorov_distance(lives, cdf_of(law)) < dkw_epsilon(20'000));
    CHECK(kolmogorov_distance(lives, cdf_of(models::scaled(law, 1.2))) > dkw_epsilon(20'000));
  }
}

// n = 8,000; 4 % of the mean counts is caught.
TEST_CASE("with bulk reclaims one node still lives as long as the scenario says, and stops are fewer") {
  using Size = scenarios::Bulk::Size;
  constexpr int nodes = 8;
  constexpr double life_s = 1000.0, horizon_s = 5000.0;
  for (const Size size : {Size::uniform, Size::geometric, Size::all}) {
    CAPTURE(static_cast<int>(size));
    sim::Plan plan = endless_plan(nodes, horizon_s);
    count_lives_by_cost(plan);
    const scenarios::Bulk bulk{0.4, size};
    const double mean_size = sim::mean_reclaim_size(bulk, nodes);
    plan.pools[0].bulk_share = 0.6;
    plan.pools[0].bulk_size = size;
    plan.pools[0].lifetime = models::Exponential{life_s * mean_size};
    std::vector<double> lives, stops;
    for (std::uint32_t trial = 0; trial < 8'000; ++trial) {
      const sim::Outcome outcome = sim::run_trial(plan, statistical_seed, trial);
      lives.push_back(outcome.cost_usd);
      stops.push_back(losses(outcome));
    }
    check_mean(lives, nodes * horizon_s / life_s + nodes, 0.04);
    check_mean(stops, nodes * horizon_s / (life_s * mean_size), 0.04);
  }
}

// n = 20,000; 5 % is caught. Eight waits of their own would take 100 (1 + 1/2 + ... + 1/8) = 272 s.
TEST_CASE("nodes of a pool that are asked for together arrive together") {
  sim::Plan plan = bare_plan(8, 1);
  plan.pools[0].wait = models::Exponential{100.0};
  check_mean(times_of(plan, 20'000), 101.0, 0.05);
}

// n = 40 trials of some 2,500 stops each: 10^5 stops; a share off by 0.011 is caught.
TEST_CASE("causes strike in proportion to their rates") {
  sim::Plan plan = endless_plan(4, 50'000.0);
  plan.pools[0].lifetime = models::Exponential{4.0 * 100.0};
  add_cause(plan, "hardware").node_rate = 0.2 / 100.0 / 4;
  add_cause(plan, "network").node_rate = 0.8 / 100.0 / 4;
  add_cause(plan, "software").gang_rate = 0.5 / 100.0;
  add_cause(plan, "data").gang_rate = 2.5 / 100.0;
  std::vector<std::uint64_t> counts(5, 0);
  std::uint64_t total = 0;
  for (std::uint32_t trial = 0; trial < 40; ++trial) {
    const sim::Outcome outcome = sim::run_trial(plan, statistical_seed, trial);
    for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += outcome.stops_by_cause[i];
    total += outcome.stops;
  }
  CHECK(std::abs(static_cast<double>(total) / 1e5 - 1.0) < z_limit / std::sqrt(1e5));  // 5 per 100 s
  const double shares[] = {0.2, 0.04, 0.16, 0.1, 0.5};
  for (std::size_t i = 0; i < counts.size(); ++i) {
    CAPTURE(i);
    CHECK(std::abs(z_of_share(counts[i], total, shares[i])) < z_limit);
    CHECK(std::abs(z_of_share(counts[i], total, shares[i] + 0.011)) > z_limit);
  }
}

// Gamma-Poisson: mean m, variance m + m^2 / shape. n = 10^5; 1 % of the mean, 5 % of the variance are caught.
TEST_CASE("an uncertain rate spreads the stops of trials: mean and over-dispersion of a gamma-Poisson count") {
  sim::Plan plan = endless_plan(1, 10'000.0);
  sim::CausePlan& cause = add_cause(plan, "software");
  cause.gang_rate = 1e-3;
  cause.gamma_shape = 4.5;
  const auto counts = figures_of(plan, 100'000, losses);
  check_mean(counts, 10.0, 0.015);
  const double variance = 10.0 + 100.0 / 4.5;
  CHECK(std::abs(z_of_variance(counts, variance)) < z_limit);
  CHECK(std::abs(z_of_variance(counts, 1.08 * variance)) > z_limit);
  plan.sample_calibration = false;
  CHECK(std::abs(z_of_variance(figures_of(plan, 20'000, losses), 10.0)) < z_limit);
}

TEST_CASE("strategies with different lists of causes share what is unknown about a cause") {
  sim::Plan longer = endless_plan(1, 10'000.0);
  add_cause(longer, "other").gang_rate = 1e-15;
  add_cause(longer, "software").gang_rate = 1e-3;
  longer.causes[1].gamma_shape = 0.5;
  sim::Plan shorter = longer;
  shorter.causes.erase(shorter.causes.begin());
  shorter.cause_index.erase(shorter.cause_index.begin());
  for (std::uint32_t trial = 0; trial < 100; ++trial) {
    CHECK(losses(sim::run_trial(longer, statistical_seed, trial)) ==
          losses(sim::run_trial(shorter, statistical_seed, trial)));
  }
}

// Log-normal rate with median: mean m e^(s^2 / 2). n = 50,000, 2.5 % is caught.
TEST_CASE("a common rate factor moves all its causes together") {
  sim::Plan plan = endless_plan(1, 10'000.0);
  for (const char* name : {"a", "b"}) {
    sim::CausePlan& cause = add_cause(plan, name);
    cause.gang_rate = 5e-4;
    cause.rate_sigma = 0.5;
  }
  std::vector<double> first, second, sum;
  for (std::uint32_t trial = 0; trial < 50'000; ++trial) {
    const auto by_cause = sim::run_trial(plan, statistical_seed, trial).stops_by_cause;
    first.push_back(by_cause[1]);
    second.push_back(by_cause[2]);
    sum.push_back(first.back() + second.back());
  }
  const double mean = 10.0 * std::exp(0.125), spread = std::expm1(0.25);
  check_mean(sum, mean, 0.025);
  CHECK(std::abs(z_of_variance(sum, mean + mean * mean * spread)) < z_limit);
  // Independent factors would give half of the extra variance: refused.
  CHECK(std::abs(z_of_variance(sum, mean + 0.5 * mean * mean * spread)) > z_limit);
}

// A save of 20 s on a notice: it fits if the notice lasts longer than that and the rest of the step under way.
// n = about 130,000 notices; a probability off by 0.012 is caught.
TEST_CASE("the share of notices that suffice for a save is the notice law's") {
  const auto share_saved = [](const models::Distribution& notice, double expected) {
    sim::Plan plan = endless_plan(1, 1e7);
    add_saves(plan, 0, 20.0);
    plan.step.node_compute_s = 0.01;
    plan.pools[0].lifetime = models::Uniform{50'000.0, 100'000.0};
    plan.pools[0].notice = notice;
    std::uint64_t saved = 0, reclaims = 0;
    for (std::uint32_t trial = 0; trial < 1000; ++trial) {
      const sim::Outcome outcome = sim::run_trial(plan, statistical_seed, trial);
      saved += outcome.checkpoints_usable;
      reclaims += outcome.stops;
    }
    CHECK(reclaims > 125'000);
    CHECK(std::abs(z_of_share(saved, reclaims, expected)) < z_limit);
    CHECK(std::abs(z_of_share(saved, reclaims, expected - 0.012)) > z_limit);
  };
  // The rest of a step is uniform on 10 ms: 60 / 0.01 (1 - e^(-0.01 / 60)) of e^(-20 / 60).
  share_saved(models::Exponential{60.0}, std::exp(-1.0 / 3.0) * -std::expm1(-0.01 / 60.0) * 6000.0);
  share_saved(models::Mixture{{{0.2, models::None{}}, {0.8, models::Constant{30.0}}}}, 0.8);
  share_saved(models::Uniform{10.0, 40.0}, (20.0 - 0.005) / 30.0);
}

// n = 10^5: log-sd 0.1118 with a standard error of 0.22 %; 2 % of the variance is caught.
TEST_CASE("the calibration error: spread of one strategy, and what two strategies share") {
  sim::Plan one = bare_plan(1, 1000);
  one.step.log_sd_common = 0.1;
  one.step.log_sd_contrast = 0.05;
  one.step.contrast_entity = 7;
  sim::Plan other = one;
  other.step.contrast_entity = 9;
  std::vector<double> logs, differences;
  for (std::uint32_t trial = 0; trial < 100'000; ++trial) {
    const double a = std::log(sim::run_trial(one, statistical_seed, trial).time_s / 1000.0);
    const double b = std::log(sim::run_trial(other, statistical_seed, trial).time_s / 1000.0);
    logs.push_back(a);
    differences.push_back(a - b);
  }
  CHECK(std::abs(z_of_mean(logs, 0.0)) < z_limit);
  CHECK(std::abs(z_of_variance(logs, 0.0125)) < z_limit);
  CHECK(std::abs(z_of_variance(logs, 0.0125 * 1.04)) > z_limit);
  // The common part cancels: twice the contrast part is left.
  CHECK(std::abs(z_of_variance(differences, 2.0 * 0.0025)) < z_limit);
  CHECK(std::abs(z_of_variance(differences, 2.0 * 0.0125)) > z_limit);
  one.sample_calibration = false;
  CHECK(sim::run_trial(one, statistical_seed, 3).time_s == 1000.0);
}

}  // namespace fleetcast::tests
