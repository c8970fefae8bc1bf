#pragma once
// The tracks of a timeline as a viewer shows them: one for each thing that the gang does, one per pool, one per node.
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "analysis/timeline.hpp"

namespace fleetcast::analysis {

/// One event of the trace-event format. `phase` is X (a slice), i (an instant), C (a counter), b or e (begin and end
/// of a slice that may overlap others).
struct TraceEvent {
  std::int64_t at_us = 0, length_us = 0;
  char phase = 'X';
  std::string name;
  std::string category;
  std::string arguments;  ///< a JSON object, or nothing
  std::uint64_t id = 0;   ///< of b and e
};

/// The events are sorted: by time, and what contains others before those.
struct TraceTrack {
  std::uint32_t process = 0, thread = 0;
  std::string name;
  std::vector<TraceEvent> events;
};

/// Process of the job; the pools follow in the order of the plan.
constexpr std::uint32_t job_process = 1;

using TrackSink = std::function<void(const TraceTrack&)>;

/// Each track once, the job's first. One is in memory at a time.
void job_tracks(const Timeline& timeline, const sim::Plan& plan, const TrackSink& sink);
void pool_tracks(const Timeline& timeline, const sim::Plan& plan, const TrackSink& sink);
void node_tracks(const Timeline& timeline, const sim::Plan& plan, const TrackSink& sink);

/// Whole microseconds, which every reader keeps exact.
std::int64_t microseconds(Time time);
void sort_events(TraceTrack& track);
/// A slice without arguments.
TraceEvent slice_of(Time from, Time to, std::string name, std::string category);
TraceEvent instant_of(Time when, std::string name, std::string arguments);
TraceEvent counter_of(Time when, std::string name, std::string arguments);
/// `{"gpu_s":{"idle":12.5}}` and the like: keys that need no escape, finite values.
std::string gpu_seconds_of(sim::Account account, double value);
std::string number_text(double value);

}  // namespace fleetcast::analysis
