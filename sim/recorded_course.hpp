#pragma once
// A recording that trials play, each from its own place: what its value is at a moment of the trial, and when it
// changes next.
#include <cstdint>
#include <optional>
#include <vector>

#include "models/recording.hpp"
#include "scenarios/scenario.hpp"
#include "sim/draws.hpp"
#include "sim/kernel/time.hpp"

namespace fleetcast::sim {

/// A stretch of the calendar, seconds since 1970.
struct Calendar {
  double from_utc_s = 0.0, to_utc_s = 0.0;
};

class RecordedCourse {
 public:
  using AtEnd = scenarios::Replay::AtEnd;

  /// `window_s` in [0, length): where every trial starts; nothing: anywhere, drawn once a trial with `entity`.
  RecordedCourse(const models::Recording& recording, std::optional<double> window_s, std::uint32_t entity,
                 AtEnd at_end);

  /// Where this trial starts, on the recording's own clock.
  [[nodiscard]] kernel::Duration window(const Draws& draws) const;

  /// Value at a moment of a trial that started at `window`.
  [[nodiscard]] double value(kernel::Duration window, kernel::Time now) const;
  /// The first moment after `now` at which the value changes, or never.
  [[nodiscard]] kernel::Time next_change(kernel::Duration window, kernel::Time now) const;
  /// Integral of the value over seconds of the trial.
  [[nodiscard]] double integral(kernel::Duration window, kernel::Time from, kernel::Time to) const;
  /// The moment at which the recording is over for good; never if it repeats or its last value holds.
  [[nodiscard]] kernel::Time end(kernel::Duration window) const;

  [[nodiscard]] const models::Recording& recording() const { return recording_; }
  [[nodiscard]] bool is_random() const { return !window_; }
  [[nodiscard]] AtEnd at_end() const { return at_end_; }

 private:
  /// A place on the recording's clock: whole passes before it, and nanoseconds into its own.
  struct Place {
    std::int64_t passes, within;
  };
  [[nodiscard]] Place place(kernel::Duration window, kernel::Time now) const;
  [[nodiscard]] std::size_t index_at(std::int64_t within) const;
  [[nodiscard]] double integral_to(const Place& place) const;

  models::Recording recording_;
  std::optional<kernel::Duration> window_;
  std::uint32_t entity_;
  AtEnd at_end_;
  std::int64_t length_ns_;
  std::vector<std::int64_t> at_ns_;      ///< of each change
  std::vector<double> integral_before_;  ///< from the start to each change
  double integral_of_all_ = 0.0;
};

}  // namespace fleetcast::sim
