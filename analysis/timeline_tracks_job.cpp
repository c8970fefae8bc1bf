// Tracks of the job: phases, steps and saves, saves on their way, stops, and what it has cost and done so far.
#include <algorithm>
#include <array>

#include "analysis/timeline_tracks.hpp"
#include "models/random/distribution.hpp"

namespace fleetcast::analysis {
namespace {

enum JobThread : std::uint32_t { counters_thread, phases_thread, work_thread, persist_thread, stops_thread };
/// Between two changes of the fleet the cost grows evenly; so many points over the whole trial show that.
constexpr std::int64_t cost_points = 500;
constexpr const char* interpolated = "interpolated";

constexpr std::array<const char*, 6> phase_words{"waiting for nodes", "start-up", "running",
                                                 "detection",         "repair",   "over"};
constexpr std::array<const char*, 4> save_words{"save", "save on notice", "save before a planned stop", "final save"};
constexpr std::array<const char*, 4> stop_words{"stop", "stop after a saved notice", "planned stop",
                                                "loss during restart"};

TraceTrack job_track(JobThread thread, const char* name) {
  return {job_process, thread, name, {}};
}

TraceTrack phases_track(const Timeline& timeline) {
  TraceTrack track = job_track(phases_thread, "phases");
  for (const PhaseSlice& slice : timeline.phases) {
    track.events.push_back(slice_of(slice.from, slice.to, phase_words[static_cast<std::size_t>(slice.phase)], "phase"));
  }
  return track;
}

// --- steps and saves

std::string work_name(const WorkSlice& slice, bool exact) {
  const std::string lost = slice.fate == WorkSlice::Fate::lost ? ", lost" : "";
  if (slice.kind == WorkSlice::Kind::save) return save_words[static_cast<std::size_t>(slice.reason)] + lost;
  const std::string steps = std::to_string(slice.steps) + (slice.steps == 1 ? " step" : " steps");
  if (slice.kind == WorkSlice::Kind::steps) return (lost.empty() || exact ? "" : "about ") + steps + lost;
  const std::string each = std::to_string(slice.steps / slice.cycles) + " steps and a save";
  return (slice.cycles == 1 ? each : std::to_string(slice.cycles) + " times " + each) + lost;
}

std::string work_arguments(const WorkSlice& slice, const sim::Plan& plan) {
  std::string text = "{\"first_step\":" + std::to_string(slice.first_step) + ",";
  if (slice.fate == WorkSlice::Fate::lost) {
    const double gpu_s = (slice.to - slice.from).seconds() * static_cast<double>(plan.gpus);
    return text + gpu_seconds_of(sim::Account::lost_work, gpu_s) + "}";
  }
  text += "\"gpu_s\":{";
  const char* separator = "";
  for (std::size_t i = 0; i < sim::account_count; ++i) {
    if (slice.gpu_s[i] == 0.0) continue;
    text += separator + ("\"" + std::string{sim::account_names[i]} + "\":" + number_text(slice.gpu_s[i]));
    separator = ",";
  }
  return text + "}}";
}

/// Place `part` of `parts` equal ones between two times.
Time between(Time from, Time to, std::uint64_t part, std::uint64_t parts) {
  const auto length = static_cast<sim::GpuTime>((to - from).nanoseconds());
  return from + sim::Duration{static_cast<std::int64_t>(length * part / parts)};
}

/// The numbers of the equal parts that lie in the window, at least in part: [first, last).
struct PartRange {
  std::uint64_t first = 0, last = 0;
};
PartRange parts_in_window(Time from, Time to, std::uint64_t parts, const TimelineOptions& window) {
  if (parts == 0 || !(from < window.to && window.from < to)) return {};
  const auto length = static_cast<sim::GpuTime>((to - from).nanoseconds());
  const auto place = [&](Time time) {
    return static_cast<std::uint64_t>((time - from).nanoseconds() * static_cast<sim::GpuTime>(parts) / length);
  };
  const std::uint64_t first = window.from <= from ? 0 : place(window.from);
  const std::uint64_t last = to <= window.to ? parts : std::min(parts, place(window.to) + 1);
  return {first, last};
}

void add_equal_steps(TraceTrack& track, Time from, Time to, std::uint64_t first_step, std::uint64_t steps,
                     const TimelineOptions& window) {
  const PartRange range = parts_in_window(from, to, steps, window);
  for (std::uint64_t i = range.first; i < range.last; ++i) {
    track.events.push_back(slice_of(between(from, to, i, steps), between(from, to, i + 1, steps),
                                    "step " + std::to_string(first_step + i), interpolated));
  }
}

void add_interpolated(TraceTrack& track, Time from, Time to, std::string name, const TimelineOptions& window) {
  if (from < to && from < window.to && window.from < to)
    track.events.push_back(slice_of(from, to, std::move(name), interpolated));
}

/// Of each interval that part which its save takes.
double save_share(const WorkSlice& slice) {
  double all = 0.0;
  for (const double value : slice.gpu_s) all += value;
  return all > 0.0 ? slice.gpu_s[static_cast<std::size_t>(sim::Account::checkpoint_stall)] / all : 0.0;
}

/// Begin, end of the steps and end of the save of interval `i`.
std::array<Time, 3> interval_times(const WorkSlice& slice, std::uint64_t i) {
  const Time begin = between(slice.from, slice.to, i, slice.cycles),
             end = between(slice.from, slice.to, i + 1, slice.cycles);
  const double steps_ns = static_cast<double>((end - begin).nanoseconds()) * (1.0 - save_share(slice));
  return {begin, begin + sim::Duration{static_cast<std::int64_t>(steps_ns)}, end};
}

void add_intervals(TraceTrack& track, const WorkSlice& slice, const TimelineOptions& window) {
  const std::uint64_t each = slice.steps / slice.cycles;
  const PartRange range = parts_in_window(slice.from, slice.to, slice.cycles, window);
  for (std::uint64_t i = range.first; i < range.last; ++i) {
    const auto [begin, saved, end] = interval_times(slice, i);
    add_interpolated(track, begin, saved, std::to_string(each) + " steps", window);
    add_equal_steps(track, begin, saved, slice.first_step + i * each, each, window);
    add_interpolated(track, saved, end, "save", window);
  }
}

TraceTrack work_track(const Timeline& timeline, const sim::Plan& plan) {
  TraceTrack track = job_track(work_thread, "steps and saves");
  const bool exact = plan.grain == scenarios::Grain::node;
  for (const WorkSlice& slice : timeline.work) {
    TraceEvent event = slice_of(slice.from, slice.to, work_name(slice, exact), "work");
    event.arguments = work_arguments(slice, plan);
    track.events.push_back(std::move(event));
    if (exact) continue;
    if (slice.kind == WorkSlice::Kind::intervals) add_intervals(track, slice, timeline.options);
    if (slice.kind == WorkSlice::Kind::steps)
      add_equal_steps(track, slice.from, slice.to, slice.first_step, slice.steps, timeline.options);
  }
  for (const StepRecord& step : timeline.steps) {
    track.events.push_back(slice_of(step.start, step.end, "step " + std::to_string(step.number), "step"));
  }
  return track;
}

// --- saves on their way

void add_persists_of_intervals(TraceTrack& track, const WorkSlice& slice, const sim::Plan& plan,
                               const TimelineOptions& window) {
  const sim::Duration persist = sim::Duration::from_seconds(models::mean(plan.save.persist));
  const PartRange range = parts_in_window(slice.from, slice.to, slice.cycles, window);
  for (std::uint64_t i = range.first; i < range.last; ++i) {
    const Time begin = interval_times(slice, i)[2];
    add_interpolated(track, begin, begin + persist, "save persists", window);
  }
}

TraceTrack persist_track(const Timeline& timeline, const sim::Plan& plan) {
  TraceTrack track = job_track(persist_thread, "saves persisting");
  for (const PersistSlice& slice : timeline.persists) {
    TraceEvent event = slice_of(slice.from, slice.to, slice.arrived ? "save persists" : "save persists, lost", "save");
    event.arguments = "{\"covers_steps\":" + std::to_string(slice.position) + "}";
    track.events.push_back(std::move(event));
  }
  if (plan.save.mode != scenarios::Checkpoint::Mode::async) return track;
  for (const WorkSlice& slice : timeline.work) {
    const bool inside = slice.kind == WorkSlice::Kind::intervals && !slice.newest;
    if (inside) add_persists_of_intervals(track, slice, plan, timeline.options);
  }
  return track;
}

// --- stops and counters

TraceTrack stops_track(const Timeline& timeline, const sim::Plan& plan) {
  TraceTrack track = job_track(stops_thread, "stops");
  for (const StopRecord& stop : timeline.stops) {
    const std::string name = stop_words[static_cast<std::size_t>(stop.kind)];
    track.events.push_back(instant_of(stop.when, name + ": " + plan.cause_names.at(stop.cause), ""));
  }
  track.events.push_back(instant_of(timeline.end, std::string{name_of(timeline.status)}, ""));
  return track;
}

std::string one_value(const char* key, double value) {
  return std::string{"{\""} + key + "\":" + number_text(value) + "}";
}

void add_cost(TraceTrack& track, const Timeline& timeline) {
  const sim::Duration apart{std::max<std::int64_t>(1, timeline.end.nanoseconds() / cost_points)};
  const auto add = [&](Time when, double usd) {
    track.events.push_back(counter_of(when, "cost so far, USD", one_value("USD", usd)));
  };
  for (std::size_t i = 0; i < timeline.money.size(); ++i) {
    const MoneySample& sample = timeline.money[i];
    track.events.push_back(counter_of(sample.when, "price, USD per hour",
                                      one_value("USD/h", sample.usd_per_second * models::seconds_per_hour)));
    add(sample.when, sample.usd);
    const Time next = i + 1 < timeline.money.size() ? timeline.money[i + 1].when : timeline.end;
    for (Time when = sample.when + apart; when < next; when += apart)
      add(when, sample.usd + sample.usd_per_second * (when - sample.when).seconds());
  }
}

void add_held_nodes(TraceTrack& track, const Timeline& timeline, const sim::Plan& plan) {
  std::vector<NodeCounts> counts = timeline.counts;
  std::stable_sort(counts.begin(), counts.end(),
                   [](const NodeCounts& a, const NodeCounts& b) { return a.when < b.when; });
  std::vector<std::int32_t> held(plan.pools.size());
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto& [asked, booting, ready, leaving] = counts[i].count;
    held[counts[i].pool] = booting + ready + leaving;
    if (i + 1 < counts.size() && counts[i + 1].when == counts[i].when) continue;
    double all = 0.0;
    for (const std::int32_t of_pool : held) all += of_pool;
    track.events.push_back(counter_of(counts[i].when, "held nodes", one_value("nodes", all)));
  }
}

void add_kept(TraceTrack& track, const Timeline& timeline, const sim::Plan& plan) {
  for (const KeptSample& sample : timeline.kept) {
    const auto steps = static_cast<double>(sample.steps);
    track.events.push_back(counter_of(sample.when, "kept steps", one_value("steps", steps)));
    if (plan.facts.tokens_per_step <= 0.0) continue;
    const double tokens = steps * plan.facts.tokens_per_step;
    track.events.push_back(counter_of(sample.when, "kept tokens", one_value("tokens", tokens)));
  }
}

TraceTrack counters_track(const Timeline& timeline, const sim::Plan& plan) {
  TraceTrack track = job_track(counters_thread, "job");
  add_cost(track, timeline);
  add_held_nodes(track, timeline, plan);
  add_kept(track, timeline, plan);
  return track;
}

}  // namespace

void job_tracks(const Timeline& timeline, const sim::Plan& plan, const TrackSink& sink) {
  const auto give = [&sink](TraceTrack track) {
    sort_events(track);
    sink(track);
  };
  give(phases_track(timeline));
  give(work_track(timeline, plan));
  give(persist_track(timeline, plan));
  give(stops_track(timeline, plan));
  give(counters_track(timeline, plan));
}

}  // namespace fleetcast::analysis
