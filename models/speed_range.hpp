#pragma once
// How far a question is from what was measured. Used by compute.cpp alone.
#include <span>
#include <string>

#include "models/nearest_row.hpp"

namespace fleetcast::models {

/// Log-sd of two independent errors together.
double root_sum(double a, double b);

struct SpeedRange {
  Grade grade = Grade::fitted;
  double added_log_sd = 0.0;  ///< on top of the spread on left-out rows
  std::string refusal;        ///< why nothing should be said; empty if it may
};

SpeedRange speed_range(const StepQuestion& question, std::span<const MeasuredRow> rows, const RowMatch& match);

}  // namespace fleetcast::models
