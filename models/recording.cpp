#include "models/recording.hpp"

#include <algorithm>
#include <limits>

#include "models/errors.hpp"

namespace fleetcast::models {
namespace {

/// Calls visit(value, seconds) for every stretch.
template <class Visit>
void for_each_stretch(const Recording& recording, Visit visit) {
  const std::vector<RecordedChange>& changes = recording.changes;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const double end = i + 1 < changes.size() ? changes[i + 1].at_s : recording.length_s;
    visit(changes[i].value, end - changes[i].at_s);
  }
}

void append(std::vector<RecordedChange>& changes, RecordedChange change) {
  if (changes.empty() || changes.back().value != change.value) changes.push_back(change);
}

Recording without_changes(const Recording& recording) {
  return {recording.name, {}, recording.length_s, recording.start_utc_s, recording.key};
}

}  // namespace

double value_at(const Recording& recording, double time_s) {
  const auto after = std::upper_bound(recording.changes.begin(), recording.changes.end(), time_s,
                                      [](double time, const RecordedChange& change) { return time < change.at_s; });
  require(after != recording.changes.begin(), "a recording has no value before its start");
  return std::prev(after)->value;
}

double mean_value(const Recording& recording) {
  double sum = 0.0;
  for_each_stretch(recording, [&](double value, double seconds) { sum += value * seconds; });
  return sum / recording.length_s;
}

double share_at_least(const Recording& recording, double value) {
  double sum = 0.0;
  for_each_stretch(recording, [&](double held, double seconds) { sum += held >= value ? seconds : 0.0; });
  return sum / recording.length_s;
}

double longest_at_least(const Recording& recording, double value) {
  if (share_at_least(recording, value) == 1.0) return std::numeric_limits<double>::infinity();
  double longest = 0.0, present = 0.0;
  // Twice around, so that a stretch over the seam is seen whole.
  for (int round = 0; round < 2; ++round) {
    for_each_stretch(recording, [&](double held, double seconds) {
      present = held >= value ? present + seconds : 0.0;
      longest = std::max(longest, present);
    });
  }
  return longest;
}

std::size_t falls_below(const Recording& recording, double value) {
  std::size_t falls = 0;
  bool above = recording.changes.back().value >= value;
  for (const RecordedChange& change : recording.changes) {
    if (above && change.value < value) ++falls;
    above = change.value >= value;
  }
  return falls;
}

Recording part_of(const Recording& recording, double from_s, double to_s) {
  require(0.0 <= from_s && from_s < to_s && to_s <= recording.length_s, "part of a recording beyond its ends");
  Recording part = without_changes(recording);
  part.length_s = to_s - from_s;
  if (part.start_utc_s) *part.start_utc_s += from_s;
  part.changes.push_back({0.0, value_at(recording, from_s)});
  for (const RecordedChange& change : recording.changes) {
    if (change.at_s > from_s && change.at_s < to_s) append(part.changes, {change.at_s - from_s, change.value});
  }
  return part;
}

Recording capped(const Recording& recording, double most) {
  Recording result = without_changes(recording);
  for (const RecordedChange& change : recording.changes)
    append(result.changes, {change.at_s, std::min(change.value, most)});
  return result;
}

}  // namespace fleetcast::models
