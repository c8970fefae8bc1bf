// `uncertain`: laws in the unit of the value, by pointer.
#include "scenarios/uncertain.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "reading.hpp"

namespace fleetcast::scenarios::test {
namespace {

std::string uncertain(const std::string& members) {
  return with(R"("training": { "jitter": 0.02 }, "strategies": { "fp8": { "training": { "precision": "fp8" } },
    "steady": { "training": { "jitter": 0.5 } } }, "uncertain": { )" +
              members + " }");
}

}  // namespace

TEST_CASE("the strategies are those with the medians, unless values are given") {
  const std::string text = uncertain(
      R"x("/training/jitter": "uniform(0.02, 0.06)", "/fleet/main/wait": "lognormal(median 3 min, sigma 1)")x");
  const ScenarioFile file = read(text);
  REQUIRE(file.uncertain.size() == 2);
  CHECK(file.uncertain[1].unit == "min");
  CHECK(file.strategies[0].training.jitter == doctest::Approx(0.04));
  CHECK(models::mean(file.strategies[1].fleet[0].wait) == 180.0);
  CHECK(file.strategies[2].training.jitter == 0.5);  // its own patch says otherwise

  const models::Catalog known = catalog();
  const ReadOptions drawn{{}, {0.05, 7.5}, "fp8"};
  const ScenarioFile one = read_scenario_text(text, "case.json", known, drawn);
  REQUIRE(one.strategies.size() == 1);
  CHECK(one.strategies[0].strategy == "fp8");
  CHECK(one.strategies[0].training.jitter == 0.05);
  CHECK(models::mean(one.strategies[0].fleet[0].wait) == 450.0);
}

TEST_CASE("choices have the weighted median, whatever their order") {
  const ScenarioFile file = read(uncertain(R"x("/fleet/main/nodes": "mix(0.3: 32, 0.2: 8, 0.5: 16)")x"));
  CHECK(file.strategies[0].fleet[0].nodes == 16);
}

TEST_CASE("the median of other laws is found too") {
  const ScenarioFile file = read(uncertain(R"x("/fleet/main/wait": "exponential(mean 10 min)")x"));
  // "6.93... min" is read back to within its digits.
  CHECK(models::mean(file.strategies[0].fleet[0].wait) == doctest::Approx(600.0 * std::log(2.0)).epsilon(1e-12));
  CHECK(has(messages(uncertain(R"x("/fleet/main/wait": "hazard(1 /h)")x")), "a hazard is a law of times"));
  CHECK(has(messages(uncertain(R"x("/fleet/main/wait": "data(a.csv, b_s)")x")), "no data file can be named here"));
}

TEST_CASE("what is no law, no pointer, or no value of a strategy is refused") {
  CHECK(has(messages(uncertain(R"x("/training/jitter": "lognorm(median 1, sigma 1)")x")), "lognormal"));
  CHECK(has(messages(uncertain(R"x("/fleet/main/wait": "uniform(1 min, 2 h)")x")), "the units"));
  CHECK(has(messages(uncertain(R"x("/fleet/main/wait": "uniform(5 min, 2 min)")x")), "found"));
  CHECK(has(messages(uncertain(R"x("/fleet/main/wait": "mix(0.5: 1 min, 0.4: 2 min)")x")), "found"));
  CHECK(has(messages(uncertain(R"x("training/jitter": "uniform(1, 2)")x")), "found the pointer"));
  CHECK(has(messages(uncertain(R"x("/montecarlo/seed": "uniform(1, 2)")x")), "found the pointer"));
  CHECK(has(messages(uncertain(R"x("/training/jitter": 0.5)x")), "/uncertain"));
}

TEST_CASE("a median that the field does not take is refused at its own place") {
  CHECK(has(messages(uncertain(R"x("/fleet/main/wait": "uniform(1, 2)")x")), "/fleet/main/wait"));
  CHECK(has(messages(uncertain(R"x("/fleet/main/nodes": "uniform(8, 9)")x")), "/fleet/main/nodes"));
}

}  // namespace fleetcast::scenarios::test
