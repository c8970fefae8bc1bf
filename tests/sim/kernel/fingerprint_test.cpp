#include "sim/kernel/fingerprint.hpp"

#include <doctest/doctest.h>

#include <initializer_list>
#include <set>

namespace fleetcast::sim::kernel {

std::uint64_t fingerprint_of(std::initializer_list<std::uint64_t> words) {
  Fingerprint fingerprint;
  for (const std::uint64_t word : words) fingerprint.add(word);
  return fingerprint.value();
}

TEST_CASE("The fingerprint depends on the words, their order and their number") {
  CHECK(fingerprint_of({1, 2}) == fingerprint_of({1, 2}));
  CHECK(fingerprint_of({1, 2}) != fingerprint_of({2, 1}));
  CHECK(fingerprint_of({1, 2}) != fingerprint_of({1, 3}));
  CHECK(fingerprint_of({1, 2}) != fingerprint_of({1, 2, 0}));
  CHECK(fingerprint_of({}) != fingerprint_of({0}));
}

TEST_CASE("A time counts as its nanoseconds") {
  Fingerprint of_time;
  of_time.add(Time{42});
  CHECK(of_time.value() == fingerprint_of({42}));
}

TEST_CASE("The algorithm is pinned") {
  // Worked out apart from the code, with Python's integers.
  CHECK(fingerprint_of({}) == 0x243F6A8885A308D3);
  CHECK(fingerprint_of({1, 2, 3}) == 0x3A740D7336B91E8F);
}

TEST_CASE("Two hundred thousand short trajectories have as many fingerprints") {
  std::set<std::uint64_t> seen;
  for (std::uint64_t a = 0; a < 64; ++a)
    for (std::uint64_t b = 0; b < 64; ++b)
      for (std::uint64_t c = 0; c < 49; ++c) seen.insert(fingerprint_of({a, b << 20, c << 58}));
  CHECK(seen.size() == 64 * 64 * 49);
}

}  // namespace fleetcast::sim::kernel
