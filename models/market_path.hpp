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
  /// What a period differs from the fitted one, in normal units: N(0, sd^2), one draw a trial; zones of a region share
  /// `regional` of it.
  static double climate(const MarketKey& key, double sd, double regional);

  /// `market` must outlive the path, and its fast layer must have weight. `start_utc_h` is the hour of the day at
  /// second 0; `offset` is added to x all the time: the climate, which is not added otherwise.
  MarketPath(const LayeredMarket& market, const MarketKey& key, double start_utc_h = 0.0, double offset = 0.0);

  /// Nodes that can be held from `since_s` until `next_s`.
  [[nodiscard]] int capacity() const { return capacity_; }
  [[nodiscard]] double since_s() const { return since_s_; }
  /// When capacity changes next, and to what; infinity for a market that never changes. In a very quiet market it is
  /// only known so far that nothing changes until then: the capacity is the same.
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
  /// Where the fast layer, in units of its sd, leaves the level as it is; and the chances to lie outside.
  struct Band {
    double low = 0.0, high = 0.0, below = 0.0, above = 0.0;
  };

  void add_slow(double scale, double mean_gap_s, std::uint32_t entity);
  void renew(Process& process);
  [[nodiscard]] double slow_sum() const;
  [[nodiscard]] int level_of(double x) const;
  void find_band();
  void settle_fast(Stream& bits);
  void leave_band(Stream& bits);
  [[nodiscard]] Process* earliest_slow();
  void change_level();
  void move_slow(Process* process, double at_s, Stream& bits);
  void move_fast(double fast, double lost, double back, Stream& bits);
  void find_next();

  const LayeredMarket& market_;
  MarketKey key_;
  double offset_;
  double hour_;  ///< of the day, whole, counted on
  double fast_ = 0.0, fast_scale_ = 0.0, fast_gap_s_ = 1.0, fast_since_s_ = 0.0;
  std::array<Process, 2 * market_layer_count> slow_{};
  std::size_t slow_count_ = 0;
  double next_hour_s_ = 0.0;  ///< when `hour_` turns; never without a daily swing
  double now_s_ = 0.0, slow_now_ = 0.0;
  Band band_;
  int level_ = 0, alone_ = 0;  ///< nodes that the level allows; of them lost alone and not yet back
  std::uint32_t steps_ = 0;
  int capacity_ = 0;
  double since_s_ = 0.0;
  Change next_;
};

}  // namespace fleetcast::models
