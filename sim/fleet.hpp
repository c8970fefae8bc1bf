#pragma once
// The nodes of the gang: asked for, booting, ready, gone; what takes them away; what each life costs.
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sim/capacity_course.hpp"
#include "sim/draws.hpp"
#include "sim/event.hpp"
#include "sim/meter.hpp"
#include "sim/plan.hpp"
#include "sim/price_course.hpp"

namespace fleetcast::sim {

class Observer;

/// Money of all lives that are over, USD.
struct Bill {
  double held = 0.0, rounding = 0.0, forgiven = 0.0;
};

class Fleet {
 public:
  Fleet(const Plan& plan, const Draws& draws, Queue& queue, Observer* observer = nullptr);

  /// Begins to follow capacity that changes by itself, if any.
  void follow_courses();
  /// Asks for every node that is missing. Nodes of one pool that are asked for together share their wait; where
  /// capacity is limited they arrive as soon as it allows. A launch that fails is tried again later.
  void request_missing();
  /// The node boots: it is held, and what will take it away is scheduled. False if capacity has no room for it
  /// now: it comes when there is.
  bool boot(std::uint32_t slot);
  void make_ready(std::uint32_t slot);
  /// The nodes that are still held are gone now. With a cause that has a repair, that is how long their successors
  /// take instead of the pool's wait: drawn per node, but once for an outage that takes the fleet. Of a fleet that does
  /// not come back whole the others are known to be missing, and asked for, after that.
  void lose(const std::vector<std::uint32_t>& slots, bool by_provider, const CausePlan* cause);
  /// An announced node whose work is saved: held and idle until its reclaim, but out of the gang at once.
  /// Returns the GPU time from now until then.
  GpuTime retire(std::uint32_t slot);
  /// Everyone goes home.
  void release_all();

  /// The capacity of a pool has changed: the nodes for which there is no room any more, or none. Lets the nodes
  /// boot that waited for room.
  std::vector<std::uint32_t> follow_capacity(std::uint32_t pool);
  /// The capacity of a pool will fall: announces the nodes that the fall takes.
  void announce_fall(std::uint32_t pool);
  /// When the money that is spent per second changes next by itself after `at`.
  [[nodiscard]] Time next_price_change(Time at) const;

  /// The nodes that the reclaim of `slot` takes: itself and, in a bulk, others of its pool.
  std::vector<std::uint32_t> victims(std::uint32_t slot) const;
  /// Announces that the node goes at `when`, unless it goes before.
  void announce(std::uint32_t slot, Time when);
  [[nodiscard]] bool is_announced(std::uint32_t slot) const { return nodes_[slot].announced; }
  [[nodiscard]] std::vector<std::uint32_t> announced() const;
  [[nodiscard]] bool any_announced() const { return announced_count_ > 0; }
  [[nodiscard]] Time reclaim_time(std::uint32_t slot) const { return nodes_[slot].reclaim_at; }
  /// The node goes on after an error that nobody saw; it may fail again.
  void go_on(std::uint32_t slot);
  /// The cause of the failure that struck this node, an index into Plan::causes.
  [[nodiscard]] std::size_t failure_cause(std::uint32_t slot) const;
  [[nodiscard]] std::vector<std::uint32_t> held() const;
  [[nodiscard]] bool is_held(std::uint32_t slot) const;

  [[nodiscard]] bool complete() const { return ready_count_ == nodes_.size(); }
  [[nodiscard]] std::int64_t ready_gpus() const { return ready_gpus_; }
  [[nodiscard]] std::int64_t booting_gpus() const { return booting_gpus_; }
  [[nodiscard]] GpuTime held_gpu_ns() const { return held_gpu_ns_; }
  [[nodiscard]] const Bill& bill() const { return bill_; }
  /// USD per second of the nodes held now, and what the lives so far have cost before rounding, at a moment since the
  /// last node came or went.
  [[nodiscard]] double usd_per_second(Time at) const;
  [[nodiscard]] double accrued_usd(Time at) const;
  /// Rate of failure of the gang while stepping (causes that need no node), per second.
  [[nodiscard]] double software_rate() const { return software_rate_; }
  /// Which of the causes without need of a node a failure is, by a number in [0, 1).
  [[nodiscard]] std::size_t software_cause(double uniform) const;

