#pragma once
// The law behind measured_speed.hpp, shared by its fit: what explains a speed, and what two rows have in common.
#include <array>
#include <span>

#include "models/measured_speed.hpp"

namespace fleetcast::models {

/// Conditions as the law sees them.
struct SpeedCase {
  SpeedConditions at;
  Generation generation = Generation::ampere;
  SpeedFactor::Of width = SpeedFactor::Of::half;
  double matrix_rate = 0, memory_rate = 0;  ///< relative to the reference: dense 16-bit peak and memory of an A100-80GB
  double nodes = 1;
  double batch = 0;  ///< per GPU, tokens (sequences) or samples; 0: not known
};

/// By id or alias; null if there is none.
const GpuSpec* gpu_named(std::string_view name, std::span<const GpuSpec> gpus);

/// Nothing if the GPU is not in the list, lacks the precision or has 8 bits or fewer.
std::optional<SpeedCase> speed_case(const SpeedConditions& at, std::span<const GpuSpec> gpus);

/// Whether a factor is of that precision and generation. FP32 has one for all.
bool concerns(const SpeedFactor& factor, const SpeedCase& conditions);

/// Parts of the time in the order matrix, memory, host, step, several, nodes; without exp(level).
std::array<double, 6> parts_of(const SpeedCase& conditions, const SpeedWork& work,
                               std::span<const SpeedFactor> factors);
/// ln of the seconds per token (sequences of known length) or sample.
double log_seconds(const SpeedCase& conditions, const SpeedWork& work, std::span<const SpeedFactor> factors);
/// ln of the measured seconds, in the unit of `log_seconds`.
double log_measured(const MeasuredSpeedEntry& row);

/// Covariance of what the law leaves of two cases of one model; the own scatter of a row is not in it.
double shared_variance(const SpeedCase& a, const SpeedCase& b, const SpeedSpread& spread);

}  // namespace fleetcast::models
