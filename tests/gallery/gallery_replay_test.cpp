// Stories over recorded capacity. The real recordings lie beside the repository; without them only those made up for
// the gallery are played.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/gallery/answer.hpp"

namespace fleetcast::tests {
namespace {

std::string recording(const std::string& name) {
  return std::string{FLEETCAST_SOURCE_DIR} + "/../shared/data/spot/traces/avail_aws-" + name + "_v100_1.csv";
}

bool recordings_are_here() {
  const bool here = std::filesystem::exists(recording("08-03-2023_4n_us-west-2c"));
  if (!here) MESSAGE("skipped: no recordings of spot capacity beside the repository");
  return here;
}

Answer over(const std::string& scenario, const std::string& name) {
  return answer(scenario, {"/fleet/main/replay/file=" + recording(name)});
}

/// Hours of a replay, as a loop of its own gives them for a start at each minute of the recording.
struct Expected {
  double mean, p50, p95;
};

/// Random starts: the mean within its Monte Carlo error and the minute of the grid; a quantile within 8 % (four times
/// its standard error where 1,000 starts meet a few dozen spells).
void check(const Answer& run, const std::string& strategy, const Expected& expected) {
  CAPTURE(strategy);
  const auto& time = run.of(strategy).time_s;
  CHECK(std::abs(*time.mean / 3600 - expected.mean) < rare * standard_error(time) / 3600 + 0.02);
  CHECK(std::abs(*time.p50 / 3600 / expected.p50 - 1.0) < 0.08);
  CHECK(std::abs(*time.p95 / 3600 / expected.p95 - 1.0) < 0.08);
}

}  // namespace

TEST_CASE("40 h on four spot machines take 58 h in us-west-2c and 68 h in us-east-2a as recorded in August 2023") {
  if (!recordings_are_here()) return;
  const Answer west = over("replay-us-west-2c", "08-03-2023_4n_us-west-2c");
  check(west, "base", {58.07, 53.69, 85.83});
  CHECK(*west.of("base").independent_windows == doctest::Approx(17.8 * 24 / 58.07).epsilon(0.02));
  CHECK(west.of("base").time_s.model_interval);
  check(over("replay-us-west-2c", "08-03-2023_4n_us-east-2a"), "base", {67.85, 44.77, 148.43});
}

TEST_CASE("sixteen nodes come all or not at all in us-west-2a: to need only eight hardly helps") {
  if (!recordings_are_here()) return;
  const Answer west = over("replay-sixteen-nodes", "08-27-2023_16n_us-west-2a");
  check(west, "base", {89.14, 66.59, 212.19});
  check(west, "8 nodes do", {141.47, 130.76, 249.49});
  const Answer east = over("replay-sixteen-nodes", "08-27-2023_16n_us-east-2b");
  check(east, "base", {78.03, 63.38, 153.22});
  check(east, "8 nodes do", {93.26, 77.12, 163.79});
  // What the recording holds in all cannot be beaten: 20 h of 16 nodes at 41.8 % of the time.
  CHECK(*west.of("base").time_s.mean / 3600 > 20.0 / 0.418);
}

TEST_CASE("the recordings made up for the gallery: full time at least what the work needs, and the gang's share") {
  const Answer run = answer("replay-us-west-2c");
  for (const std::string name : {"base", "long outages"}) {
    CAPTURE(name);
    const auto& summary = run.of(name);
    CHECK(summary.finished == summary.replicates);
    CHECK(*summary.time_s.mean > 40.0 * 3600);
    CHECK(*summary.time_s.p5 >= 40.0 * 3600 + 600.0);
    CHECK(*summary.independent_windows > 3.0);
  }
}

}  // namespace fleetcast::tests
