#pragma once
// A training job on a zone whose capacity comes and goes: the smallest account of it that has losses, restarts and
// growth. It judges a forecast of capacity; what a run costs in earnest is the simulator's to say.
#include <vector>

#include "analysis/market/capacity_series.hpp"

namespace fleetcast::analysis {

struct SpotJob {
  int nodes = 1;         ///< wanted
  int fewest = 1;        ///< goes on with this many, in proportion slower; `nodes` for a full gang
  double work_h = 10.0;  ///< on all nodes
};

/// When work is kept and how long a start takes.
struct SpotJobRules {
  double checkpoint_every_h = 0.5;
  double restart_h = 1.0 / 6.0;
};

struct SpotJobOutcome {
  double hours = 0.0;  ///< from the submission; the limit if it did not finish
  double node_hours = 0.0;
  bool finished = false;
};

/// Where a job is cut off: 8 x work + 72 h.
double limit_of(const SpotJob& job);

/// 10, 40 and 100 h on 1, 4 and 16 nodes as far as the zone has them, full gang and elastic down to half.
std::vector<SpotJob> jobs_for(int nodes);

/// The job under stretches of equal capacity, one after the other. A loss goes back to the last checkpoint and restarts
/// on what is left, if that is enough; a job that could be larger grows at its next checkpoint, with a restart.
/// A stretch costs the same however long it is.
class SpotJobReplay {
 public:
  explicit SpotJobReplay(const SpotJob& job, const SpotJobRules& rules = {});

  void hold(int capacity, double hours);
  [[nodiscard]] bool ended() const { return finished_ || hours_ >= limit_h_; }
  [[nodiscard]] SpotJobOutcome outcome() const;

 private:
  void meet(int capacity);
  void start(int nodes);
  void spend(double hours);
  void restart(double& left);
  void run(int capacity, double& left);
  void train(double hours);

  SpotJob job_;
  SpotJobRules rules_;
  double limit_h_;
  double hours_ = 0.0, node_hours_ = 0.0;
  double done_h_ = 0.0, kept_h_ = 0.0;  ///< work, in hours on all nodes
  double since_checkpoint_h_ = 0.0, restart_left_h_ = 0.0;
  int held_ = 0;
  bool finished_ = false;
};

/// A course of capacity: values and how long each holds.
struct CapacityStretch {
  int capacity = 0;
  double hours = 0.0;
};
std::vector<CapacityStretch> stretches_of(const CapacitySeries& series);

/// The job started `start_h` into the course, which goes on from its beginning after its end.
SpotJobOutcome play(const SpotJob& job, const std::vector<CapacityStretch>& course, double start_h = 0.0,
                    const SpotJobRules& rules = {});

}  // namespace fleetcast::analysis
