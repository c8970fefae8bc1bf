#include "analysis/market/spot_job.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "models/errors.hpp"

namespace fleetcast::analysis {

namespace {

/// Shorter stretches are rounding.
constexpr double nothing_h = 1e-12;
/// Of a count of checkpoints.
constexpr double rounding = 1e-9;

}  // namespace

double limit_of(const SpotJob& job) {
  constexpr double times_the_work = 8.0, and_h = 72.0;
  return times_the_work * job.work_h + and_h;
}

std::vector<SpotJob> jobs_for(int nodes) {
  constexpr std::array<int, 3> sizes{1, 4, 16};
  constexpr std::array<double, 3> works_h{10.0, 40.0, 100.0};
  std::vector<SpotJob> jobs;
  for (const int size : sizes) {
    if (size > nodes) break;
    for (const double work_h : works_h) {
      jobs.push_back({size, size, work_h});
      if (size > 1) jobs.push_back({size, size / 2, work_h});
    }
  }
  return jobs;
}

SpotJobReplay::SpotJobReplay(const SpotJob& job, const SpotJobRules& rules)
    : job_{job}, rules_{rules}, limit_h_{limit_of(job)} {
  models::require(job.nodes >= 1 && job.fewest >= 1 && job.fewest <= job.nodes && job.work_h > 0.0,
                  "a job has work and runs on at least one node");
}

SpotJobOutcome SpotJobReplay::outcome() const {
  return {finished_ ? hours_ : limit_h_, node_hours_, finished_};
}

void SpotJobReplay::start(int nodes) {
  held_ = nodes >= job_.fewest ? nodes : 0;
  restart_left_h_ = rules_.restart_h;
  since_checkpoint_h_ = 0.0;
  done_h_ = kept_h_;
}

void SpotJobReplay::meet(int capacity) {
  const bool lost = held_ > 0 && capacity < held_;
  const bool begins = held_ == 0 && capacity >= job_.fewest;
  if (lost || begins) start(capacity);
}

void SpotJobReplay::spend(double hours) {
  hours_ += hours;
  node_hours_ += held_ * hours;
}

void SpotJobReplay::restart(double& left) {
  const double spent = std::min(restart_left_h_, left);
  restart_left_h_ -= spent;
  left -= spent;
  spend(spent);
}

void SpotJobReplay::train(double hours) {
  const double speed = static_cast<double>(held_) / job_.nodes;
  // One that would be complete at the very end may be too late: it counts when the job goes on.
  const double checkpoints =
      std::max(0.0, std::floor((since_checkpoint_h_ + hours) / rules_.checkpoint_every_h - rounding));
  if (checkpoints > 0.0) kept_h_ = done_h_ + speed * (checkpoints * rules_.checkpoint_every_h - since_checkpoint_h_);
  since_checkpoint_h_ = std::max(0.0, since_checkpoint_h_ + hours - checkpoints * rules_.checkpoint_every_h);
  done_h_ += speed * hours;
  spend(hours);
}

/// Trains until the work is done, the stretch ends, or a checkpoint lets the job grow.
void SpotJobReplay::run(int capacity, double& left) {
  const double speed = static_cast<double>(held_) / job_.nodes;
  const double to_the_end = (job_.work_h - done_h_) / speed;
  const bool can_grow = capacity > held_;
  const double to_growth = can_grow ? rules_.checkpoint_every_h - since_checkpoint_h_ : left;
  const double hours = std::min({left, to_the_end, to_growth});
  train(hours);
  left -= hours;
  finished_ = hours >= to_the_end;
  if (!finished_ && can_grow && hours >= to_growth && left > nothing_h) {
    kept_h_ = done_h_;
    since_checkpoint_h_ = 0.0;
    held_ = capacity;
    restart_left_h_ = rules_.restart_h;
  }
}

void SpotJobReplay::hold(int capacity, double hours) {
  capacity = std::min(capacity, job_.nodes);
  double left = std::min(hours, limit_h_ - hours_);
  meet(capacity);
  while (left > nothing_h && held_ > 0 && !finished_) {
    if (restart_left_h_ > nothing_h)
      restart(left);
    else
      run(capacity, left);
  }
  if (!finished_ && left > 0.0) hours_ += left;
}

std::vector<CapacityStretch> stretches_of(const CapacitySeries& series) {
  std::vector<CapacityStretch> course;
  for (const std::int16_t value : series.capacity) {
    if (course.empty() || course.back().capacity != value) course.push_back({value, 0.0});
    course.back().hours += series.interval_h;
  }
  return course;
}

SpotJobOutcome play(const SpotJob& job, const std::vector<CapacityStretch>& course, double start_h,
                    const SpotJobRules& rules) {
  models::require(!course.empty(), "a job needs a course of capacity");
  SpotJobReplay replay{job, rules};
  std::size_t at = 0;
  while (start_h >= course[at].hours) {
    start_h -= course[at].hours;
    at = (at + 1) % course.size();
  }
  for (; !replay.ended(); at = (at + 1) % course.size()) {
    replay.hold(course[at].capacity, course[at].hours - start_h);
    start_h = 0.0;
  }
  return replay.outcome();
}

}  // namespace fleetcast::analysis
