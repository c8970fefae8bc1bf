#pragma once
#include <cstdint>

#include "sim/kernel/time.hpp"

namespace fleetcast::sim::kernel {

/// A running 64-bit hash of a trajectory: the same on every machine, sensitive to order, not meant against forgery.
/// Per word w: h = (h xor w) * 0x9E3779B97F4A7C15 mod 2^64, then h = h xor (h >> 32). The first h is
/// 0x243F6A8885A308D3 (fraction of pi). Each step is invertible, so two trajectories of one length that differ in
/// one word never collide.
class Fingerprint {
 public:
  constexpr void add(std::uint64_t word) {
    hash_ = (hash_ ^ word) * 0x9E3779B97F4A7C15;
    hash_ ^= hash_ >> 32;
  }
  constexpr void add(Time time) { add(static_cast<std::uint64_t>(time.nanoseconds())); }
  [[nodiscard]] constexpr std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0x243F6A8885A308D3;
};

}  // namespace fleetcast::sim::kernel
