// What a user waits for: a replicate of every strategy of a scenario, on one core.
#include "scenarios/catalog_reader.hpp"
#include "scenarios/reader.hpp"
#include "sim/plan.hpp"
#include "sim/trial.hpp"
#include "tests/bench/bench.hpp"

namespace fleetcast::tests {
namespace {

const char* const names[] = {"quickstart", "llama3-405b-54-days"};
constexpr int repetitions = 3;

void replicate(benchmark::State& state, const std::string& name) {
  const models::Catalog& catalog = scenarios::built_in_catalog();
  const std::string path = std::string{FLEETCAST_SOURCE_DIR} + "/scenarios/gallery/" + name + ".json";
  const scenarios::ScenarioFile file = scenarios::read_scenario_file(path, catalog, {});
  const std::vector<sim::Plan> plans = sim::make_plans(file, catalog);
  std::uint64_t events = 0;
  std::uint32_t trial = 0;
  for (auto _ : state) {
    for (const sim::Plan& plan : plans) events += sim::run_trial(plan, file.montecarlo.seed, trial).events;
    ++trial;
  }
  using benchmark::Counter;
  state.counters["events"] = Counter(static_cast<double>(events), Counter::kIsRate);
  state.counters["replicates"] = Counter(static_cast<double>(state.iterations()), Counter::kIsRate);
}

}  // namespace

void register_gallery() {
  for (const std::string name : names) {
    benchmark::RegisterBenchmark(name.c_str(), [name](benchmark::State& state) { replicate(state, name); })
        ->Unit(benchmark::kMillisecond)
        ->Repetitions(repetitions);
  }
}

Rows gallery_rows(Collector& collector) {
  Rows rows;
  for (const std::string name : names) rows.push_back({name, "", collector.median(name, "replicates"), "repl/s"});
  return rows;
}

}  // namespace fleetcast::tests
