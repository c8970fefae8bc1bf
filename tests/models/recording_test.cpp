// Recordings: a step function of time, by hand.
#include "models/recording.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "models/errors.hpp"

namespace fleetcast::tests {
namespace {

using models::Recording;

/// 4 for 10 s, 0 for 5 s, 3 for 25 s, 4 for 60 s.
Recording by_hand() {
  return {"by hand", {{0.0, 4.0}, {10.0, 0.0}, {15.0, 3.0}, {40.0, 4.0}}, 100.0, 1000.0, 7};
}

}  // namespace

TEST_CASE("a value holds until the next change") {
  const Recording recording = by_hand();
  CHECK(value_at(recording, 0.0) == 4.0);
  CHECK(value_at(recording, 9.999) == 4.0);
  CHECK(value_at(recording, 10.0) == 0.0);
  CHECK(value_at(recording, 99.0) == 4.0);
  CHECK_THROWS_AS(value_at(recording, -1.0), models::ContractError);
}

TEST_CASE("means, shares, longest stretches and falls") {
  const Recording recording = by_hand();
  CHECK(mean_value(recording) == (40.0 + 0.0 + 75.0 + 240.0) / 100.0);
  CHECK(share_at_least(recording, 4.0) == 0.7);
  CHECK(share_at_least(recording, 3.0) == 0.95);
  CHECK(share_at_least(recording, 5.0) == 0.0);
  CHECK(longest_at_least(recording, 4.0) == 70.0);  // over the seam
  CHECK(longest_at_least(recording, 3.0) == 95.0);
  CHECK(std::isinf(longest_at_least(recording, 0.0)));
  CHECK(falls_below(recording, 4.0) == 1);
  CHECK(falls_below(recording, 1.0) == 1);
  CHECK(falls_below(recording, 5.0) == 0);
}

TEST_CASE("a fall at the seam counts") {
  const Recording recording{"", {{0.0, 1.0}, {5.0, 4.0}}, 10.0, {}, 0};
  CHECK(falls_below(recording, 4.0) == 1);
}

TEST_CASE("a part keeps its values and its calendar") {
  const Recording part = part_of(by_hand(), 12.0, 50.0);
  CHECK(part.length_s == 38.0);
  CHECK(part.start_utc_s == 1012.0);
  REQUIRE(part.changes.size() == 3);
  CHECK(part.changes[0].value == 0.0);
  CHECK(part.changes[1].at_s == 3.0);
  CHECK(part.changes[2].at_s == 28.0);
  CHECK_THROWS_AS(part_of(by_hand(), 50.0, 120.0), models::ContractError);
}

TEST_CASE("capped, changes that are none are left out") {
  const Recording capped_at_3 = capped(by_hand(), 3.0);
  REQUIRE(capped_at_3.changes.size() == 3);
  CHECK(capped_at_3.changes[2].value == 3.0);
  CHECK(share_at_least(capped_at_3, 3.0) == share_at_least(by_hand(), 3.0));
}

}  // namespace fleetcast::tests
