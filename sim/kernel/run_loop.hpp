#pragma once
#include <cstdint>
#include <limits>

#include "sim/kernel/time.hpp"

namespace fleetcast::sim::kernel {

/// What a handler says after an event.
enum class Flow { go_on, stop };

/// Why a run ended.
enum class Ending { nothing_left, handler_stopped, time_limit, event_limit };

struct RunLimits {
  Time until = Time::never();  ///< events at this very time are still handled
  std::uint64_t events = std::numeric_limits<std::uint64_t>::max();
};

struct RunResult {
  Ending ending = Ending::nothing_left;
  std::uint64_t events = 0;  ///< handled by this run
};

/// Hands the events to `handler` (Flow handler(Queue::Occurrence&)) one by one. An event beyond a limit stays in the
/// queue, so a run can be continued. With several reasons to end, the first of: handler, nothing left, time, events.
template <class Queue, class Handler>
RunResult run(Queue& queue, Handler&& handler, const RunLimits& limits = {}) {
  for (RunResult result;; ++result.events) {
    const Time time = queue.next_time();
    if (time == Time::never()) return {Ending::nothing_left, result.events};
    if (time > limits.until) return {Ending::time_limit, result.events};
    if (result.events == limits.events) return {Ending::event_limit, result.events};
    auto occurrence = queue.next();
    if (handler(*occurrence) == Flow::stop) return {Ending::handler_stopped, result.events + 1};
  }
}

}  // namespace fleetcast::sim::kernel
