#pragma once
// The random values of one trial, by what they are for.
#include <cstdint>

#include "models/random/distribution.hpp"
#include "models/random/stream.hpp"

namespace fleetcast::sim {

using models::Purpose;

class Draws {
 public:
  Draws(std::uint64_t seed, std::uint32_t trial) : seed_{seed}, trial_{trial} {}

  [[nodiscard]] models::Stream stream(Purpose purpose, std::uint32_t entity, std::uint32_t sample) const {
    return models::Stream{{seed_, trial_, purpose, entity, sample}};
  }
  [[nodiscard]] double value(const models::Distribution& law, Purpose purpose, std::uint32_t entity,
                             std::uint32_t sample) const {
    if (const auto* constant = std::get_if<models::Constant>(&law)) return constant->value;
    models::Stream bits = stream(purpose, entity, sample);
    return models::sample(law, bits);
  }
  [[nodiscard]] double normal(Purpose purpose, std::uint32_t entity, std::uint32_t sample) const {
    models::Stream bits = stream(purpose, entity, sample);
    return models::unit_normal(bits);
  }
  [[nodiscard]] double exponential(Purpose purpose, std::uint32_t entity, std::uint32_t sample) const {
    models::Stream bits = stream(purpose, entity, sample);
    return models::unit_exponential(bits);
  }
  [[nodiscard]] double uniform(Purpose purpose, std::uint32_t entity, std::uint32_t sample) const {
    models::Stream bits = stream(purpose, entity, sample);
    return models::unit_uniform(bits);
  }

  [[nodiscard]] std::uint64_t seed() const { return seed_; }
  [[nodiscard]] std::uint32_t trial() const { return trial_; }

 private:
  std::uint64_t seed_;
  std::uint32_t trial_;
};

}  // namespace fleetcast::sim
