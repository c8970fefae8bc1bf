#pragma once
// One trial as records of what happened when; timeline_json.hpp writes them down. Times are of the simulation.
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "sim/observer.hpp"

namespace fleetcast::analysis {

using sim::Time;

struct TimelineOptions {
  Time from, to;                                                         ///< single steps are shown in [from, to)
  std::uint32_t nodes = std::numeric_limits<std::uint32_t>::max();       ///< tracks for the first so many only
  std::uint64_t most_bytes = std::numeric_limits<std::uint64_t>::max();  ///< of the file; beyond it only counts
};

struct PhaseSlice {
  Time from, to;
  sim::JobPhase phase;
};

/// What the gang does while it runs. The GPU time of a slice is its length times the GPUs of the gang.
struct WorkSlice {
  enum class Kind : std::uint8_t { steps, intervals, save };
  enum class Fate : std::uint8_t { open, kept, lost };  ///< no slice of a trial that is over is open
  Time from, to;
  Kind kind = Kind::steps;
  Fate fate = Fate::open;
  sim::SaveReason reason{};                 ///< saves
  std::uint64_t first_step = 0, steps = 0;  ///< steps done before this slice, and in it (lost: about)
  std::uint64_t cycles = 0;                 ///< intervals: each ends with a save
  bool newest = false;                      ///< intervals: the save at its end is the newest, a record of its own
  std::array<double, sim::account_count> gpu_s{};  ///< as booked if it is kept, GPU-seconds
};

/// A save on its way to the store.
struct PersistSlice {
  Time from, to;
  std::uint64_t position = 0;  ///< steps that it covers
  bool arrived = false;        ///< false: a stop or the end came first
};

enum class NodeDoes : std::uint8_t { asked_for, booting, idle, start_up, running, detection, repair, leaving };

struct NodeSlice {
  Time from, to;
  std::uint32_t slot = 0;
  std::uint32_t life = 0;  ///< the first is 1
  NodeDoes does{};
};

/// Something that struck the nodes of one pool at one moment.
struct Incident {
  enum class Kind : std::uint8_t { notice, reclaimed, failed };
  Time when;
  Kind kind{};
  std::uint32_t pool = 0;
  const sim::CausePlan* cause = nullptr;  ///< of a failure
  Time reclaim_at;                        ///< of a notice: the first
  std::vector<std::uint32_t> slots;
};

struct StopRecord {
  Time when;
  sim::StopKind kind{};
  std::size_t cause = 0;  ///< index into Plan::cause_names
};

struct MoneySample {
  Time when;
  double usd_per_second = 0.0, usd = 0.0;
};

/// Steps whose saves are usable.
struct KeptSample {
  Time when;
  std::uint64_t steps = 0;
};

/// By pool: nodes that are asked for, booting, ready, and held until an announced reclaim.
struct NodeCounts {
  Time when;
  std::uint32_t pool = 0;
  std::array<std::int32_t, 4> count{};
};

/// One step of the node grain inside the window.
struct StepRecord {
  Time start, slowest, exchanged, end;
  std::int64_t exchange_ns = 0;
  std::uint64_t number = 0;              ///< from 0
  std::vector<std::int64_t> compute_ns;  ///< of the nodes that are shown
};

struct Timeline {
  TimelineOptions options;
  std::vector<PhaseSlice> phases;
  std::vector<WorkSlice> work;
  std::vector<PersistSlice> persists;
  std::vector<NodeSlice> nodes;
  std::vector<Incident> incidents;
  std::vector<StopRecord> stops;
  std::vector<MoneySample> money;
  std::vector<KeptSample> kept;
  std::vector<NodeCounts> counts;
  std::vector<StepRecord> steps;
  sim::Status status{};
  Time end;
  std::uint64_t estimated_bytes = 0;  ///< of the file; above options.most_bytes the records are not complete

  [[nodiscard]] bool fits() const { return estimated_bytes <= options.most_bytes; }
};

}  // namespace fleetcast::analysis
