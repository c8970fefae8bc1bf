#pragma once
// The catalog files as they are written: for showing an entry with all it says, sources and notes included.
#include <string>
#include <vector>

#include "scenarios/document.hpp"

namespace fleetcast::scenarios {

struct CatalogDocument {
  std::string file;           ///< "gpus.json", or its path in the user's folder
  std::string about;          ///< what the file says about itself
  std::vector<Node> entries;  ///< objects, in file order: that of `models::Catalog`
};

/// The file of one kind (gpus, instances, models, providers, stores, failures), from `folder` if that has it ("":
/// compiled in). For files that `read_catalog` accepts. Throws InputError.
CatalogDocument catalog_document(const std::string& kind, const std::string& folder);

}  // namespace fleetcast::scenarios
