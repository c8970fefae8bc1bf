#pragma once
// Turns what an observer is told into the records of a timeline.
#include <cstdint>
#include <vector>

#include "analysis/timeline.hpp"

namespace fleetcast::analysis {

/// Watches one trial of this plan, which must outlive the timeline. Memory stays near the size of the file.
class TimelineRecorder final : public sim::Observer {
 public:
  TimelineRecorder(const sim::Plan& plan, const TimelineOptions& options);

  /// After the trial.
  [[nodiscard]] Timeline take();

  void phase(Time now, sim::JobPhase phase) override;
  void stop(Time now, sim::StopKind kind, std::size_t counted_as) override;
  void over(Time now, sim::Status status) override;
  void stepping_begins(Time now, std::uint64_t position, const sim::Bookings& open) override;
  void stepping_ends(Time now, std::uint64_t position, const sim::Bookings& open) override;
  void intervals_end(Time now, std::uint64_t position, std::uint64_t cycles, const sim::CycleBooking& booking) override;
  void interrupted(Time now) override;
  bool step_ends(Time from, Time now) override;
  void step_detail(const sim::StepDetail& step) override;
  void save_begins(Time now, std::uint64_t position, sim::SaveReason reason) override;
  void save_unblocks(Time now) override;
  void save_persists(Time now, std::uint64_t position, Time until) override;
  void save_usable(Time when, std::uint64_t position) override;
  void save_abandoned(Time now) override;
  void snapshot_taken() override;
  void snapshot_kept() override;
  void all_kept() override;
  void all_lost() override;
  void kept_lost(Time now, std::uint64_t position) override;
  void node(Time now, std::uint32_t slot, sim::NodeStage stage) override;
  void node_gone(Time now, std::uint32_t slot, sim::NodeEnd end, const sim::CausePlan* cause) override;
  void node_leaves(Time now, std::uint32_t slot, Time until) override;
  void notice(Time now, std::uint32_t slot, Time reclaim_at) override;
  void money(Time now, double usd_per_second, double usd) override;

 private:
  enum Counted : std::uint8_t { counted_asked, counted_booting, counted_ready, counted_leaving, counted_none };
  struct Node {
    std::uint32_t pool = 0, life = 0;
    Counted counted = counted_none;
    bool shown = false;  ///< a slice is under way
    NodeDoes does{};
    Time since;
  };
  struct Change {
    Time when;
    std::uint32_t pool;
    Counted counted;
    std::int32_t by;
  };

  bool room(std::uint64_t bytes);
  [[nodiscard]] bool in_window(Time from, Time to) const { return from < options().to && options().from < to; }
  [[nodiscard]] const TimelineOptions& options() const { return timeline_.options; }
  void add_work(WorkSlice slice);
  [[nodiscard]] std::uint64_t lost_steps(Time now) const;
  void judge(std::vector<std::size_t>& slices, WorkSlice::Fate fate);
  [[nodiscard]] std::uint64_t bytes_of(const WorkSlice& slice) const;
  void begin_slice(std::uint32_t slot, Time now, NodeDoes does);
  void turn_nodes(Time now);
  void end_slice(std::uint32_t slot, Time now);
  void recount(Time now, Node& node, Counted counted);
  void strike(Time now, Incident::Kind kind, std::uint32_t slot, const sim::CausePlan* cause, Time reclaim_at);
  void add_kept(Time when, std::uint64_t steps);
  void add_kept_of_intervals(Time from, Time now, std::uint64_t first, std::uint64_t cycles);
  void count_nodes();

  const sim::Plan& plan_;
  Timeline timeline_;
  sim::JobPhase phase_ = sim::JobPhase::over;
  Time phase_since_, work_since_;
  bool stepping_ = false, saving_ = false, persisting_ = false;
  sim::SaveReason reason_{};
  std::uint64_t position_ = 0, steps_seen_ = 0;
  std::uint64_t detail_bytes_ = 0;           ///< of the last step that was shown
  double pace_s_ = 0.0;                      ///< of a step, lately
  sim::Bookings booked_;                     ///< when stepping began
  std::vector<std::size_t> open_, waiting_;  ///< work slices that are not durable, as in the meter
  std::vector<Node> nodes_;
  std::vector<Change> changes_;
};

}  // namespace fleetcast::analysis
