// Stories about restarts: what a start is made of.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "tests/gallery/answer.hpp"

namespace fleetcast::tests {
namespace {

using sim::Account;

double share(const Answer& run, const std::string& strategy, Account account) {
  return run.gpu_hours(strategy, account) / *run.of(strategy).gpu_hours.mean;
}

/// Hours of the gang in an account, per stop.
double hours_per_stop(const Answer& run, const std::string& strategy, Account account) {
  return run.gang_hours(strategy, account) / run.stops(strategy);
}

}  // namespace

TEST_CASE("a start of an hour on 2,048 GPUs is 2,048 GPU-hours, twenty are 41,000, and it grows with the fleet") {
  const Answer run = answer("start-up-2048-gpus");
  CHECK(run.gpu_hours("base", Account::start_up) == near(2048, 1e-9));
  CHECK(20 * run.gpu_hours("base", Account::start_up) == near(41'000, 0.002));
  CHECK(share(run, "base", Account::start_up) == near(0.25, 1e-9));  // of 3 h of work and 1 h of start
  CHECK(run.gpu_hours("256 GPUs", Account::start_up) == near(256 * 450.0 / 3600, 1e-9));
}

TEST_CASE("to load takes 40 s where each rank reads its part, 20 min as full copies, 5 h through one reader") {
  const Answer run = answer("resume-three-ways");
  // The first of about 20 stops of a trial finds no save in 1 - exp(-10 min / 1 d) = 0.7 % of the trials: 0.04 % less.
  const double part_h = (30 + 154.0 / 16) / 3600;
  CHECK(hours_per_stop(run, "base", Account::start_up) == near(part_h, 0.002));
  CHECK(hours_per_stop(run, "one reader sends it on", Account::start_up) == near(5.0, 0.002));
  const double error_h = 20.0 / std::sqrt(12.0) / 60 / std::sqrt(run.all_stops("every node a full copy"));
  CHECK(std::abs(hours_per_stop(run, "every node a full copy", Account::start_up) - 20.0 / 60) < rare * error_h);
  // To load is not to save: 10 s in all three.
  for (const auto& strategy : run.summary.strategies) {
    const double saves = strategy.checkpoints_usable;
    CHECK(run.gang_hours(strategy.name, Account::checkpoint_stall) * 3600 / saves == near(10, 1e-6));
  }
}

TEST_CASE("half an hour of compiling is 29 % of lives of 1.7 h, and 12.5 % if lives are as spread as measured") {
  const Answer run = answer("compile-on-spot");
  CHECK(share(run, "base", Account::start_up) == near(0.5 / 1.7, 0.002));  // the last life is shorter
  // E[min(L, 30 min)] / E[L] of the log-normal life.
  const double mu = std::log(1.7), s = 1.25, mean = std::exp(mu + s * s / 2), z = (std::log(0.5) - mu) / s;
  const auto phi = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
  const double expected = (mean * phi(z - s) + 0.5 * (1 - phi(z))) / mean;
  CHECK(mean == near(3.7, 0.01));  // as in the trace
  // About 630 lives in each of 50 trials, sd of a life 1.9 of its mean: 1 % standard error; the end of a trial cuts its
  // last life, 0.5 %.
  CHECK(share(run, "lives as spread as measured", Account::start_up) == near(expected, 0.05));
  CHECK(share(run, "no compiling", Account::start_up) == 0);
}

TEST_CASE("2.5 min of communicator set-up every 3.1 h are 1.3 % of all time") {
  const Answer run = answer("communicator-setup");
  CHECK(std::abs(share(run, "base", Account::start_up) - 0.013) < 0.0005);
  CHECK(run.running_hours_per_stop("base") == near(3.09, rare / std::sqrt(run.all_stops("base"))));
}

TEST_CASE("cold starts of 17 min, pre-baked images and tuned starts, on machines that live 2 h") {
  const Answer run = answer("cold-warm-hot");
  // Start R and interval t = 1/3 h survive a loss rate a = 0.5 /h or begin again, R included: the first interval takes
  // (exp(a (R + t)) - 1) / a, each of the 59 others (1 - exp(-a t)) exp(a (R + t)) / a.
  const auto expected_h = [](double start_s) {
    const double a = 0.5, t = 1.0 / 3, r = start_s / 3600;
    return (std::expm1(a * (r + t)) - 59 * std::expm1(-a * t) * std::exp(a * (r + t))) / a;
  };
  const auto check = [&](const char* name, double start_s) {
    CAPTURE(name);
    const auto& time = run.of(name).time_s;
    CHECK(std::abs(*time.mean / 3600 - expected_h(start_s)) < rare * standard_error(time) / 3600);
  };
  check("base", 16 * 60 + 54);
  check("pre-baked image", 3 * 60 + 41);
  check("tuned", 45 + 20 + 20);
  check("cold, and a slow loader", 16 * 60 + 54 + 12 + 93 + 613);
  CHECK(std::abs(*run.of("base").time_s.mean / 3600 - expected_h(60)) > 1);  // negative control
}

}  // namespace fleetcast::tests
