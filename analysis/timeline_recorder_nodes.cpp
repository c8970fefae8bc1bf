// The nodes of the timeline: what each does, how many do it, what strikes them.
#include <algorithm>
#include <tuple>

#include "analysis/timeline_recorder.hpp"

namespace fleetcast::analysis {
namespace {

// Bytes in the file, as in timeline_recorder.cpp.
constexpr std::uint64_t node_bytes = 131, incident_bytes = 260, counts_bytes = 205;

NodeDoes ready_node_does(sim::JobPhase phase) {
  switch (phase) {
    case sim::JobPhase::start_up:
      return NodeDoes::start_up;
    case sim::JobPhase::running:
      return NodeDoes::running;
    case sim::JobPhase::detection:
      return NodeDoes::detection;
    case sim::JobPhase::repair:
      return NodeDoes::repair;
    default:
      return NodeDoes::idle;
  }
}

}  // namespace

void TimelineRecorder::begin_slice(std::uint32_t slot, Time now, NodeDoes does) {
  end_slice(slot, now);
  if (slot >= options().nodes) return;
  Node& node = nodes_[slot];
  node.shown = true;
  node.does = does;
  node.since = now;
}

void TimelineRecorder::end_slice(std::uint32_t slot, Time now) {
  Node& node = nodes_[slot];
  if (node.shown && node.since < now && room(node_bytes)) {
    timeline_.nodes.push_back({node.since, now, slot, node.life, node.does});
  }
  node.shown = false;
}

/// All nodes that are ready do from now on what the gang does.
void TimelineRecorder::turn_nodes(Time now) {
  const auto last = static_cast<std::uint32_t>(std::min<std::size_t>(nodes_.size(), options().nodes));
  for (std::uint32_t slot = 0; slot < last; ++slot) {
    if (nodes_[slot].counted == counted_ready) begin_slice(slot, now, ready_node_does(phase_));
  }
}

void TimelineRecorder::recount(Time now, Node& node, Counted counted) {
  if (node.counted != counted_none) changes_.push_back({now, node.pool, node.counted, -1});
  if (counted != counted_none) changes_.push_back({now, node.pool, counted, 1});
  node.counted = counted;
}

void TimelineRecorder::node(Time now, std::uint32_t slot, sim::NodeStage stage) {
  Node& node = nodes_[slot];
  switch (stage) {
    case sim::NodeStage::asked_for:
      ++node.life;
      recount(now, node, counted_asked);
      return begin_slice(slot, now, NodeDoes::asked_for);
    case sim::NodeStage::booting:
      recount(now, node, counted_booting);
      return begin_slice(slot, now, NodeDoes::booting);
    case sim::NodeStage::ready:
      recount(now, node, counted_ready);
      return begin_slice(slot, now, ready_node_does(phase_));
  }
}

void TimelineRecorder::node_gone(Time now, std::uint32_t slot, sim::NodeEnd end, const sim::CausePlan* cause) {
  end_slice(slot, now);
  recount(now, nodes_[slot], counted_none);
  if (end == sim::NodeEnd::reclaimed) strike(now, Incident::Kind::reclaimed, slot, nullptr, now);
  if (end == sim::NodeEnd::failed) strike(now, Incident::Kind::failed, slot, cause, now);
}

void TimelineRecorder::node_leaves(Time now, std::uint32_t slot, Time until) {
  Node& node = nodes_[slot];
  end_slice(slot, now);
  recount(now, node, counted_leaving);
  recount(until, node, counted_none);
  if (slot < options().nodes && now < until && room(2 * node_bytes)) {
    timeline_.nodes.push_back({now, until, slot, node.life, NodeDoes::leaving});
  }
}

void TimelineRecorder::notice(Time now, std::uint32_t slot, Time reclaim_at) {
  strike(now, Incident::Kind::notice, slot, nullptr, reclaim_at);
}

/// Nodes of one pool that are struck together are one incident.
void TimelineRecorder::strike(Time now, Incident::Kind kind, std::uint32_t slot, const sim::CausePlan* cause,
                              Time reclaim_at) {
  const std::uint32_t pool = nodes_[slot].pool;
  if (!timeline_.incidents.empty()) {
    Incident& last = timeline_.incidents.back();
    if (last.when == now && last.kind == kind && last.pool == pool && last.cause == cause) {
      last.slots.push_back(slot);
      last.reclaim_at = std::min(last.reclaim_at, reclaim_at);
      timeline_.estimated_bytes += incident_bytes / 2;
      return;
    }
  }
  if (room(incident_bytes)) timeline_.incidents.push_back({now, kind, pool, cause, reclaim_at, {slot}});
}

void TimelineRecorder::count_nodes() {
  std::stable_sort(changes_.begin(), changes_.end(), [](const Change& a, const Change& b) {
    return std::tie(a.pool, a.when) < std::tie(b.pool, b.when);
  });
  std::array<std::int32_t, 4> count{};
  for (std::size_t i = 0; i < changes_.size(); ++i) {
    const Change& change = changes_[i];
    if (i > 0 && changes_[i - 1].pool != change.pool) count = {};
    count[change.counted] += change.by;
    const bool more =
        i + 1 < changes_.size() && changes_[i + 1].pool == change.pool && changes_[i + 1].when == change.when;
    if (!more && room(counts_bytes)) timeline_.counts.push_back({change.when, change.pool, count});
  }
}

}  // namespace fleetcast::analysis