 private:
  enum class State : std::uint8_t { absent, requested, booting, ready };
  struct Node {
    State state = State::absent;
    bool announced = false;
    std::uint32_t pool = 0;
    std::uint32_t incarnation = 0;
    std::optional<double> repair_s;  ///< wait of the next incarnation
    bool comes_back = true;          ///< after the repair; else a new one is waited for then
    bool bad = false;                ///< fails more often, as long as it lives
    std::uint32_t clocks = 0;        ///< failure times drawn again in all lives so far
    std::uint32_t clock = 0;         ///< which of them runs; 0: the first of the life
    Time held_since{}, ready_at{};
    Time reclaim_at = Time::never();
    kernel::Handle arrival{}, failure{}, reclaim{}, notice{};
  };

  /// A pool whose capacity or price changes by itself, and how it stands.
  struct Followed {
    std::uint32_t pool = 0;
    std::unique_ptr<PriceCourse> price;        ///< null: constant
    std::unique_ptr<CapacityCourse> capacity;  ///< null: unlimited
    std::size_t held = 0;
    std::size_t retired = 0;             ///< not in the gang any more, but there until the coming fall
    std::vector<std::uint32_t> waiting;  ///< slots that wait for room
    std::uint32_t falls = 0;             ///< announced so far
    std::uint32_t regimes = 0;           ///< begun so far
  };

  void draw_rates();
  void find_courses();
  [[nodiscard]] const Followed* followed(std::uint32_t pool) const;
  [[nodiscard]] Followed* followed(std::uint32_t pool);
  /// The same if its capacity is limited, else null.
  [[nodiscard]] Followed* limited(std::uint32_t pool);
  [[nodiscard]] std::size_t room_in(const Followed& entry) const;
  /// Nodes that waited boot where there is room now.
  void give_room(Followed& entry);
  void schedule_capacity(Followed& entry);
  void begin_regime(Followed& entry);
  [[nodiscard]] std::size_t regime_of(std::uint32_t pool) const;
  [[nodiscard]] std::vector<std::uint32_t> without_room(const Followed& entry, std::size_t capacity) const;
  /// What one node costs from one moment to another.
  [[nodiscard]] double usd_of_node(std::uint32_t pool, Time from, Time to) const;
  /// Rate of a cause on one node, of the gang for those that need no node, per second.
  [[nodiscard]] double cause_rate(std::size_t cause, bool bad, bool coordinator) const;
  [[nodiscard]] double node_failure_rate(std::uint32_t slot) const {
    return node_failure_rate_[rate_class(nodes_[slot].bad, is_coordinator(slot))];
  }
  static std::size_t rate_class(bool bad, bool coordinator) { return (bad ? 2U : 0U) + (coordinator ? 1U : 0U); }
  /// The first node is the one at which the others meet.
  static bool is_coordinator(std::uint32_t slot) { return slot == 0; }
  void schedule_failure(std::uint32_t slot, double unit_life);
  void choose_who_comes_back(const std::vector<std::uint32_t>& slots, const CausePlan& cause);
  void ask(std::uint32_t slot, double wait_s);
  void schedule_end(std::uint32_t slot);
  [[nodiscard]] double brake_of_replacement() const;
  /// Wait of a request, the same for all nodes of the pool that are asked for with `first`.
  [[nodiscard]] double shared_wait(std::uint32_t pool, std::uint32_t first) const;
  /// Seconds of launches that fail before one succeeds.
  [[nodiscard]] double launch_delay(std::uint32_t slot) const;
  [[nodiscard]] const Distribution& lifetime_law(const Node& node) const;
  /// Draws how long the node goes on living from `since`.
  void schedule_reclaim(std::uint32_t slot, Time since, Purpose purpose, std::uint32_t sample);
  void lose_one(std::uint32_t slot, bool by_provider, std::optional<double> repair_s);
  void tell_money() const;
  void tell_price_changes() const;
  void leave_held(Node& node);
  void close_life(const Node& node, Time end, bool by_provider);
  [[nodiscard]] const PoolPlan& pool_of(const Node& node) const { return plan_.pools[node.pool]; }

  const Plan& plan_;
  const Draws& draws_;
  Queue& queue_;
  Observer* observer_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> missing_;  ///< slots to be asked for, ascending
  std::vector<Followed> followed_;
  std::vector<Time> last_reclaim_;             ///< per pool
  double start_hour_;                          ///< hour of the day (UTC) at submission
  std::vector<double> cause_rate_;             ///< per cause: rate of this trial (node or gang)
  std::array<double, 4> node_failure_rate_{};  ///< by rate_class
  double software_rate_ = 0.0;
  std::size_t ready_count_ = 0, announced_count_ = 0;
  std::int64_t ready_gpus_ = 0, booting_gpus_ = 0;
  GpuTime held_gpu_ns_ = 0;
  double usd_per_second_ = 0.0, accrued_usd_ = 0.0;
  Time accrued_until_{};
  Bill bill_;
};

}  // namespace fleetcast::sim
