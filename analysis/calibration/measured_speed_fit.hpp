#pragma once
// From measured rows to the constants of models/measured_speed.hpp.
#include <span>

#include "models/measured_speed.hpp"

namespace fleetcast::analysis {

/// Parts of each model's time and factors of the generations: least squares on ln seconds, weighted by what rows share
/// (models::SpeedSpread), with log-normal priors on the parts (a half of the time for matrix products, a quarter for
/// memory, a tenth for the host, the rest small; log-sd 0.7 to 1) and on the factors (1, log-sd 0.25). The intervals
/// are those of the linearised posterior. The spread is given: set by hand near its most likely values and widened
/// until intervals hold on rows left out. Sources and errors of the table are left empty. Throws ContractError for rows
/// with GPUs that `gpus` lacks.
models::MeasuredSpeedTable fit_measured_speeds(std::span<const models::MeasuredSpeedEntry> rows,
                                               std::span<const models::GpuSpec> gpus);

}  // namespace fleetcast::analysis
