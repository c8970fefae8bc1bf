#include "sim/kernel/event_queue.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

namespace fleetcast::sim::kernel {

using Letters = EventQueue<char>;

template <class Queue>
std::string drained(Queue& queue) {
  std::string order;
  while (const auto occurrence = queue.next()) order += occurrence->event;
  return order;
}

TEST_CASE("Events come out by time, whatever the order they went in") {
  Letters queue;
  for (const int ns : {5, 1, 4, 0, 3, 2}) queue.schedule(Time{ns}, 0, static_cast<char>('0' + ns));
  CHECK(drained(queue) == "012345");
}

TEST_CASE("One nanosecond decides before the priority does") {
  Letters queue;
  queue.schedule(Time{11}, 0, 'c');
  queue.schedule(Time{10}, 255, 'b');
  queue.schedule(Time{9}, 255, 'a');
  CHECK(drained(queue) == "abc");
}

TEST_CASE("At one time the smaller priority comes first, then what was scheduled first") {
  Letters queue;
  queue.schedule(Time{10}, 2, 'd');
  queue.schedule(Time{10}, 1, 'b');
  queue.schedule(Time{10}, 2, 'e');
  queue.schedule(Time{10}, 1, 'c');
  queue.schedule(Time{10}, 0, 'a');
  queue.schedule(Time{10}, 255, 'f');
  CHECK(drained(queue) == "abcdef");
}

TEST_CASE("An enum serves as priority and is handed back") {
  enum class Rank : std::uint8_t { first, second };
  EventQueue<char, Rank> queue;
  queue.schedule(Time{1}, Rank::second, 'b');
  queue.schedule(Time{1}, Rank::first, 'a');
  const auto occurrence = queue.next();
  REQUIRE(occurrence);
  CHECK(occurrence->priority == Rank::first);
  CHECK(occurrence->time == Time{1});
  CHECK(occurrence->event == 'a');
}

TEST_CASE("The clock shows the time of the event that was taken out last") {
  Letters queue;
  CHECK(queue.now() == Time{});
  queue.schedule(Time{7}, 0, 'a');
  CHECK(queue.now() == Time{});
  queue.next();
  CHECK(queue.now() == Time{7});
  CHECK_FALSE(queue.next());
  CHECK(queue.now() == Time{7});
}

TEST_CASE("Now is not past, one nanosecond before is") {
  Letters queue;
  CHECK_THROWS_AS(queue.schedule(Time{-1}, 0, 'x'), std::logic_error);
  queue.schedule(Time{100}, 0, 'a');
  const Handle later = queue.schedule(Time{200}, 0, 'b');
  queue.next();
  CHECK_THROWS_AS(queue.schedule(Time{99}, 0, 'x'), std::logic_error);
  CHECK_THROWS_AS(queue.reschedule(later, Time{99}), std::logic_error);
  CHECK(queue.size() == 1);
  queue.schedule(Time{100}, 0, 'c');
  CHECK(queue.reschedule(later, Time{100}));
  CHECK(drained(queue) == "cb");
}

TEST_CASE("Any of twenty waiting events can be cancelled") {
  for (int gone = 0; gone < 20; ++gone) {  // the root, the middle and the leaves
    Letters queue;
    std::vector<Handle> handles;
    std::string expected;
    for (int i = 0; i < 20; ++i) {
      const int ns = i * 7 % 20;
      handles.push_back(queue.schedule(Time{ns}, 0, static_cast<char>('a' + ns)));
    }
    for (int ns = 0; ns < 20; ++ns)
      if (ns != gone * 7 % 20) expected += static_cast<char>('a' + ns);
    CHECK(queue.cancel(handles[static_cast<std::size_t>(gone)]));
    CHECK(queue.size() == 19);
    CHECK(drained(queue) == expected);
  }
}

TEST_CASE("Any of twenty waiting events can be moved to any time") {
  for (int moved = 0; moved < 20; ++moved) {
    for (int target = 0; target <= 20; ++target) {
      Letters queue;
      std::vector<Handle> handles;
      for (int i = 0; i < 20; ++i) handles.push_back(queue.schedule(Time{10 * i}, 0, static_cast<char>('a' + i)));
      CHECK(queue.reschedule(handles[static_cast<std::size_t>(moved)], Time{10 * target - 5 + (target == 0 ? 5 : 0)}));
      std::string expected;
      for (int i = 0; i < 20; ++i) {
        // Time 0 is shared with 'a', and the moved event goes behind it.
        if (i == target && target > 0) expected += static_cast<char>('a' + moved);
        if (i != moved) expected += static_cast<char>('a' + i);
        if (i == 0 && target == 0) expected += static_cast<char>('a' + moved);
      }
      if (target == 20) expected += static_cast<char>('a' + moved);
      CHECK(drained(queue) == expected);
    }
  }
}

TEST_CASE("A moved event keeps its priority and goes behind its equals") {
  Letters queue;
  const Handle moved = queue.schedule(Time{1}, 5, 'm');
  queue.schedule(Time{10}, 6, 'd');
  queue.schedule(Time{10}, 5, 'b');
  queue.schedule(Time{10}, 4, 'a');
  CHECK(queue.reschedule(moved, Time{10}));
  CHECK(drained(queue) == "abmd");
}

TEST_CASE("The only event can be cancelled and moved") {
  Letters queue;
  const Handle first = queue.schedule(Time{5}, 0, 'a');
  CHECK(queue.reschedule(first, Time{9}));
  CHECK(queue.next_time() == Time{9});
  CHECK(queue.cancel(first));
  CHECK(queue.empty());
  CHECK_FALSE(queue.next());
  queue.schedule(Time{3}, 0, 'b');
  CHECK(drained(queue) == "b");
}

TEST_CASE("A handle is stale once its event was cancelled or handed out, even if the slot is used again") {
  Letters queue;
  const Handle cancelled = queue.schedule(Time{5}, 0, 'a');
  CHECK(queue.cancel(cancelled));
  CHECK_FALSE(queue.cancel(cancelled));
  const Handle handed_out = queue.schedule(Time{6}, 0, 'b');
  CHECK(handed_out.slot == cancelled.slot);
  queue.next();
  CHECK_FALSE(queue.waits(handed_out));
  const Handle waiting = queue.schedule(Time{7}, 0, 'c');
  CHECK_FALSE(queue.cancel(cancelled));
  CHECK_FALSE(queue.reschedule(handed_out, Time{8}));
  CHECK_FALSE(queue.cancel(Handle{}));
  CHECK(queue.waits(waiting));
  CHECK(queue.next_time() == Time{7});
  CHECK(queue.size() == 1);
}

TEST_CASE("While an event is handled, others can be cancelled, moved and scheduled in any mix") {
  Letters queue;
  queue.schedule(Time{1}, 0, 'a');
  const Handle b = queue.schedule(Time{2}, 0, 'b');
  const Handle c = queue.schedule(Time{3}, 0, 'c');
  queue.schedule(Time{4}, 0, 'd');
  queue.next();
  CHECK(queue.size() == 3);
  CHECK(queue.cancel(b));
  CHECK(queue.reschedule(c, Time{9}));
  queue.schedule(Time{5}, 0, 'e');
  queue.schedule(Time{1}, 0, 'f');
  CHECK(queue.size() == 4);
  CHECK(drained(queue) == "fdec");
}

TEST_CASE("A moved event with a smaller priority at this very time comes before what else is due now") {
  Letters queue;
  queue.schedule(Time{1}, 9, 'a');
  queue.schedule(Time{1}, 9, 'b');
  const Handle urgent = queue.schedule(Time{5}, 1, 'u');
  queue.next();
  CHECK(queue.reschedule(urgent, Time{1}));
  CHECK(drained(queue) == "ub");
}

TEST_CASE("An event at never waits and can be moved, but is not handed out") {
  Letters queue;
  const Handle parked = queue.schedule(Time::never(), 0, 'p');
  CHECK_FALSE(queue.next());
  CHECK(queue.next_time() == Time::never());
  CHECK(queue.size() == 1);
  CHECK(queue.reschedule(parked, Time{4}));
  CHECK(drained(queue) == "p");
}

TEST_CASE("The last time before never is an ordinary one") {
  Letters queue;
  queue.schedule(Time{Time::never().nanoseconds() - 1}, 255, 'z');
  CHECK(drained(queue) == "z");
}

TEST_CASE("A cleared queue starts anew and old handles are stale") {
  Letters queue;
  for (int i = 0; i < 9; ++i) queue.schedule(Time{50 + i}, 0, 'x');
  const Handle old = queue.schedule(Time{90}, 0, 'y');
  queue.next();
  queue.clear();
  CHECK(queue.empty());
  CHECK(queue.now() == Time{});
  CHECK_FALSE(queue.next());
  CHECK_FALSE(queue.cancel(old));
  queue.schedule(Time{2}, 0, 'b');
  queue.schedule(Time{1}, 0, 'a');
  CHECK_FALSE(queue.waits(old));
  CHECK(drained(queue) == "ab");
}

TEST_CASE("Events that can only be moved pass through unharmed") {
  EventQueue<std::unique_ptr<int>> queue;
  for (int i = 0; i < 50; ++i) queue.schedule(Time{50 - i}, 0, std::make_unique<int>(50 - i));
  int expected = 1;
  while (const auto occurrence = queue.next()) CHECK(*occurrence->event == expected++);
  CHECK(expected == 51);
}

TEST_CASE("Running out of sequence numbers renumbers the waiting events and keeps their order") {
  EventQueue<char, std::uint8_t, 4> queue;  // renumbers every 16 schedulings
  const Handle parked = queue.schedule(Time{900}, 0, 'x');
  for (int round = 0; round < 50; ++round) {
    for (const char letter : {'a', 'b', 'c', 'd', 'e'}) queue.schedule(Time{round + 1}, letter < 'c' ? 1 : 0, letter);
    std::string order;
    for (int i = 0; i < 5; ++i) order += queue.next()->event;
    CHECK(order == "cdeab");
  }
  CHECK(queue.waits(parked));
  CHECK(drained(queue) == "x");
}

TEST_CASE("More waiting events than sequence numbers are refused and nothing is lost") {
  EventQueue<int, std::uint8_t, 4> queue;
  for (int i = 0; i < 16; ++i) queue.schedule(Time{i}, 0, i);
  CHECK_THROWS_AS(queue.schedule(Time{99}, 0, 99), std::length_error);
  for (int i = 0; i < 16; ++i) CHECK(queue.next()->event == i);
  CHECK_FALSE(queue.next());
}

}  // namespace fleetcast::sim::kernel
