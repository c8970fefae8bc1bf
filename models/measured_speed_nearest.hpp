#pragma once
// How near the measured rows of a model are to a question. Used by measured_speed.cpp alone.
#include <span>
#include <string>

#include "models/measured_speed_law.hpp"

namespace fleetcast::models {

/// A row of the model in question. The row outlives it.
struct SpeedSibling {
  const MeasuredSpeedEntry* row = nullptr;
  SpeedCase conditions;
};

struct SpeedMatch {
  const SpeedSibling* sibling = nullptr;
  double distance = 0;
};

/// Variance of what the law leaves of a case about which nothing is known.
double prior_variance(const SpeedSpread& spread);

/// Log distance: rates of matrix products and memory in full, sequence by half, GPUs and batch by a quarter; another
/// source, task or width counts 0.3 each. At least one sibling.
SpeedMatch nearest_sibling(const SpeedCase& question, std::span<const SpeedSibling> siblings);

/// By the rule of `measured_speed`.
Grade grade_of(const SpeedCase& question, std::span<const SpeedSibling> siblings);

/// "ResNet-50 fp16 on 8 A100-80GB: 2,078 images/s/GPU (DLE-004)".
std::string describe(const MeasuredSpeedEntry& row);

}  // namespace fleetcast::models
