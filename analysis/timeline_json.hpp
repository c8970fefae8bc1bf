#pragma once
// A timeline as Chrome trace-event JSON, which Perfetto (ui.perfetto.dev) and chrome://tracing show.
//
// Times are whole microseconds. A process is the job (1) or a pool, a thread is a track. Events of one track are
// sorted. What carries `gpu_s` is booked: over all events these figures sum to the accounts of the trial, in
// GPU-seconds.
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "analysis/timeline.hpp"
#include "sim/outcome.hpp"

namespace fleetcast::analysis {

/// Which trial it is, for the reader of the file.
struct TimelineSource {
  std::string scenario;
  std::uint64_t seed = 0;
  std::uint32_t trial = 0;
};

using TextSink = std::function<void(std::string_view)>;

/// Hands the file to the sink piece by piece; pass on its exceptions. The timeline must fit.
void write_timeline(const Timeline& timeline, const sim::Plan& plan, const TimelineSource& source,
                    const sim::Outcome& outcome, const TextSink& sink);

}  // namespace fleetcast::analysis
