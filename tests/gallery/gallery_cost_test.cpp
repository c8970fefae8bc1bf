// Stories about bills.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "tests/gallery/answer.hpp"

namespace fleetcast::tests {
namespace {

using sim::Account;

/// What the machines cost in the end: held, rounded up, less what is forgiven.
double billed_usd(const Answer& run, const std::string& strategy) {
  double sum = 0.0;
  for (const auto& part : run.of(strategy).billed) sum += part.second;
  return sum;
}

/// P(sum of n uniform numbers in [0, 1] <= x), Irwin-Hall.
double irwin_hall(int n, double x) {
  if (x <= 0) return n == 0 && x == 0 ? 1.0 : 0.0;
  double sum = 0.0, binomial = 1.0;
  for (int k = 0; k <= n && k < x; ++k) {
    sum += (k % 2 == 0 ? 1 : -1) * binomial * std::pow(x - k, n);
    binomial *= static_cast<double>(n - k) / (k + 1);
  }
  return x >= n ? 1.0 : sum / std::tgamma(n + 1.0);
}

}  // namespace

TEST_CASE("100 nodes that never start cost nothing, not 880.42 USD") {
  const Answer run = answer("asked-for-is-free");
  CHECK(run.of("base").finished == 0);
  CHECK(*run.of("base").cost_usd.mean_at_least == 0);
  for (const auto& trial : run.trials("base")) CHECK(trial.held_gpu_s == 0);
  CHECK(std::abs(billed_usd(run, "had they run") - 880.42) < 0.005);
  // A wait costs time, not money. Mean 43 min, sd 30 / sqrt(12).
  const auto& waited = run.of("a wait of 28 to 58 min");
  CHECK(billed_usd(run, waited.name) == near(billed_usd(run, "had they run"), 1e-9));
  CHECK(std::abs((*waited.time_s.mean - 4051) / 60 - 43) < rare * 30 / std::sqrt(12.0 * 100));
  // Left out: disks of stopped machines.
}

TEST_CASE("spot by an old price list is 11 % dearer than on demand, and no discount is warned of") {
  const Answer run = answer("spot-dearer-than-on-demand");
  CHECK(billed_usd(run, "base") == near(44, 1e-6));
  CHECK(billed_usd(run, "spot by the old list") == near(49, 1e-6));
  CHECK(billed_usd(run, "spot, direct") == near(28.5, 1e-6));
  CHECK(run.warns("a zone without a discount", "is not below the on-demand price"));
  // Left out: "spot by the old list" is not warned of, since no on-demand price is known for a machine of one's own.
}

TEST_CASE(
    "usage is rounded up per machine life: 8 min cost a quarter of an hour, lives of 25 min 2.4 times their time") {
  const Answer run = answer("billing-steps");
  CHECK(billed_usd(run, "base") == near(1.375, 1e-9));
  CHECK(billed_usd(run, "by the second") == near(5.50 * 8 / 60, 1e-9));
  CHECK(billed_usd(run, "10 min by the hour") == near(5.50, 1e-9));
  const auto factor = [&](const char* name) { return billed_usd(run, name) / run.machines_usd(name); };
  CHECK(run.of("lives of 25 min, by the hour").losses_during_restart + run.stops("lives of 25 min, by the hour") == 11);
  CHECK(factor("lives of 25 min, by the hour") == near(2.4, 1e-9));
  CHECK(factor("lives of 25 min, by the minute") == near(1.0, 1e-9));
}

TEST_CASE("a block of 7 days costs 105,719 USD whether the job is done or not") {
  const Answer run = answer("capacity-block");
  for (const char* name : {"base", "10 % late", "with stops"}) {
    CHECK(billed_usd(run, name) == near(105'719, 1e-5));
  }
  // From 39.33 / 98.32 = 40 % use on, 67.2 h, the block is cheaper; 67 h of work and a start of 10 min are 0.05 % less.
  CHECK(billed_usd(run, "2.8 days by the hour") == near(105'719, 0.001));
  CHECK(billed_usd(run, "by the hour in 2026") < 0.8 * 105'719);
  CHECK(run.of("base").finished == run.of("base").replicates);
  CHECK(run.of("10 % late").finished == 0);
  // Left of 167.5 h after 163.2 h of work and a start of 0.5 h: 3.8 h for N stops of 0.5 h and up to an hour of re-done
  // work each. N is Poisson over the work and what is re-done (half an hour each). 0.01 for that last mean.
  const double mean = 0.5 / 24 * 163.2 / (1 - 0.5 / 24 * 0.5);
  double expected = 0.0, poisson = std::exp(-mean);
  for (int n = 0; n < 8; ++n, poisson *= mean / n) expected += poisson * (n == 0 ? 1.0 : irwin_hall(n, 3.8 - 0.5 * n));
  const double error = std::sqrt(expected * (1 - expected) / 1000);
  CHECK(std::abs(*run.of("with stops").deadline_met - expected) < rare * error + 0.01);
  CHECK(expected > 0.4);  // neither certain nor hopeless
  CHECK(expected < 0.8);
}

TEST_CASE("one node of sixteen is gone for an hour: 15 node-hours of paid waiting a time") {
  const Answer run = answer("idle-gang");
  // A second loss within the hour (0.4 %) makes the wait longer by half an hour on average.
  CHECK(run.gpu_hours("base", Account::idle) / run.stops("base") == near(15 * 8, 0.01));
  CHECK(run.gpu_hours("ready at once", Account::idle) == 0);
}

TEST_CASE("PCIe boxes at half the speed are cheaper per token only below half the price") {
  const Answer run = answer("pcie-or-nvlink");
  const double nvlink = *run.of("base").usd_per_token;
  // Billed in whole seconds, of 3.4 days.
  CHECK(*run.of("PCIe, same price").usd_per_token / nvlink == near(4234.0 / 2105, 1e-5));
  CHECK(*run.of("PCIe, half price").usd_per_token > nvlink);
  CHECK(*run.of("PCIe, 49 %").usd_per_token < nvlink);
}

}  // namespace fleetcast::tests
