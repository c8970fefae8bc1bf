// The two classic mixes at a steady number of waiting events. Hold: take the earliest, schedule another (Jones, "An
// empirical comparison of priority-queue and event-set implementations", CACM 29, 1986). Cancel: beside each hold, one
// event that waits is cancelled and another scheduled, as when a failure voids what a machine was doing.
#include <cmath>
#include <random>

#include "tests/bench/bench.hpp"
#include "tests/bench/lazy_queue.hpp"

namespace fleetcast::tests {
namespace {

using sim::kernel::Duration;
using sim::kernel::Handle;

/// As large as an event of the simulator.
struct Event {
  std::uint64_t owner, more = 0;
};
using Heap = sim::kernel::EventQueue<Event>;
using Lazy = LazyQueue<Event>;

constexpr int pending[] = {16, 256, 4096, 65536};
constexpr int repetitions = 5;

/// Exponential times with a mean of one second, drawn before the clock runs.
class Times {
 public:
  Times() : drawn_(size) {
    std::mt19937_64 engine{7};
    for (Duration& each : drawn_)
      each = Duration::from_seconds(-std::log1p(-static_cast<double>(engine() >> 11) * 0x1p-53));
    for (std::uint64_t& each : numbers_) each = engine();
  }
  Duration next() { return drawn_[at_++ % size]; }
  std::uint64_t number() { return numbers_[at_ % size]; }

 private:
  static constexpr std::size_t size = 1 << 14;
  std::vector<Duration> drawn_;
  std::vector<std::uint64_t> numbers_ = std::vector<std::uint64_t>(size);
  std::size_t at_ = 0;
};

template <class Queue, bool cancels>
void mix(benchmark::State& state) {
  Queue queue;
  Times times;
  std::vector<Handle> handles;
  const auto waiting = static_cast<std::uint64_t>(state.range(0));
  const auto schedule = [&](std::uint64_t owner) {
    return queue.schedule(queue.now() + times.next(), 0, Event{owner});
  };
  for (std::uint64_t owner = 0; owner < waiting; ++owner) handles.push_back(schedule(owner));
  for (auto _ : state) {
    const std::uint64_t owner = queue.next()->event.owner;
    handles[owner] = schedule(owner);
    if constexpr (cancels) {
      const std::uint64_t other = times.number() % waiting;
      queue.cancel(handles[other]);
      handles[other] = schedule(other);
    }
  }
  state.counters["rounds"] = benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

}  // namespace

void register_queue() {
  const std::pair<const char*, void (*)(benchmark::State&)> all[] = {{"hold_heap", mix<Heap, false>},
                                                                     {"hold_lazy", mix<Lazy, false>},
                                                                     {"cancel_heap", mix<Heap, true>},
                                                                     {"cancel_lazy", mix<Lazy, true>}};
  for (const auto& [name, function] : all) {
    for (const int size : pending)
      benchmark::RegisterBenchmark(name, function)->Arg(size)->MinTime(0.2)->Repetitions(repetitions);
  }
}

Rows queue_rows(Collector& collector) {
  Rows rows;
  for (const std::string mix : {"hold", "cancel"}) {
    for (const int size : pending) {
      const std::string waiting = std::to_string(size);
      const double ratio = collector.ratio(mix + "_heap/" + waiting, mix + "_lazy/" + waiting, "rounds");
      // Tens to thousands of waiting events are what the queue is for.
      const Wanted wanted = size <= 4096 ? Wanted::at_least : Wanted::nothing;
      rows.push_back({mix + ", rounds/s to priority_queue", waiting, ratio, "x", wanted, 1.0});
    }
  }
  return rows;
}

}  // namespace fleetcast::tests
