// The timeline of a trial: it changes nothing, shows all, and can be read.
#include "analysis/timeline_json.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "analysis/timeline_recorder.hpp"
#include "sim/trial.hpp"
#include "tests/analysis/trace_reading.hpp"
#include "tests/sim/random_plans.hpp"
#include "tests/sim/story.hpp"

namespace fleetcast::tests {
namespace {

using analysis::Timeline;
using analysis::TimelineOptions;
using analysis::TimelineRecorder;
using sim::Time;

constexpr std::uint64_t seed = 5;

struct Traced {
  Outcome outcome;
  Timeline timeline;
  std::string text;
  TraceJson file;
};

Traced trace(const Plan& plan, const TimelineOptions& options = {}, std::uint32_t trial = 0) {
  Traced traced;
  TimelineRecorder recorder{plan, options};
  traced.outcome = run_trial(plan, seed, trial, recorder);
  traced.timeline = recorder.take();
  analysis::write_timeline(traced.timeline, plan, {"a scenario", seed, trial}, traced.outcome,
                           [&](std::string_view piece) { traced.text += piece; });
  traced.file = TraceJson::parse(traced.text);
  return traced;
}

TimelineOptions window(double from_s, double to_s) {
  TimelineOptions options;
  options.from = Time::from_seconds(from_s);
  options.to = Time::from_seconds(to_s);
  return options;
}

Plan of_grain(Plan plan, Grain grain) {
  plan.grain = grain;
  return plan;
}

/// Sums in another order than the meter's: the last bits differ.
bool agrees(double shown, double booked) {
  return std::abs(shown - booked) <= 1e-9 * std::max(1.0, std::abs(booked));
}

void check_accounts_shown(const Traced& traced) {
  std::map<std::string, double> shown = shown_gpu_seconds(traced.file);
  for (std::size_t i = 0; i < sim::account_count; ++i) {
    CAPTURE(sim::account_names[i]);
    const double sum = shown[std::string{sim::account_names[i]}];
    CHECK_MESSAGE(agrees(sum, traced.outcome.account_gpu_s[i]), sum, " ", traced.outcome.account_gpu_s[i]);
  }
}

/// GPU-seconds of the single steps on the tracks of the nodes, by what they show.
std::map<std::string, double> step_gpu_seconds(const Traced& traced, const Plan& plan) {
  std::map<std::string, double> sums;
  for (std::size_t pool = 0; pool < plan.pools.size(); ++pool) {
    for (const TraceJson& event : events_of(traced.file, 2 + static_cast<int>(pool), "", "X")) {
      if (event["cat"] != "step") continue;
      sums[event["name"]] += event["dur"].get<double>() / 1e6 * plan.pools[pool].gpus_per_node;
    }
  }
  return sums;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

/// A life of 50 s that begins at 4 s: steps from 17, a save from 37 to 42, a reclaim at 54, in the middle of step 32.
Plan short_lives() {
  Plan plan = steady_plan(1);
  plan.pools[0].lifetime = Constant{50.0};
  return plan;
}

}  // namespace

TEST_CASE("a watched trial is the trial, and what is shown sums to its accounts: 200 random plans, both grains") {
  int lossy = 0, leaving = 0;
  for (std::uint32_t number = 0; number < 200; ++number) {
    for (const Grain grain : {Grain::node, Grain::span}) {
      const Plan plan = of_grain(RandomPlans{number}.make(), grain);
      CAPTURE(number);
      const Traced traced = trace(plan, {}, number % 3);
      CHECK(traced.outcome == run_trial(plan, seed, number % 3));
      check_accounts_shown(traced);
      const std::vector<std::string> faults = format_faults(traced.file);
      CHECK_MESSAGE(faults.empty(), faults.front());
      CHECK(last_of_counter(traced.file, "kept steps") == traced.outcome.kept_steps);
      CHECK(last_of_counter(traced.file, "cost so far, USD") == doctest::Approx(traced.outcome.held_usd));
      CHECK(last_of_counter(traced.file, "held nodes") <= 0.0);
      CHECK(events_of(traced.file, 1, "stops", "i").size() ==
            traced.outcome.stops + traced.outcome.planned_stops + traced.outcome.losses_during_restart + 1);
      lossy += booked(traced.outcome, Account::lost_work) > 0.0;
      for (const analysis::NodeSlice& slice : traced.timeline.nodes)
        leaving += slice.does == analysis::NodeDoes::leaving;
    }
  }
  CHECK(lossy > 50);
  CHECK(leaving > 5);
}

TEST_CASE("with single steps too: the file stays readable, and what the nodes show of them sums to the accounts") {
  int compared = 0, jittery = 0;
  for (std::uint32_t number = 0; number < 100; ++number) {
    for (const Grain grain : {Grain::node, Grain::span}) {
      const Plan plan = of_grain(RandomPlans{number}.make(), grain);
      CAPTURE(number);
      const Traced traced = trace(plan, window(0.0, 1e9));
      CHECK(traced.outcome == run_trial(plan, seed, 0));
      check_accounts_shown(traced);
      const std::vector<std::string> faults = format_faults(traced.file);
      CHECK_MESSAGE(faults.empty(), faults.front());
      if (grain != Grain::node || booked(traced.outcome, Account::lost_work) > 0.0) continue;
      std::map<std::string, double> shown = step_gpu_seconds(traced, plan);
      // Both ends of a slice are rounded to a microsecond.
      const double rounding = 1e-6 * static_cast<double>(plan.gpus) * (traced.outcome.kept_steps + 1.0);
      CHECK(std::abs(shown["compute"] - booked(traced.outcome, Account::compute)) <= rounding);
      CHECK(std::abs(shown["straggler wait"] - booked(traced.outcome, Account::straggler_wait)) <= rounding);
      CHECK(std::abs(shown["exchange"] - booked(traced.outcome, Account::exposed_communication)) <= rounding);
      CHECK(std::abs(shown["pipeline bubble"] - booked(traced.outcome, Account::pipeline_bubble)) <= rounding);
      CHECK(std::abs(shown["data wait"] - booked(traced.outcome, Account::data_stall)) <= rounding);
      ++compared;
      jittery += booked(traced.outcome, Account::straggler_wait) > 1.0;
    }
  }
  CHECK(compared > 15);
  CHECK(jittery > 5);
}

TEST_CASE("a run without trouble: phases, intervals and the final save where they belong") {
  const Traced traced = trace(of_grain(steady_plan(1), Grain::span));
  const auto phases = events_of(traced.file, 1, "phases", "X");
  REQUIRE(phases.size() == 3);
  CHECK(phases[0]["name"] == "waiting for nodes");
  CHECK(phases[1]["name"] == "start-up");
  CHECK(phases[1]["ts"] == 7'000'000);
  CHECK(phases[2]["name"] == "running");
  CHECK(phases[2]["ts"] == 17'000'000);
  CHECK(phases[2]["dur"] == 125'000'000);
  const auto work = events_of(traced.file, 1, "steps and saves", "X");
  REQUIRE(work.size() == 4);
  CHECK(work[0]["name"] == "3 times 20 steps and a save");
  CHECK(work[1]["name"] == "20 steps and a save");
  CHECK(work[1]["ts"] == 92'000'000);
  CHECK(work[2]["name"] == "20 steps");
  CHECK(work[3]["name"] == "final save");
  CHECK(work[3]["ts"] == 137'000'000);
  const auto node = events_of(traced.file, 2, "node 0", "X");
  REQUIRE(node.size() == 4);
  CHECK(node[0]["name"] == "asked for");
  CHECK(node[1]["name"] == "boot and image");
  CHECK(node[1]["args"]["gpu_s"]["start_up"] == 3.0);
  CHECK(!node[3]["args"].contains("gpu_s"));
}

TEST_CASE("inside the window steps of a span are equal parts of it and say so; outside there are none") {
  const Traced traced = trace(of_grain(steady_plan(1), Grain::span), window(36.0, 43.5));
  std::vector<std::string> shown;
  for (const TraceJson& event : events_of(traced.file, 1, "steps and saves", "X")) {
    if (event["cat"] == "interpolated") shown.push_back(event["name"]);
  }
  CHECK(joined(shown) == "20 steps, step 19, save, 20 steps, step 20, step 21");
}

TEST_CASE("in the node grain the steps of the window are those of the trial, not interpolated") {
  const Traced traced = trace(of_grain(steady_plan(2), Grain::node), window(36.0, 43.5));
  std::vector<std::string> shown;
  for (const TraceJson& event : events_of(traced.file, 1, "steps and saves", "X")) {
    CHECK(event["cat"] != "interpolated");
    if (event["cat"] == "step") shown.push_back(event["name"]);
  }
  CHECK(joined(shown) == "step 19, step 20, step 21");
}

TEST_CASE("a reclaim in the middle: the stop has its cause, and what it cost is shown as lost") {
  for (const Grain grain : {Grain::span, Grain::node}) {
    const Traced traced = trace(of_grain(short_lives(), grain));
    const auto stops = events_of(traced.file, 1, "stops", "i");
    CHECK(stops.front()["name"] == "stop: reclaim");
    CHECK(stops.front()["ts"] == 54'000'000);
    CHECK(stops.back()["name"] == "finished");
    const auto work = events_of(traced.file, 1, "steps and saves", "X");
    CHECK(work[0]["name"] == "20 steps");
    CHECK(work[1]["name"] == "save");
    CHECK(work[2]["name"] == (grain == Grain::node ? "12 steps, lost" : "about 12 steps, lost"));
    CHECK(work[2]["ts"] == 42'000'000);
    CHECK(work[2]["args"]["gpu_s"]["lost_work"] == 12.0);
    CHECK(events_of(traced.file, 2, "pool pool0", "i").front()["name"] == "reclaim (1 node)");
    CHECK(events_of(traced.file, 2, "node 0", "i").front()["name"] == "reclaim");
  }
}

TEST_CASE("fewer nodes: their tracks are gone, the job is the same") {
  Plan plan = steady_plan(1, 3);
  TimelineOptions options;
  options.nodes = 1;
  const Traced all = trace(plan), one = trace(plan, options);
  CHECK(events_of(all.file, 2, "node 2", "X").size() == 4);
  CHECK(events_of(one.file, 2, "node 0", "X").size() == 4);
  CHECK(events_of(one.file, 2, "node 1", "X").empty());
  CHECK(events_of(one.file, 1, "", "X") == events_of(all.file, 1, "", "X"));
  CHECK(one.outcome == all.outcome);
}

TEST_CASE("the size is known beforehand, about; beyond the limit nothing is kept and the estimate goes on") {
  for (const Grain grain : {Grain::span, Grain::node}) {
    Plan plan = of_grain(steady_plan(1, 8), grain);
    plan.steps = 20'000;
    TimelineOptions options = window(0.0, 1e9);
    const Traced traced = trace(plan, options);
    const auto size = static_cast<double>(traced.text.size()),
               estimate = static_cast<double>(traced.timeline.estimated_bytes);
    CHECK_MESSAGE(std::abs(estimate / size - 1.0) < 0.2, estimate, " ", size);
    options.most_bytes = 100'000;
    TimelineRecorder recorder{plan, options};
    CHECK(run_trial(plan, seed, 0, recorder) == traced.outcome);
    const Timeline cut = recorder.take();
    CHECK(!cut.fits());
    CHECK(cut.estimated_bytes == traced.timeline.estimated_bytes);
    CHECK(cut.steps.size() < traced.timeline.steps.size() + 1);
    CHECK_THROWS_AS(analysis::write_timeline(cut, plan, {}, traced.outcome, [](std::string_view) {}),
                    models::ContractError);
  }
}

TEST_CASE("names with quotes, backslashes and broken UTF-8 are written as JSON") {
  Plan plan = steady_plan(1);
  plan.name = "a \"b\" \\ c\n\xff";
  const Traced traced = trace(plan);
  CHECK(traced.file["otherData"]["strategy"] == "a \"b\" \\ c\n\xef\xbf\xbd");
  CHECK(format_faults(traced.file).empty());
}

TEST_CASE("control: each fault of the format and a wrong account are noticed") {
  const Traced traced = trace(short_lives());
  const auto with = [&](const std::string& kind, const auto& change) {
    TraceJson file = traced.file;
    for (TraceJson& event : file["traceEvents"]) {
      if (event["ph"] != kind) continue;
      change(event);
      break;
    }
    return file;
  };
  CHECK(format_faults(traced.file).empty());
  CHECK(!format_faults(with("X", [](TraceJson& event) { event["ph"] = "Q"; })).empty());
  CHECK(!format_faults(with("X", [](TraceJson& event) { event["tid"] = 77; })).empty());
  CHECK(!format_faults(with("X", [](TraceJson& event) { event["ts"] = 1e9; })).empty());
  CHECK(!format_faults(with("X", [](TraceJson& event) { event["dur"] = 8'000'000; })).empty());
  CHECK(!format_faults(with("X", [](TraceJson& event) {
           event = {{"ph", "b"}, {"pid", 1}, {"tid", 1}, {"ts", 0}, {"cat", "a"}, {"id", "1"}, {"name", "x"}};
         })).empty());
  CHECK(!format_faults(with("i", [](TraceJson& event) { event.erase("s"); })).empty());
  const double lost = booked(traced.outcome, Account::lost_work);
  CHECK(!agrees(lost * (1.0 + 1e-6), lost));
}

}  // namespace fleetcast::tests
