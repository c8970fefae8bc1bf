#pragma once
// The events of the fleet: plain records, handled by one visit. And their order at one instant.
#include <cstdint>
#include <variant>

#include "sim/kernel/event_queue.hpp"
#include "sim/outcome.hpp"

namespace fleetcast::sim {

namespace event {

struct StepsDone {
  std::uint64_t steps;
};  ///< span grain: these steps are complete
struct CyclesDone {
  std::uint64_t cycles;
};  ///< span grain: whole intervals with their saves are complete
struct NodeComputed {
  std::uint32_t slot;
};                             ///< node grain: one node has done its part of the step
struct GradientsExchanged {};  ///< node grain: all-reduce and optimiser of the step are done
struct BatchReady {};          ///< node grain: the loader has the next batch
struct SaveDone {};            ///< the blocking part of a save is over
struct SaveUsable {};          ///< all parts of an asynchronous save have arrived
struct Cutoff {
  Status status;
};  ///< deadline, budget or horizon
struct SoftwareFailure {};
struct NodeFails {
  std::uint32_t slot;
};
struct NodeReclaimed {
  std::uint32_t slot;
};
struct ReclaimNotice {
  std::uint32_t slot;
};
struct NodeBoots {
  std::uint32_t slot;
};  ///< held from now on
struct NodeReady {
  std::uint32_t slot;
};                       ///< booted, image there
struct DecisionMade {};  ///< detection and decision are over
struct RepairDone {};
struct GangStarted {};  ///< set-up, compile, load, skip and fill are over
struct CapacityChanges {
  std::uint32_t pool;
};  ///< another number of a pool's nodes can be held
struct CapacityNotice {
  std::uint32_t pool;
};  ///< a coming fall of capacity is announced
struct ErrorFound {
  std::uint32_t number;
};  ///< a silent error comes to light

}  // namespace event

using Event = std::variant<event::StepsDone, event::CyclesDone, event::NodeComputed, event::GradientsExchanged,
                           event::BatchReady, event::SaveDone, event::SaveUsable, event::Cutoff, event::SoftwareFailure,
                           event::NodeFails, event::NodeReclaimed, event::ReclaimNotice, event::NodeBoots,
                           event::NodeReady, event::DecisionMade, event::RepairDone, event::GangStarted,
                           event::CapacityChanges, event::CapacityNotice, event::ErrorFound>;

/// Order at one instant. A step or save that completes counts; a deadline that is met exactly is met.
enum Order : std::uint8_t {
  order_completion = 0,
  order_usable = 1,
  order_cutoff = 2,
  order_failure = 3,
  order_reclaim = 4,
  order_notice = 5,
  order_arrival = 6,
  order_decision = 7
};

using Queue = kernel::EventQueue<Event>;
using kernel::Duration;
using kernel::Time;

}  // namespace fleetcast::sim
