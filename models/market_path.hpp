#pragma once
// One course of a market: capacity change by change. The cost of a stretch grows with its visible changes and with the
// new values of the slow layers (about one an hour), not with those of the fast layer.
#include <array>
#include <cstdint>

#include "models/market.hpp"
#include "models/random/stream.hpp"

namespace fleetcast::models {

/// Which random numbers a course takes: the same zone in the same trial sees the same weather in every strategy.
struct MarketKey {
  std::uint64_t seed = 0;
  std::uint32_t trial = 0;
  std::uint32_t zone = 0;    ///< of zone and kind of machine
  std::uint32_t region = 0;  ///< of region and kind of machine: what its zones have in common
};

class MarketPath {
 public:
  /// `market` must outlive the path. `start_utc_h` is the hour of the day at second 0.
  MarketPath(const LayeredMarket& market, const MarketKey& key, double start_utc_h = 0.0);

  /// Climate of this trial, normal units; with `sd` the market's, or 0 to leave it out.
  static double climate(const MarketKey& key, double sd);

  /// Adds this to x; before the first `advance` only. The climate is not added unless it is given here.
  void set_offset(double offset);

  /// Nodes that can be held from `since_s` until `next_s`.
  [[nodiscard]] int capacity() const { return capacity_; }
  [[nodiscard]] double since_s() const { return since_s_; }
  /// When capacity changes next, and to what; infinity for a market that never changes.
  [[nodiscard]] double next_s() const { return next_.at_s; }
  [[nodiscard]] int next_capacity() const { return next_.capacity; }
  /// The next change has come.
  void advance();

 private:
  struct Process {
    double value = 0.0, scale = 0.0, mean_gap_s = 1.0, next_s = 0.0;
    std::uint32_t entity = 0, draws = 0;
  };
  struct Change {
    double at_s = 0.0;
    int capacity = 0;
  };
  /// What the fast layer may be without changing the level.
  struct Band {
    double low, high;   ///< in units of its sd
    double below, above;  ///< probabilities outside of it
  };

  void find_next();
  void begin();
  void renew(Process& process);
  [[nodiscard]] std::size_t earliest_slow() const;
  [[nodiscard]] double slow_sum(double at_s) const;
  [[nodiscard]] int level_of(double x) const;
  void enter_band();
  void settle_fast(double at_s);
  void leave_band(Stream& bits);
  [[nodiscard]] double fast_change_rate() const;

  const LayeredMarket& market_;
  MarketKey key_;
  double start_utc_h_;
  double offset_ = 0.0;
  double fast_scale_ = 0.0, fast_gap_s_ = 1.0;
  double fast_ = 0.0, fast_since_s_ = 0.0;
  std::array<Process, 2 * market_layer_count> slow_{};
  std::size_t slow_count_ = 0;
  double next_hour_s_ = 0.0;  ///< next step of the daily swing
  Band band_{};
  double slow_now_ = 0.0, now_s_ = 0.0;
  int level_ = 0, alone_ = 0;  ///< nodes that the level allows; of them lost alone
  std::uint32_t steps_ = 0;
  int capacity_ = 0;
  double since_s_ = 0.0;
  Change next_{};
};

}  // namespace fleetcast::models
