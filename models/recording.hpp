#pragma once
// A quantity recorded over time: it keeps its value until the next change.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fleetcast::models {

struct RecordedChange {
  double at_s = 0.0;  ///< from the start of the recording
  double value = 0.0;
};

/// Changes in the order of time, the first at 0, each to another value than before; the last value holds until
/// length_s > 0.
struct Recording {
  std::string name;  ///< of the file
  std::vector<RecordedChange> changes;
  double length_s = 0.0;
  std::optional<double> start_utc_s;  ///< seconds since 1970 if the recording states its calendar
  std::uint32_t key = 0;              ///< of the content: equal recordings share their random windows
};

/// The value at a time in [0, length_s).
double value_at(const Recording& recording, double time_s);
/// Mean over the whole length.
double mean_value(const Recording& recording);
/// Share of the length in which the value is at least this.
double share_at_least(const Recording& recording, double value);
/// The longest stretch in which the value is at least this, s; one that runs over the seam from the end to the start
/// counts as one, and one that never ends is infinite.
double longest_at_least(const Recording& recording, double value);
/// How often the value falls from at least `value` to below it, the seam from the end to the start included.
std::size_t falls_below(const Recording& recording, double value);

/// The part from `from_s` to `to_s` as a recording of its own, 0 <= from_s < to_s <= length_s.
Recording part_of(const Recording& recording, double from_s, double to_s);
/// The same with values above `most` cut to it, and changes that are none left out.
Recording capped(const Recording& recording, double most);

}  // namespace fleetcast::models
