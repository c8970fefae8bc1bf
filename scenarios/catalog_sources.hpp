#pragma once
// The texts of the catalog and calibration files: compiled in, or from a folder of the user.
#include <string>

#include "scenarios/catalog_files.hpp"

namespace fleetcast::scenarios::catalog {

struct Source {
  std::string name;  ///< for messages: "gpus.json", or its path in the folder
  std::string text;

  /// Valid as long as this source.
  [[nodiscard]] File file() const { return {name, text}; }
};

/// `name` ("gpus.json", ...) from `folder` if that has it, else what is compiled in (always for ""). Throws InputError
/// if the file cannot be read.
Source source_of(const std::string& name, const std::string& folder);

}  // namespace fleetcast::scenarios::catalog
