// The stopping rule: exact values on both sides of its limit, and what it makes of trials that do not finish.
#include "analysis/stopping.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "analysis/moments.hpp"
#include "models/errors.hpp"

using namespace fleetcast::analysis;
using fleetcast::scenarios::RuleFigure;
using fleetcast::scenarios::Until;
using Of = WidthReached::Of;

namespace {

/// Mean 10 and a spread of 1 up and down in turn: half width t(n - 1) / sqrt(n - 1).
FigureSample swinging(std::uint32_t trials, std::uint32_t unfinished = 0) {
  FigureSample sample;
  for (std::uint32_t trial = 0; trial < trials; ++trial) sample.add(trial % 2 == 0 ? 9.0 : 11.0, trial >= unfinished);
  return sample;
}
double swinging_width(std::uint32_t trials) {
  return student_t_975(trials - 1) / std::sqrt(trials - 1.0) / 10.0;
}

Until rule(double half_width, std::int64_t at_most = 1'000'000) {
  return {RuleFigure::cost_usd, half_width, at_most, false};
}

Look look(const Until& until, const std::vector<FigureSample>& samples) {
  return look_at(until, samples);
}

/// Plays samples that are swinging; records what it was asked for.
struct Player {
  std::vector<std::uint32_t> ends, expected;
  std::vector<std::uint32_t> strategies_unfinished{0};
  std::uint32_t stop_before = 4'000'000'000;

