#pragma once
// The saves that the store still keeps, and what of the work was kept when each became usable: how far back a run is
// thrown that cannot use the newest.
#include <cstdint>
#include <deque>

#include "sim/meter.hpp"

namespace fleetcast::sim {

class SaveHistory {
 public:
  struct Save {
    std::uint64_t position = 0;
    Bookings work;  ///< that it makes durable, with all before
  };

  /// `most`: saves that the store keeps; -1: all.
  explicit SaveHistory(std::int64_t most) : most_{most} {}

  void add(const Save& save);
  /// `count` saves at equal distances after `before`, `last` the last of them.
  void add_run(std::uint64_t count, const Save& before, const Save& last);
  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// The newest, or the beginning of the run if there is none.
  [[nodiscard]] Save newest() const;
  /// Drops as many of the newest, or all.
  void drop(std::uint64_t saves);
  /// Drops those after this position.
  void drop_after(std::uint64_t position);

 private:
  /// Saves first ... last (from 1) of so many between two states. One save is a run of one.
  struct Run {
    Save before, after;
    std::uint64_t total = 1, first = 1, last = 1;
    [[nodiscard]] std::uint64_t count() const { return last - first + 1; }
    [[nodiscard]] Save save(std::uint64_t number) const;
  };
  void drop_oldest(std::uint64_t saves);

  std::int64_t most_;
  std::deque<Run> runs_;
  std::uint64_t count_ = 0;
};

}  // namespace fleetcast::sim
