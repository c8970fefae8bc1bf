#pragma once
// Looks on while a trial is played. It is told what happens and can change nothing: with and without an observer a
// trial is the same, bit by bit. Who is not watched pays one null check per save, stop, span or change of a node.
#include <cstdint>
#include <span>

#include "sim/checkpointer.hpp"
#include "sim/event.hpp"
#include "sim/meter.hpp"
#include "sim/plan.hpp"
#include "sim/stepper.hpp"

namespace fleetcast::sim {

enum class JobPhase { waiting, start_up, running, detection, repair, over };

/// unplanned: the stepping gang was struck. announced: it had saved before a reclaim took its nodes. planned: a
/// planned cause. during_restart: something was lost while the gang was not stepping.
enum class StopKind { unplanned, announced, planned, during_restart };

/// What a node that is not yet, or no longer, of use is doing.
enum class NodeStage { asked_for, booting, ready };
enum class NodeEnd { reclaimed, failed, released };

/// One step of the node grain. Every node computes from `start`, the slowest until `slowest`; exchange and bubble
/// follow until `exchanged`; then the gang waits for data until `end`.
struct StepDetail {
  Time start, slowest, exchanged, end;
  std::int64_t exchange_ns = 0;
  std::span<const std::int64_t> compute_ns;  ///< by slot
};

/// Every callback may be left away. All times but those that say otherwise are now.
class Observer {
 public:
  virtual ~Observer() = default;

  // The job.
  virtual void phase(Time, JobPhase) {}
  /// `counted_as` is an index into Plan::cause_names.
  virtual void stop(Time, StopKind, std::size_t /*counted_as*/) {}
  virtual void over(Time, Status) {}

  // Its steps. `open` is what is booked and not yet saved; the difference between begin and end is the span's.
  virtual void stepping_begins(Time, std::uint64_t /*position*/, const Bookings& /*open*/) {}
  virtual void stepping_ends(Time, std::uint64_t /*position*/, const Bookings& /*open*/) {}
  /// Whole intervals, each ended by its save, since stepping_begins. All but the last are kept already.
  virtual void intervals_end(Time, std::uint64_t /*position*/, std::uint64_t /*cycles*/, const CycleBooking&) {}
  /// The steps or the save under way were cut off.
  virtual void interrupted(Time) {}
  /// Node grain: a step is complete. True if its detail is wanted.
  virtual bool step_ends(Time /*from*/, Time /*now*/) { return false; }
  virtual void step_detail(const StepDetail&) {}

  // Its saves: the gang is blocked from save_begins to save_unblocks.
  virtual void save_begins(Time, std::uint64_t /*position*/, SaveReason) {}
  virtual void save_unblocks(Time) {}
  virtual void save_persists(Time, std::uint64_t /*position*/, Time /*until*/) {}
  /// `when` may lie in the past.
  virtual void save_usable(Time /*when*/, std::uint64_t /*position*/) {}
  virtual void save_abandoned(Time) {}

  // The ledger of what is not yet durable (meter.hpp).
  virtual void snapshot_taken() {}
  virtual void snapshot_kept() {}
  virtual void all_kept() {}
  virtual void all_lost() {}
  /// Saves after this position are dropped: the work that they had made durable is lost.
  virtual void kept_lost(Time, std::uint64_t /*position*/) {}

  // The nodes.
  virtual void node(Time, std::uint32_t /*slot*/, NodeStage) {}
  virtual void node_gone(Time, std::uint32_t /*slot*/, NodeEnd, const CausePlan*) {}
  /// Out of the gang, but held and idle until its announced reclaim. Its place may be filled before that.
  virtual void node_leaves(Time, std::uint32_t /*slot*/, Time /*until*/) {}
  virtual void notice(Time, std::uint32_t /*slot*/, Time /*reclaim_at*/) {}
  /// What the nodes of the gang cost per second from now on, and what all lives have cost so far, before rounding.
  virtual void money(Time, double /*usd_per_second*/, double /*usd*/) {}
};

}  // namespace fleetcast::sim
