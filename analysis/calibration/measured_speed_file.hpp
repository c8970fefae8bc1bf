#pragma once
// The calibration file of measured speeds.
#include <string>

#include "models/catalog.hpp"

namespace fleetcast::analysis {

/// The text of measured_speed.json: rows with their sources, constants with intervals, errors on rows left out. Figures
/// are rounded, so the same data give the same text everywhere. Throws models::InputError.
std::string measured_speed_file(const std::string& measured, const std::string& suspicious,
                                const models::Catalog& catalog);

/// Writes that text. Throws models::InputError, and models::OutputError where `path` cannot be written.
void write_measured_speed(const std::string& measured, const std::string& suspicious, const models::Catalog& catalog,
                          const std::string& path);

}  // namespace fleetcast::analysis
