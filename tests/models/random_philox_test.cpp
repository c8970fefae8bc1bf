#include <doctest/doctest.h>

#include "models/random/philox.hpp"
#include "models/random/stream.hpp"

namespace fleetcast::models {

TEST_CASE("Philox4x32-10 gives the published known answers") {
  // Random123 1.14 (D. E. Shaw Research), tests/kat_vectors, lines "philox4x32 10".
  CHECK(philox4x32({0, 0, 0, 0}, {0, 0}) == PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  constexpr std::uint32_t ones = 0xffffffff;
  CHECK(philox4x32({ones, ones, ones, ones}, {ones, ones}) ==
        PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("Philox is worked out by the compiler where its arguments are known") {
  static_assert(philox4x32({0, 0, 0, 0}, {0, 0})[0] == 0x6627e8d5);
}

TEST_CASE("A stream hands out the words of its counters, low word first") {
  const StreamKey key{.seed = 0x0123456789abcdef, .trial = 7, .purpose = Purpose::wait, .entity = 9, .sample = 3};
  Stream stream{key};
  for (std::uint32_t block = 0; block < 3; ++block) {
    const PhiloxCounter words = philox4x32({3 * 64 + block, 9, 7, 21}, {0x89abcdef, 0x01234567});
    CHECK(stream() == (std::uint64_t{words[1]} << 32 | words[0]));
    CHECK(stream() == (std::uint64_t{words[3]} << 32 | words[2]));
  }
}

}  // namespace fleetcast::models
