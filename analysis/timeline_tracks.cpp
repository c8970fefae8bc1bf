// Tracks of pools and nodes. Those of the job are in timeline_tracks_job.cpp.
#include "analysis/timeline_tracks.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <tuple>

namespace fleetcast::analysis {
namespace {

constexpr std::array<const char*, 8> node_words{"asked for", "boot and image", "idle",   "start-up",
                                                "running",   "detection",      "repair", "leaving"};

bool is_booked_here(NodeDoes does) {
  return does != NodeDoes::asked_for && does != NodeDoes::running;
}

/// What the time of a node is booked as while the gang does not run. Running is booked on the track of the job.
sim::Account account_of(NodeDoes does) {
  if (does == NodeDoes::booting || does == NodeDoes::start_up) return sim::Account::start_up;
  return does == NodeDoes::detection ? sim::Account::detection : sim::Account::idle;
}

std::string node_arguments(const NodeSlice& slice, const sim::PoolPlan& pool) {
  std::string text = "{\"life\":" + std::to_string(slice.life);
  if (is_booked_here(slice.does)) {
    const double gpu_s = (slice.to - slice.from).seconds() * pool.gpus_per_node;
    text += "," + gpu_seconds_of(account_of(slice.does), gpu_s);
  }
  return text + "}";
}

void add_node_slice(TraceTrack& track, const NodeSlice& slice, const sim::PoolPlan& pool) {
  TraceEvent event = slice_of(slice.from, slice.to, node_words[static_cast<std::size_t>(slice.does)], "node");
  event.arguments = node_arguments(slice, pool);
  if (slice.does != NodeDoes::leaving) {
    track.events.push_back(std::move(event));
    return;
  }
  // The place of a leaving node may be filled already: slices that may overlap are begun and ended.
  event.id = (std::uint64_t{slice.life} << 32) + slice.slot;
  event.phase = 'b';
  TraceEvent end = event;
  end.phase = 'e';
  end.at_us += event.length_us;
  end.arguments.clear();
  event.length_us = end.length_us = 0;
  track.events.push_back(std::move(event));
  track.events.push_back(std::move(end));
}

void add_part(TraceTrack& track, Time from, Time to, const char* name) {
  if (from < to) track.events.push_back(slice_of(from, to, name, "step"));
}

void add_step(TraceTrack& track, const StepRecord& step, std::uint32_t slot) {
  const Time computed = step.start + sim::Duration{step.compute_ns[slot]};
  const Time exchanged = step.slowest + sim::Duration{step.exchange_ns};
  add_part(track, step.start, computed, "compute");
  add_part(track, computed, step.slowest, "straggler wait");
  add_part(track, step.slowest, exchanged, "exchange");
  add_part(track, exchanged, step.exchanged, "pipeline bubble");
  add_part(track, step.exchanged, step.end, "data wait");
}

std::string incident_name(const Incident& incident, bool of_pool) {
  const std::string nodes = std::to_string(incident.slots.size()) + (incident.slots.size() == 1 ? " node" : " nodes");
  const std::string of = of_pool ? " (" + nodes + ")" : "";
  if (incident.kind == Incident::Kind::notice) return "notice" + of;
  if (incident.kind == Incident::Kind::reclaimed) return "reclaim" + of;
  return "failure: " + (incident.cause ? incident.cause->name : std::string{"of the fleet"}) + of;
}

std::string incident_arguments(const Incident& incident) {
  std::string text = "{\"nodes\":\"";
  for (std::size_t i = 0; i < incident.slots.size(); ++i) {
    text += (i > 0 ? " " : "") + std::to_string(incident.slots[i]);
  }
  text += "\"";
  if (incident.kind == Incident::Kind::notice) {
    text += ",\"seconds_left\":" + number_text((incident.reclaim_at - incident.when).seconds());
  }
  return text + "}";
}

std::string counts_arguments(const NodeCounts& counts) {
  constexpr std::array<const char*, 4> words{"asked for", "booting", "ready", "leaving"};
  std::string text = "{";
  for (std::size_t i = 0; i < words.size(); ++i) {
    text += std::string{i > 0 ? "," : ""} + "\"" + words[i] + "\":" + std::to_string(counts.count[i]);
  }
  return text + "}";
}

/// First slot of each pool, and the number of slots at the end.
std::vector<std::uint32_t> first_slots(const sim::Plan& plan) {
  std::vector<std::uint32_t> first{0};
  for (const sim::PoolPlan& pool : plan.pools) first.push_back(first.back() + static_cast<std::uint32_t>(pool.nodes));
  return first;
}

}  // namespace

std::int64_t microseconds(Time time) {
  return (time.nanoseconds() + 500) / 1000;
}

void sort_events(TraceTrack& track) {
  std::stable_sort(track.events.begin(), track.events.end(), [](const TraceEvent& a, const TraceEvent& b) {
    return std::tie(a.at_us, b.length_us) < std::tie(b.at_us, a.length_us);
  });
}

TraceEvent slice_of(Time from, Time to, std::string name, std::string category) {
  TraceEvent event;
  event.at_us = microseconds(from);
  event.length_us = microseconds(to) - event.at_us;
  event.name = std::move(name);
  event.category = std::move(category);
  return event;
}

TraceEvent instant_of(Time when, std::string name, std::string arguments) {
  TraceEvent event = slice_of(when, when, std::move(name), "incident");
  event.phase = 'i';
  event.arguments = std::move(arguments);
  return event;
}

TraceEvent counter_of(Time when, std::string name, std::string arguments) {
  TraceEvent event = slice_of(when, when, std::move(name), "");
  event.phase = 'C';
  event.arguments = std::move(arguments);
  return event;
}

std::string number_text(double value) {
  std::array<char, 32> text{};
  const auto [end, fault] = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), end};
}

