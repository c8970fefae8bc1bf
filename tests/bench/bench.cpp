// How fast a trial is, as ratios against the bare event loop in the same run: CPU time, interleaved repetitions, the
// median of each. A ratio of events/s says what the generality costs, a ratio of replicates/s what it buys.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "sim/trial.hpp"
#include "tests/bench/bare_loop.hpp"
#include "tests/support/yardstick.hpp"

namespace fleetcast::tests {
namespace {

using scenarios::Grain;

constexpr int repetitions = 5;

void count(benchmark::State& state, std::uint64_t events) {
  state.counters["events"] = benchmark::Counter(static_cast<double>(events), benchmark::Counter::kIsRate);
  state.counters["replicates"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
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
void node_grain(benchmark::State& state) {
  play(state, Grain::node);
}
void span_grain(benchmark::State& state) {
  play(state, Grain::span);
}

/// Keeps the counters of every run, by name.
class Collector final : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      for (const auto& [counter, value] : run.counters)
        values_[run.run_name.function_name + run.run_name.args + counter].push_back(value);
    }
    ConsoleReporter::ReportRuns(runs);
  }
  [[nodiscard]] double median(const std::string& name) {
    std::vector<double>& values = values_[name];
    if (values.empty()) return 0.0;
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
  }

 private:
  std::map<std::string, std::vector<double>> values_;
};

void print_ratios(Collector& collector) {
  std::puts("\nagainst the bare loop       N   ratio   wanted");
  const auto line = [&](const char* what, const char* grain, const char* nodes, const char* counter, double wanted) {
    const double ratio = collector.median(std::string{grain} + nodes + counter) /
                         collector.median(std::string{"bare"} + nodes + counter);
    std::printf("%-24s %4s %7.2f %8.2f\n", what, nodes, ratio, wanted);
  };
  line("node grain, events/s", "node_grain", "16", "events", 0.6);
  line("node grain, events/s", "node_grain", "256", "events", 0.6);
  line("span grain, replicates/s", "span_grain", "16", "replicates", 300.0);
  line("span grain, replicates/s", "span_grain", "256", "replicates", 300.0);
}

}  // namespace
}  // namespace fleetcast::tests

int main(int argc, char** argv) {
  using namespace fleetcast::tests;
  using Function = void (*)(benchmark::State&);
  const std::pair<const char*, Function> all[] = {
      {"bare", bare}, {"node_grain", node_grain}, {"span_grain", span_grain}};
  for (const auto& [name, function] : all) {
    benchmark::RegisterBenchmark(name, function)
        ->Arg(16)
        ->Arg(256)
        ->Unit(benchmark::kMillisecond)
        ->Repetitions(repetitions);
  }
  std::vector<char*> arguments{argv, argv + argc};
  std::string interleaved = "--benchmark_enable_random_interleaving=true";
  arguments.push_back(interleaved.data());
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector);
  print_ratios(collector);
}
