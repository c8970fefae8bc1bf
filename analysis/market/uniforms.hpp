#pragma once
// Random numbers for the controls, which no strategy shares with another: the same on every machine.
#include <cmath>
#include <cstdint>
#include <random>

#include "models/random/deterministic_math.hpp"

namespace fleetcast::analysis {

class Uniforms {
 public:
  explicit Uniforms(std::uint64_t seed) : engine_{seed} {}
  /// In (0, 1).
  double next() {
    constexpr double unit = 1.0 / 9007199254740992.0;  // 2^-53
    return (static_cast<double>(engine_() >> 11U) + 0.5) * unit;
  }
  /// Trials up to and with the first success of chance 0 < p <= 1.
  double geometric(double p) { return p >= 1.0 ? 1.0 : std::ceil(models::det::log(next()) / models::det::log1p(-p)); }

 private:
  std::mt19937_64 engine_;
};

}  // namespace fleetcast::analysis
