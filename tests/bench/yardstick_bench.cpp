// A ratio of events/s says what the generality costs, a ratio of replicates/s what a coarser grain buys.
#include "sim/trial.hpp"
#include "tests/bench/bare_loop.hpp"
#include "tests/bench/bench.hpp"
#include "tests/support/yardstick.hpp"

namespace fleetcast::tests {
namespace {

using scenarios::Grain;

struct Played {
  std::string name;
  Grain grain;
  const char* counter;
  double wanted;  ///< times the bare loop
};

/// A grain more is a line more.
const Played grains[] = {
    {"node", Grain::node, "events", 0.7},
    {"step", Grain::step, "replicates", 15.0},
    {"span", Grain::span, "replicates", 500.0},
};

struct Size {
  int nodes;
  int repetitions;
};
/// A trial of 4,096 nodes takes seconds.
constexpr Size sizes[] = {{16, 5}, {256, 5}, {4096, 3}};

void count(benchmark::State& state, std::uint64_t events) {
  using benchmark::Counter;
  state.counters["events"] = Counter(static_cast<double>(events), Counter::kIsRate);
  state.counters["replicates"] = Counter(static_cast<double>(state.iterations()), Counter::kIsRate);
}

void bare(benchmark::State& state) {
  BareLoop loop{static_cast<int>(state.range(0)), 7};
  std::uint64_t events = 0;
  for (auto _ : state) events += loop.run().events;
  count(state, events);
}

void play(benchmark::State& state, Grain grain) {
  const sim::Plan plan = yardstick_plan(static_cast<int>(state.range(0)), grain);
  std::uint64_t events = 0;
  std::uint32_t trial = 0;
  for (auto _ : state) events += sim::run_trial(plan, 1, trial++).events;
  count(state, events);
}

}  // namespace

void register_yardstick() {
  for (const auto& [nodes, repetitions] : sizes) {
    const auto add = [=](const std::string& name, auto function) {
      benchmark::RegisterBenchmark(name.c_str(), function)
          ->Arg(nodes)
          ->Unit(benchmark::kMillisecond)
          ->Repetitions(repetitions);
    };
    add("bare", bare);
    for (const Played& each : grains)
      add(each.name, [grain = each.grain](benchmark::State& state) { play(state, grain); });
  }
}

Rows yardstick_rows(Collector& collector) {
  Rows rows;
  for (const Played& each : grains) {
    for (const Size& size : sizes) {
      const std::string nodes = std::to_string(size.nodes);
      const double ratio = collector.ratio(each.name + "/" + nodes, "bare/" + nodes, each.counter);
      rows.push_back(
          {each.name + " grain, " + each.counter + "/s to bare", nodes, ratio, "x", Wanted::at_least, each.wanted});
    }
  }
  return rows;
}

}  // namespace fleetcast::tests
