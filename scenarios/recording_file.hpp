#pragma once
// Recorded capacity and recorded prices, from files in the form of public spot traces.
#include <optional>
#include <string>
#include <vector>

#include "models/recording.hpp"

namespace fleetcast::scenarios {

/// What a stretch without samples means.
enum class Gaps { unchanged, down };

struct RecordingForm {
  std::string column;              ///< of the value: "capacity", "usd_per_hour"
  bool whole = false;              ///< the values are counts
  std::vector<std::string> wrong;  ///< columns that say the opposite, such as "preempted"
  Gaps gaps = Gaps::unchanged;
};

/// What the "# key: value" lines say, word for word; "" where a key is missing.
struct RecordingHead {
  std::string source, provider, zone, instance, start;
  std::string kind;                    ///< "held ...", "probe ...", or what the collector says
  std::optional<double> interval_s;    ///< between samples; nothing for recordings of events
  std::optional<double> max_capacity;  ///< what was asked for
};

struct RecordingFile {
  models::Recording recording;
  RecordingHead head;
  std::vector<std::string> notes;  ///< odd but possible: merged rows, gaps, a head that disagrees with the rows
};

RecordingForm capacity_form(Gaps gaps);
RecordingForm price_form(std::string column);

/// Reads rows of a time and a value. Time: `time_s` in seconds, or `time` as dates with an offset from UTC. With
/// "form: step function" in the head (or without `interval_s`) a row stands for a change and the last one marks the
/// end; else rows are samples every `interval_s`, and where one is missing there is a gap.
/// Throws InputError with file and line for rows out of order, contradicting rows of one time, values that are no
/// number or negative, dates without offset, and a column of the wrong polarity.
RecordingFile read_recording(const std::string& path, const RecordingForm& form);

}  // namespace fleetcast::scenarios
