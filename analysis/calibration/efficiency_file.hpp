#pragma once
// The calibration file of the speed model.
#include <string>

#include "models/catalog.hpp"

namespace fleetcast::analysis {

/// The text of efficiency.json: table, spread, errors on rows left out, rows for nearest-row answers. Figures are
/// rounded to five digits, so the same data give the same text everywhere. Throws models::InputError.
std::string efficiency_file(const std::string& measured, const std::string& suspicious, const models::Catalog& catalog);

}  // namespace fleetcast::analysis
