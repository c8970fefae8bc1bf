#pragma once
// How far measured speeds are off on rows that the fit has not seen.
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "models/measured_speed.hpp"

namespace fleetcast::analysis {

/// Leaves out one group of rows at a time (`key`), fits the others, and asks for the group; rows of models that have no
/// other row are not asked for. With `source_known` false the question does not name the source.
models::SpeedError speeds_left_out(std::span<const models::MeasuredSpeedEntry> rows,
                                   std::span<const models::GpuSpec> gpus, const std::string& what,
                                   const std::function<std::string(const models::MeasuredSpeedEntry&)>& key,
                                   bool source_known);

/// A configuration (model, GPU, precision, count), a GPU of a model and source, a precision of a model and source, and
/// the same without naming the source.
std::vector<models::SpeedError> measured_speed_errors(std::span<const models::MeasuredSpeedEntry> rows,
                                                      std::span<const models::GpuSpec> gpus);

}  // namespace fleetcast::analysis