std::string gpu_seconds_of(sim::Account account, double value) {
  return "\"gpu_s\":{\"" + std::string{name_of(account)} + "\":" + number_text(value) + "}";
}

void pool_tracks(const Timeline& timeline, const sim::Plan& plan, const TrackSink& sink) {
  for (std::uint32_t pool = 0; pool < plan.pools.size(); ++pool) {
    TraceTrack track{job_process + 1 + pool, 0, "pool " + plan.pools[pool].name, {}};
    for (const Incident& incident : timeline.incidents) {
      if (incident.pool != pool) continue;
      track.events.push_back(instant_of(incident.when, incident_name(incident, true), incident_arguments(incident)));
    }
    for (const NodeCounts& counts : timeline.counts) {
      if (counts.pool == pool) track.events.push_back(counter_of(counts.when, "nodes", counts_arguments(counts)));
    }
    sort_events(track);
    sink(track);
  }
}

void node_tracks(const Timeline& timeline, const sim::Plan& plan, const TrackSink& sink) {
  const std::vector<std::uint32_t> first = first_slots(plan);
  const std::uint32_t shown = std::min(first.back(), timeline.options.nodes);
  std::vector<std::vector<const NodeSlice*>> slices(shown);
  std::vector<std::vector<const Incident*>> incidents(shown);
  for (const NodeSlice& slice : timeline.nodes) slices[slice.slot].push_back(&slice);
  for (const Incident& incident : timeline.incidents) {
    for (const std::uint32_t slot : incident.slots) {
      if (slot < shown) incidents[slot].push_back(&incident);
    }
  }
  for (std::uint32_t slot = 0, pool = 0; slot < shown; ++slot) {
    while (slot >= first[pool + 1]) ++pool;
    TraceTrack track{job_process + 1 + pool, 1 + slot, "node " + std::to_string(slot), {}};
    for (const NodeSlice* slice : slices[slot]) add_node_slice(track, *slice, plan.pools[pool]);
    for (const StepRecord& step : timeline.steps) add_step(track, step, slot);
    for (const Incident* incident : incidents[slot]) {
      track.events.push_back(instant_of(incident->when, incident_name(*incident, false), ""));
    }
    sort_events(track);
    sink(track);
  }
}

}  // namespace fleetcast::analysis
