// Stories about saves: what they block, what they cost, and what comes of those that are never made.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "models/units.hpp"
#include "tests/gallery/answer.hpp"

namespace fleetcast::tests {
namespace {

using sim::Account;

/// Time blocked by saves over the time of the steps.
double blocked_share(const Answer& run, const std::string& strategy) {
  return run.gpu_hours(strategy, Account::checkpoint_stall) / run.gpu_hours(strategy, Account::compute);
}

/// Seconds that one usable save blocks the gang.
double seconds_per_save(const Answer& run, const std::string& strategy) {
  return run.gang_hours(strategy, Account::checkpoint_stall) * 3600 / run.of(strategy).checkpoints_usable;
}

}  // namespace

TEST_CASE("BLOOM-176B spends 0.37 % of its run on saves, and 2 % on a store five times slower") {
  const Answer run = answer("bloom-176b-saves");
  // Published: 720 saves of 40 s, 8 h, 0.37 % of about 90 days; the case accepts 0.33 to 0.41 %.
  const auto& published = run.of("90 days");
  CHECK(std::abs(published.checkpoints_usable - 720) <= 1);  // 3 h are 103 steps of 105 s, 15 s more
  CHECK(seconds_per_save(run, "90 days") == near(40, 1e-6));
  CHECK(run.gang_hours("90 days", Account::checkpoint_stall) == near(8.0, 0.002));
  CHECK(published.checkpoints_usable * 2.3e12 == near(1.66e15, 0.005));  // bytes; 720 are 1.656
  for (const char* name : {"base", "90 days"}) {
    CHECK(blocked_share(run, name) > 0.0033);
    CHECK(blocked_share(run, name) < 0.0041);
  }
  CHECK(blocked_share(run, "a store five times slower") == near(0.02, 0.10));  // 200 s in 3 h: 1.85 %
  CHECK(seconds_per_save(run, "a store five times slower") == near(200, 1e-6));
  // 341B tokens in steps of 2048 x 2048 tokens are 81,300 steps, 98.8 days.
  CHECK(run.plan("base").facts.steps == near(81'300, 0.0005));
  CHECK(run.gang_hours("base", Account::compute) / 24 == near(98.8, 0.0005));
  CHECK(run.trials("base")[0].bytes_written == near(run.of("base").checkpoints_usable * 2.3e12, 1e-6));
}

TEST_CASE("an asynchronous save blocks 0.09 % instead of 4.6 % every 10 min, 0.005 % instead of 0.25 % every 3 h") {
  const Answer run = answer("async-saves-8b");
  // Both sides as printed in the case: half of the last digit.
  CHECK(std::abs(blocked_share(run, "base") - 0.046) < 0.0005);
  CHECK(std::abs(blocked_share(run, "async") - 0.0009) < 0.00005);
  CHECK(std::abs(blocked_share(run, "sync, every 3 h") - 0.0025) < 0.00005);
  CHECK(std::abs(blocked_share(run, "async, every 3 h") - 0.00005) < 0.000005);
  // One save in flight: 12 s of steps and 0.54 s of copying, then the rest of the 27.34 s until the writer is free.
  CHECK(blocked_share(run, "async, every 12 s") == near((0.54 + 27.34 - 12) / 12, 1e-4));
  CHECK(run.warns("async, every 12 s", "longer than the interval"));
  CHECK(!run.warns("async", "longer than the interval"));
}

TEST_CASE("50,000 steps saved every 20,000 have two saves, 39,998 one, and an interval above the steps none") {
  const Answer run = answer("interval-longer-than-run");
  CHECK(run.of("base").checkpoints_usable == 2);  // the last at step 40,000
  CHECK(run.of("39,998 steps").checkpoints_usable == 1);
  CHECK(run.of("every 60,000 steps").checkpoints_usable == 0);
  CHECK(run.of("and a final save").checkpoints_usable == 3);
  CHECK(run.warns("every 60,000 steps", "no checkpoint will be written"));
  CHECK(!run.warns("base", "no checkpoint will be written"));
  // Left out: the tail of 10,000 steps after the last save counts as kept, and nothing says that it is at risk.
}

TEST_CASE("the rate that counts for a save is the measured one, nine times below the disk's") {
  const Answer run = answer("effective-save-rate");
  // 393.86 s were measured, 44 s would follow from 2.2 GB/s. The state is 12 bytes for each of 8.03e9 parameters, the
  // case rounds to 96 GB: 1 %.
  CHECK(seconds_per_save(run, "base") == near(393.86, 0.01));
  CHECK(seconds_per_save(run, "by the data sheet") == near(44, 0.01));
  // 500 steps of 8192 tokens per GPU at 2,456 tokens/s.
  CHECK(blocked_share(run, "base") == near(393.86 / (500 * 8192 / 2456.0), 0.01));
  // Left out: nothing names what binds the save.
}

TEST_CASE("twice the bytes add 54 s to a save of 427 s, not 427 s") {
  const Answer run = answer("save-fixed-part");
  CHECK(seconds_per_save(run, "base") == near(427, 1e-6));
  CHECK(seconds_per_save(run, "twice the bytes") == near(427 + 54, 1e-6));
  // Left out: the fixed part does not grow with ranks or files.
}

TEST_CASE("under a limit of the project, saves of 16 times as many ranks take 15 times as long") {
  const Answer run = answer("store-with-a-limit");
  CHECK(seconds_per_save(run, "base") == near(1 + 640e9 / 25e9, 1e-6));
  CHECK(seconds_per_save(run, "1,024 ranks") == near(1 + 10'240e9 / 25e9, 1e-6));
  CHECK(seconds_per_save(run, "1,024 ranks, no limit") < seconds_per_save(run, "base"));
}

TEST_CASE("stalls of 120 s every 250 steps are 2.2 %, of 0.2 s every 10 steps 0.09 %") {
  const Answer run = answer("glm-65b-stalls");
  CHECK(std::abs(blocked_share(run, "base") - 0.022) < 0.0005);
  CHECK(std::abs(blocked_share(run, "0.2 s every 10 steps") - 0.0009) < 0.00005);
  CHECK(run.plan("base").facts.interval_s / 3600 == near(1.5, 1e-6));
}

TEST_CASE("saves of 5 to 15 minutes: the total is known far better than one of them") {
  const Answer run = answer("save-time-spread");
  const auto& base = run.of("base");
  CHECK(base.checkpoints_usable == 100);
  // Log-normal with sigma 0.5: mean exp(0.125), sd sqrt(exp(0.25) - 1) of the mean. The sum of 100 is nearly normal.
  const double mean_min = 10 * std::exp(0.125), sd_min = mean_min * std::sqrt(std::expm1(0.25));
  const double total_sd_s = 60 * sd_min * 10, n = 1000;
  CHECK(std::abs(run.gang_hours("base", Account::checkpoint_stall) * 3600 - 100 * 60 * mean_min) <
        rare * total_sd_s / std::sqrt(n));
  // Standard error of a 5 % quantile: sqrt(0.05 x 0.95 / n) / density, 0.067 sd; two of them.
  CHECK(std::abs((*base.time_s.p95 - *base.time_s.p5) - 2 * 1.645 * total_sd_s) < rare * 0.095 * total_sd_s);
  // Left out: a limit of 10 min, which would kill half of the saves.
}

TEST_CASE("2.2T tokens at 3,700 tokens/s are 165,000 GPU-hours, and 0.4T without a save put 30,000 at risk") {
  const Answer run = answer("fms-7b-silent-saves");
  CHECK(*run.of("base").gpu_hours.mean == near(165'000, 0.002));
  CHECK(*run.of("base").gpu_hours.mean == near(162'000, 0.03));  // published, within what the case says
  CHECK(*run.of("from 1.5T to 1.9T").gpu_hours.mean == near(30'000, 0.002));
  CHECK(*run.of("from 1.5T to 1.9T").time_s.mean / models::seconds_per_day == near(9.8, 0.005));
  CHECK(run.of("from 1.5T to 1.9T").checkpoints_usable == 0);
}

}  // namespace fleetcast::tests
