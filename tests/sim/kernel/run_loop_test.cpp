#include "sim/kernel/run_loop.hpp"

#include <doctest/doctest.h>

#include <string>

#include "sim/kernel/event_queue.hpp"
#include "sim/kernel/fingerprint.hpp"

namespace fleetcast::sim::kernel {

using Letters = EventQueue<char>;

Letters three_events() {
  Letters queue;
  queue.schedule(Time{10}, 0, 'a');
  queue.schedule(Time{20}, 0, 'b');
  queue.schedule(Time{30}, 0, 'c');
  return queue;
}

/// Runs and returns the letters that were handled; `result` says how it ended.
std::string handled(Letters& queue, const RunLimits& limits, RunResult& result, char stop_at = '-') {
  std::string letters;
  result = run(
      queue,
      [&](const Letters::Occurrence& occurrence) {
        letters += occurrence.event;
        return occurrence.event == stop_at ? Flow::stop : Flow::go_on;
      },
      limits);
  return letters;
}

TEST_CASE("A run without limits handles everything") {
  Letters queue = three_events();
  RunResult result;
  CHECK(handled(queue, {}, result) == "abc");
  CHECK(result.ending == Ending::nothing_left);
  CHECK(result.events == 3);
}

TEST_CASE("An event at the time limit is handled, one a nanosecond later is not, and the run can go on") {
  Letters queue = three_events();
  RunResult result;
  CHECK(handled(queue, {.until = Time{19}}, result) == "a");
  CHECK(result.ending == Ending::time_limit);
  CHECK(handled(queue, {.until = Time{20}}, result) == "b");
  CHECK(queue.now() == Time{20});
  CHECK(handled(queue, {.until = Time{30}}, result) == "c");
  CHECK(result.ending == Ending::nothing_left);
}

TEST_CASE("The event limit leaves the next event in the queue") {
  Letters queue = three_events();
  RunResult result;
  CHECK(handled(queue, {.events = 2}, result) == "ab");
  CHECK(result.ending == Ending::event_limit);
  CHECK(result.events == 2);
  CHECK(queue.next_time() == Time{30});
  CHECK(handled(queue, {.events = 1}, result) == "c");
  CHECK(result.ending == Ending::nothing_left);
  CHECK(handled(queue, {.events = 0}, result).empty());
}

TEST_CASE("The handler's word ends the run after the event it was said about") {
  Letters queue = three_events();
  RunResult result;
  CHECK(handled(queue, {}, result, 'b') == "ab");
  CHECK(result.ending == Ending::handler_stopped);
  CHECK(result.events == 2);
  CHECK(queue.size() == 1);
}

TEST_CASE("An event scheduled for the present by the handler is handled in the same run") {
  Letters queue = three_events();
  std::string letters;
  run(queue, [&](const Letters::Occurrence& occurrence) {
    letters += occurrence.event;
    if (occurrence.event == 'a') queue.schedule(queue.now(), 0, 'x');
    return Flow::go_on;
  });
  CHECK(letters == "axbc");
}

std::uint64_t trajectory(std::int64_t first, std::int64_t second) {
  Letters queue;
  queue.schedule(Time{first}, 0, 'a');
  queue.schedule(Time{second}, 0, 'b');
  Fingerprint fingerprint;
  run(queue, [&](const Letters::Occurrence& occurrence) {
    fingerprint.add(occurrence.time);
    fingerprint.add(static_cast<std::uint64_t>(occurrence.event));
    return Flow::go_on;
  });
  return fingerprint.value();
}

TEST_CASE("Swapped events and a nanosecond's difference change the fingerprint of a trajectory") {
  CHECK(trajectory(10, 20) == trajectory(10, 20));
  CHECK(trajectory(10, 20) != trajectory(20, 10));
  CHECK(trajectory(10, 20) != trajectory(10, 21));
}

}  // namespace fleetcast::sim::kernel
