// montecarlo.until: what it takes, what it takes for granted, and how it refuses.
#include <doctest/doctest.h>

#include "reading.hpp"

namespace fleetcast::scenarios {
namespace {

using test::faults;
using test::has;
using test::messages;
using test::read;
using test::with;

std::string montecarlo(const std::string& members) {
  return with("\"montecarlo\": { " + members + " }");
}

void check_refused(const std::string& members, const std::string& pointer, const std::string& problem) {
  CAPTURE(members);
  const auto list = faults(montecarlo(members));
  REQUIRE(list.size() == 1);
  CHECK(list[0].pointer == pointer);
  CHECK(has(messages(list), problem));
}

}  // namespace

TEST_CASE("a stopping rule is read with all its fields, and there is none unless it is given") {
  CHECK_FALSE(read(with("")).montecarlo.until);
  CHECK_FALSE(read(montecarlo(R"("replicates": 10)")).montecarlo.until);
  const MonteCarlo all =
      read(montecarlo(R"("replicates": 500, "until": { "figure": "time_s", "half_width": 0.02, "at_most": "8k" })"))
          .montecarlo;
  REQUIRE(all.until);
  CHECK(all.replicates == 500);
  CHECK(all.until->figure == RuleFigure::time_s);
  CHECK(all.until->half_width == 0.02);
  CHECK(all.until->at_most == 8000);
  CHECK_FALSE(all.until->at_most_assumed);
}

TEST_CASE("every figure has its name, and at_most is 64 times the replicates unless it is given") {
  for (const RuleFigure figure : {RuleFigure::cost_usd, RuleFigure::time_s, RuleFigure::gpu_hours}) {
    const std::string until = R"("until": { "half_width": 1, "figure": ")" + std::string{name_of(figure)} + "\" }";
    const MonteCarlo found = read(montecarlo(until)).montecarlo;
    CHECK(found.until->figure == figure);
    CHECK(found.until->at_most == 64000);
    CHECK(found.until->at_most_assumed);
    CHECK(read(montecarlo(R"("replicates": "500M", )" + until)).montecarlo.until->at_most == 1'000'000'000);
  }
  CHECK(read(montecarlo(R"("replicates": 50, "until": { "figure": "time_s", "half_width": 0.1, "at_most": 50 })"))
            .montecarlo.until->at_most == 50);
}

TEST_CASE("replicates and the rule can be set, and the rule removed, from outside") {
  const std::string text = montecarlo(R"("until": { "figure": "cost_usd", "half_width": 0.01 })");
  CHECK(read(text, {"/montecarlo/replicates=20"}).montecarlo.until->at_most == 1280);
  CHECK(read(text, {"/montecarlo/until/half_width=0.5"}).montecarlo.until->half_width == 0.5);
  CHECK_FALSE(read(text, {"/montecarlo/until=null"}).montecarlo.until);
}

TEST_CASE("a rule that cannot be is refused with what is allowed and the nearest name") {
  check_refused(R"("until": { "figure": "cost_us", "half_width": 0.01 })", "/montecarlo/until/figure",
                "did you mean \"cost_usd\"?");
  check_refused(R"("until": { "figure": "goodput", "half_width": 0.01 })", "/montecarlo/until/figure",
                "cost_usd, gpu_hours");
  check_refused(R"("until": { "half_width": 0.01 })", "/montecarlo/until/figure", "\"figure\" is missing");
  check_refused(R"("until": { "figure": "time_s" })", "/montecarlo/until/half_width", "\"half_width\" is missing");
  check_refused(R"("until": { "figure": "time_s", "half_width": 0 })", "/montecarlo/until/half_width",
                "no number of trials is enough");
  check_refused(R"("until": { "figure": "time_s", "half_width": 2 })", "/montecarlo/until/half_width",
                "a fraction from 0 to 1");
  check_refused(R"("until": { "figure": "time_s", "half_width": -0.1 })", "/montecarlo/until/half_width",
                "a fraction from 0 to 1");
  check_refused(R"("until": { "figure": "time_s", "half_width": "1%" })", "/montecarlo/until/half_width",
                "did you mean \"0.01\"?");
  check_refused(R"("replicates": 1000, "until": { "figure": "time_s", "half_width": 0.1, "at_most": 999 })",
                "/montecarlo/until/at_most", "the first look is at 1000 replicates");
  check_refused(R"("until": { "figure": "time_s", "half_width": 0.1, "at_most": 500 })", "/montecarlo/until/at_most",
                "a whole number of at least 1000");
  check_refused(R"("until": { "figure": "time_s", "half_width": 0.1, "at_most": "2T" })", "/montecarlo/until/at_most",
                "from 1 to 1000000000");
  check_refused(R"("until": { "figure": "time_s", "halfwidth": 0.1, "half_width": 0.1 })",
                "/montecarlo/until/halfwidth", "unknown field");
  check_refused(R"("until": 0.01)", "/montecarlo/until", "expects an object");
  check_refused(R"("half_width": 0.01)", "/montecarlo/half_width", "it belongs under montecarlo.until");
}

}  // namespace fleetcast::scenarios
