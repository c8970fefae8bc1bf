#pragma once
// The catalog and calibration files: compiled in, replaceable file by file from a folder.
#include <string>

#include "models/catalog.hpp"

namespace fleetcast::scenarios {

/// The catalog compiled into the program.
const models::Catalog& built_in_catalog();

/// The built-in catalog with each file that `folder` has (gpus.json, instances.json, providers.json, stores.json,
/// models.json, failures.json, throughput.json, measured_speed.json) taken from there. Throws InputError.
models::Catalog read_catalog(const std::string& folder);

}  // namespace fleetcast::scenarios
