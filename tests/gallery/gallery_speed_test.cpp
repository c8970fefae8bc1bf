// Stories about speed: exchanges, networks, loaders, precisions and GPUs.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "tests/gallery/answer.hpp"

namespace fleetcast::tests {
namespace {

using sim::Account;

double hours(const Answer& run, const std::string& strategy) {
  return *run.of(strategy).time_s.mean / 3600;
}

double gain(const Answer& run, const std::string& of, const std::string& to) {
  return *run.of(of).tokens_per_s_per_gpu / *run.of(to).tokens_per_s_per_gpu;
}

}  // namespace

TEST_CASE("a ring moves 500 MB over 25 Gbit/s in 0.3 s, 17 times less than reckoned") {
  const Answer run = answer("ring-all-reduce");
  const double link = 25e9 / 8, ring_s = 2 * 15.0 / 16 * 500e6 / link, reckoned_s = 16 * 500e6 * 2 / link;
  const auto exchange_s = [&](const char* name) {
    return run.gang_hours(name, Account::exposed_communication) * 3600 / 10'000;
  };
  CHECK(exchange_s("base") == near(ring_s, 1e-6));
  CHECK(exchange_s("as the user reckoned") == near(reckoned_s, 1e-6));
  CHECK(exchange_s("as the user reckoned") / exchange_s("base") == near(17, 0.005));
  CHECK(run.gang_hours("base", Account::compute) * 3600 / 10'000 == near(1, 1e-6));
  // Left out: the exchange is an input; nothing derives it from bytes, links and ranks.
}

TEST_CASE("on a poor network one node is best, on a good one four") {
  const Answer run = answer("two-nodes-slower");
  // 240, 160 and 120 samples/s in all; 768 on the good network.
  CHECK(12e6 / 3600 / hours(run, "base") == near(240, 1e-6));
  CHECK(12e6 / 3600 / hours(run, "two nodes") == near(160, 1e-6));
  CHECK(12e6 / 3600 / hours(run, "three nodes") == near(120, 1e-6));
  CHECK(12e6 / 3600 / hours(run, "four nodes, good network") == near(768, 1e-6));
  CHECK(*run.of("base").cost_usd.mean < *run.of("four nodes, good network").cost_usd.mean);  // fastest is not cheapest
}

TEST_CASE("a loader of 120 images/s makes the run six times longer than a short benchmark says") {
  const Answer run = answer("loader-sets-the-pace");
  CHECK(hours(run, "base") / hours(run, "as benchmarked") == near(700.0 / 120, 1e-3));
  CHECK(hours(run, "base") == near(10'000 / 3600.0 * 240 / 120, 1e-3));
  // A step of 0.2 s waits 1.8 s for its batch.
  CHECK(run.gpu_hours("base", Account::data_stall) / *run.of("base").gpu_hours.mean == near(0.9, 1e-3));
  CHECK(run.gpu_hours("no loader", Account::data_stall) == 0);
  CHECK(hours(run, "one tar") / hours(run, "a folder") == near(4.5, 0.01));  // 3.80 x 1.19
}

TEST_CASE("a step is the longest of N: it grows with the number of nodes, and one slow node slows all") {
  const Answer run = answer("slowest-of-many");
  const auto step_s = [&](const char* name) { return *run.of(name).time_s.mean / 20'000; };
  const auto error_s = [&](const char* name) { return standard_error(run.of(name).time_s) / 20'000; };
  // Mean of the largest of n log-normal numbers with median 10 and sigma 0.05: the integral of 1 - F^n.
  const auto longest_of = [](int n) {
    double sum = 0.0;
    const double dx = 1e-3;
    for (double x = dx / 2; x < 20; x += dx)
      sum += dx * (1 - std::pow(0.5 * std::erfc(-std::log(x / 10) / 0.05 / std::sqrt(2.0)), n));
    return sum;
  };
  CHECK(std::abs(step_s("base") - longest_of(128)) < rare * error_s("base") + 1e-5);
  CHECK(std::abs(step_s("8 nodes") - longest_of(8)) < rare * error_s("8 nodes") + 1e-5);
  CHECK(std::abs(step_s("1 node") - longest_of(1)) < rare * error_s("1 node") + 1e-5);
  CHECK(step_s("base") > 1.13 * step_s("no jitter"));  // 2.6 sd of 5 %
  CHECK(step_s("no jitter") / step_s("one at 85 % speed") == near(0.85, 1e-6));
}

TEST_CASE("FP8 gains 1.3 to 1.4 times on H100, never 2") {
  const Answer run = answer("fp8-gain");
  // Measured: 8B 1.28, 13B 1.42. A table of published speeds, not of these two runs: within 10 %.
  CHECK(gain(run, "FP8", "base") == near(1.28, 0.10));
  CHECK(gain(run, "13B, FP8", "13B") == near(1.42, 0.10));
  // MFU is per precision: faster, and further from a peak that is twice as high.
  CHECK(*run.of("FP8").mfu < 0.75 * *run.of("base").mfu);
}

TEST_CASE("1,024 H100 in FP8 and 256 GB200 in NVFP4 train 405B at nearly the same speed") {
  const Answer run = answer("h100-or-gb200");
  const auto tokens_per_s = [&](const char* name) {
    return *run.of(name).tokens_per_s_per_gpu * static_cast<double>(run.plan(name).gpus);
  };
  CHECK(tokens_per_s("base") == near(335'872, 1e-6));
  CHECK(tokens_per_s("GB200") == near(303'104, 1e-6));
  // The model is for ordinary and tuned software alike and slower than these tuned runs, but its 90 % holds them; and
  // it finds the two fleets as near to each other as measured, 11 %.
  for (const char* gpu : {"H100", "GB200"}) {
    CAPTURE(gpu);
    const double measured_s = *run.of(gpu == std::string{"H100"} ? "base" : gpu).time_s.mean;
    const auto& model = run.of(std::string{gpu} + " by the model").time_s;
    CHECK(*model.p5 < measured_s);
    CHECK(*model.p95 > measured_s);
  }
  CHECK(tokens_per_s("H100 by the model") / tokens_per_s("GB200 by the model") == near(1.11, 0.10));
}

}  // namespace fleetcast::tests
