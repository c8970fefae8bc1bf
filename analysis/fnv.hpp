#pragma once
// A hash that is the same on every machine. Guards against mix-ups and damage, not against attack.
#include <cstdint>
#include <string_view>

namespace fleetcast::analysis {

/// FNV-1a, 64 bits (Fowler, Noll and Vo; draft-eastlake-fnv).
constexpr std::uint64_t fnv1a(std::string_view bytes) {
  std::uint64_t value = 0xcbf29ce484222325U;
  for (const char byte : bytes) value = (value ^ static_cast<unsigned char>(byte)) * 0x100000001b3U;
  return value;
}

}  // namespace fleetcast::analysis