  TrialSource source() {
    return {[this](std::uint32_t first, std::uint32_t end, std::uint32_t likely) {
              CHECK(first == (ends.empty() ? 0 : ends.back()));
              if (end >= stop_before) return false;
              ends.push_back(end);
              expected.push_back(likely);
              return true;
            },
            [this] {
              std::vector<FigureSample> samples;
              for (const std::uint32_t unfinished : strategies_unfinished)
                samples.push_back(swinging(ends.back(), unfinished));
              return samples;
            }};
  }
};

using Counts = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("a look is met when half of the interval over the mean is within the limit, equality included") {
  const double width = swinging_width(400);
  const Look at = look(rule(width * (1 + 1e-12)), {swinging(400)});
  CHECK(at.met);
  CHECK(at.trials == 400);
  REQUIRE(at.widths[0].relative_width);
  CHECK(*at.widths[0].relative_width == doctest::Approx(width).epsilon(1e-12));
  CHECK(look(rule(*at.widths[0].relative_width), {swinging(400)}).met);
  CHECK_FALSE(look(rule(std::nextafter(*at.widths[0].relative_width, 0.0)), {swinging(400)}).met);
}

TEST_CASE("the widest strategy decides") {
  FigureSample wide;
  for (int i = 0; i < 400; ++i) wide.add(i % 2 == 0 ? 5.0 : 15.0, true);
  const double limit = 1.1 * swinging_width(400);
  CHECK(look(rule(limit), {swinging(400), swinging(400)}).met);
  const Look both = look(rule(limit), {swinging(400), wide});
  CHECK_FALSE(both.met);
  CHECK(both.widths[0].narrow);
  CHECK_FALSE(both.widths[1].narrow);
}

TEST_CASE("unfinished trials: judged by the lower limit; a strategy that never finishes is not judged") {
  const Look some = look(rule(0.5), {swinging(200, 3)});
  CHECK(some.widths[0].of == Of::mean_at_least);
  CHECK(some.met);
  CHECK_FALSE(look(rule(0.001), {swinging(200, 3)}).met);
  const Look none = look(rule(0.001), {swinging(200, 200)});
  CHECK(none.widths[0].of == Of::nothing);
  CHECK_FALSE(none.widths[0].relative_width);
  CHECK(none.met);
  CHECK_FALSE(look(rule(0.001), {swinging(200, 200), swinging(200)}).met);
}

TEST_CASE("no cost at all is known exactly; a mean of zero with a spread is not known relatively") {
  FigureSample nothing, both_signs;
  for (int i = 0; i < 200; ++i) {
    nothing.add(0.0, true);
    both_signs.add(i % 2 == 0 ? 1.0 : -1.0, true);
  }
  CHECK(look(rule(1e-9), {nothing}).met);
  CHECK(*look(rule(1e-9), {nothing}).widths[0].relative_width == 0.0);
  CHECK_FALSE(look(rule(1.0), {both_signs}).met);
}

TEST_CASE("an interval that a few trials dominate is not narrow enough, whatever the limit") {
  FigureSample sample = swinging(999);
  sample.add(1e6, true);
  const Look at = look(rule(1.0), {sample});
  CHECK_FALSE(at.met);
  CHECK_FALSE(at.widths[0].relative_width);
}

TEST_CASE("99 trials are never enough, 100 are") {
  CHECK_FALSE(look(rule(1.0), {swinging(1)}).met);
  CHECK_FALSE(look(rule(1.0), {swinging(99)}).met);
  CHECK(look(rule(1.0), {swinging(100)}).met);
}

TEST_CASE("the rule looks at doublings only and stops at the first that meets it") {
  // Within 1 %: t(n - 1) / sqrt(n - 1) <= 0.1 from n = 388 on (for even n).
  Player player;
  const auto stopping = play_until(rule(0.01), 50, player.source());
  REQUIRE(stopping);
  CHECK(player.ends == Counts{50, 100, 200, 400});
  CHECK(stopping->looks == 4);
  CHECK(stopping->last.met);
  CHECK(stopping->last.trials == 400);
  Player at_once;
  CHECK(play_until(rule(0.01), 388, at_once.source())->looks == 1);
  Player just_not;
  CHECK(play_until(rule(0.01), 386, just_not.source())->last.trials == 772);
}

TEST_CASE("at_most ends the run, also between doublings, and says that the rule was not met") {
  Player player;
  const auto stopping = play_until(rule(0.001, 700), 100, player.source());
  REQUIRE(stopping);
  CHECK(player.ends == Counts{100, 200, 400, 700});
  CHECK_FALSE(stopping->last.met);
  Player first_only;
  CHECK(play_until(rule(0.001, 100), 100, first_only.source())->looks == 1);
  Player first_met;
  CHECK(play_until(rule(0.5, 100), 100, first_met.source())->last.met);
}

TEST_CASE("a run whose strategies never finish ends at its first look of 100 trials or more") {
  Player player;
  player.strategies_unfinished = {4'000'000, 4'000'000};
  CHECK(play_until(rule(1e-6), 30, player.source())->last.trials == 120);
}

TEST_CASE("an interrupted run has no end") {
  Player player;
  player.stop_before = 400;
  CHECK_FALSE(play_until(rule(0.001), 100, player.source()));
  CHECK(player.ends == Counts{100, 200});
}

TEST_CASE("the expected end follows the square root law, within at_most, and is a doubling") {
  Player player;
  REQUIRE(play_until(rule(0.01), 50, player.source()));
  CHECK(player.expected == Counts{50, 800, 400, 400});
  const Look at = look(rule(0.01, 300), {swinging(100)});
  CHECK(expected_trials(rule(0.01, 300), at) == 300);
  CHECK(expected_trials(rule(0.5), look(rule(0.5), {swinging(30)})) == 120);
  FigureSample dominated = swinging(199);
  dominated.add(1e6, true);
  CHECK(expected_trials(rule(0.5), look(rule(0.5), {dominated})) == 400);
}

TEST_CASE("the three figures are those of the answer, and the text of a rule tells it apart from every other") {
  fleetcast::sim::Outcome outcome;
  outcome.cost_usd = 3.0;
  outcome.time_s = 5.0;
  outcome.held_gpu_s = 7200.0;
  CHECK(value_of(RuleFigure::cost_usd, outcome) == 3.0);
  CHECK(value_of(RuleFigure::time_s, outcome) == 5.0);
  CHECK(value_of(RuleFigure::gpu_hours, outcome) == 2.0);
  CHECK(rule_text(rule(0.01, 64000)) == "cost_usd within 0.01 of its mean, at most 64000 trials");
  CHECK(rule_text(rule(0.01)) != rule_text(rule(std::nextafter(0.01, 1.0))));
}

TEST_CASE("samples of different lengths, or none, are our bug") {
  CHECK_THROWS_AS(look(rule(0.1), {}), fleetcast::models::ContractError);
  CHECK_THROWS_AS(look(rule(0.1), {FigureSample{}}), fleetcast::models::ContractError);
  CHECK_THROWS_AS(look(rule(0.1), {swinging(100), swinging(101)}), fleetcast::models::ContractError);
}
