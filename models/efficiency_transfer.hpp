#pragma once
// From a measured efficiency to that of another precision or GPU, by documented ratios. Used by the lookup alone.
#include "models/compute.hpp"

namespace fleetcast::models {

/// How unlike two number formats are: 0.7 per halving of the bits.
double precision_distance(Precision a, Precision b);
/// How unlike the GPU of a cell is: log ratios of peak (at the cell's precision) and memory rate.
double gpu_distance(const GpuSpec& gpu, const EfficiencyCell& cell);

/// Splits the time per FLOP into matrix work, which follows the peak rate, and the rest (memory-bound work,
/// launches, exposed communication), which follows the memory rate and the bytes per value but not the peak:
///   1 / e' = 1 / c' + (1 / e - 1 / c) x (peak' / peak) x (memory rate / memory rate') x (bytes' / bytes)
/// with c the share of the peak that large matrix products reach.
double transferred_efficiency(const EfficiencyQuestion& question, const EfficiencyCell& from, double efficiency);
/// Log-sd that this adds.
double transfer_spread(const EfficiencyQuestion& question, const EfficiencyCell& from);

}  // namespace fleetcast::models
