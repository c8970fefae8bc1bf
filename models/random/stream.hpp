#pragma once
// Streams of random bits, keyed by what they are for. Two trials, purposes, entities or samples never share a
// number, and how many numbers one sample consumes never shifts another (common random numbers).
#include <cstdint>
#include <limits>

#include "models/errors.hpp"
#include "models/random/philox.hpp"

namespace fleetcast::models {

/// What a number is drawn for. Values are part of the results: never reuse or renumber one.
enum class Purpose : std::uint32_t {
  // environment: the same for every strategy
  calibration = 1,     ///< error of the speed model
  failure_rate = 2,    ///< uncertain rate of a failure cause; entity: cause
  lifetime_scale = 3,  ///< not drawn any more; the number stays taken
  window = 4,          ///< where a trial starts in a recording; entity: the recording, 0 for all of one calendar
  uncertain = 5,       ///< a value of the scenario that is unknown but fixed; entity: which
  bootstrap = 6,       ///< resampling of recordings for an interval; trial: the resample
  market_climate = 7,  ///< what a period differs from the calibrated one; entity: zone or region
  market_layer = 8,    ///< new values of a market's layers; entity: zone or region and layer
  market_change = 9,   ///< what else a market draws; entity: zone
  market_hour = 10,    ///< hour of the day at which a trial starts
  regime = 11,         ///< stays and order of regimes; entity: zone
  price = 12,          ///< course of a price; entity: zone
  // entity draws; entity: slot of the node, sample: its incarnation
  lifetime = 16,
  failure_time = 17,
  failure_cause = 18,
  notice = 19,
  bulk = 20,
  wait = 21,
  boot = 22,
  image = 23,
  repair = 24,
  launch = 25,
  regime_lifetime = 26,  ///< sample: how many regimes have begun
  // of the gang; sample: running number
  step_jitter = 32,  ///< entity: slot, sample: step attempt
  step_time = 33,
  exchange = 34,
  span = 35,
  detect = 36,
  restart_part = 37,  ///< entity: part
  checkpoint_blocked = 38,
  checkpoint_persist = 39,
  checkpoint_load = 40,
  software_failure = 41,
  bulk_victims = 42,
  bad_node = 43,             ///< entity: slot, sample: incarnation
  failure_time_again = 44,   ///< of a node that goes on after an error that nobody saw; entity: slot
  failure_cause_again = 45,  ///< the same
  error_found = 46,          ///< until a silent error is found; sample: running number
  resume = 47,               ///< whether saves can be read; sample: restart
  returns = 48,              ///< which nodes come back after a disaster; entity: slot, sample: incarnation
  test = 255
};

/// Which sample this is. Sample numbers must stay below 2^26.
struct StreamKey {
  std::uint64_t seed = 0;
  std::uint32_t trial = 0;
  Purpose purpose = Purpose::test;
  std::uint32_t entity = 0;
  std::uint32_t sample = 0;
};

/// A uniform random bit generator over the block of 128 numbers that belongs to one key.
/// Throws ContractError when the block is used up (a sampler that never stops) or the key is out of range.
class Stream {
 public:
  using result_type = std::uint64_t;
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }

  explicit Stream(const StreamKey& key)
      : counter_{key.sample << block_bits, key.entity, key.trial, static_cast<std::uint32_t>(key.purpose)},
        key_{static_cast<std::uint32_t>(key.seed), static_cast<std::uint32_t>(key.seed >> 32)} {
    if (key.sample >> (32 - block_bits) != 0) overflow();
  }

  result_type operator()() {
    if (have_second_) {
      have_second_ = false;
      return second_;
    }
    if (used_ == block_size) overflow();
    const PhiloxCounter bits = philox4x32(counter_, key_);
    ++counter_[0];
    ++used_;
    second_ = bits[2] | std::uint64_t{bits[3]} << 32;
    have_second_ = true;
    return bits[0] | std::uint64_t{bits[1]} << 32;
  }

 private:
  static constexpr std::uint32_t block_bits = 6;
  static constexpr std::uint32_t block_size = 1U << block_bits;
  [[noreturn]] static void overflow() {
    throw ContractError{"random stream: a sample number or the block of one sample ran over"};
  }

  PhiloxCounter counter_;
  PhiloxKey key_;
  std::uint64_t second_ = 0;
  std::uint32_t used_ = 0;
  bool have_second_ = false;
};

}  // namespace fleetcast::models
