#pragma once
// The catalog on a terminal and as JSON.
#include <ostream>
#include <string>
#include <vector>

#include "analysis/catalog_view.hpp"
#include "analysis/report.hpp"

namespace fleetcast::analysis {

/// All kinds with their number of entries and an example each.
void print_catalog(std::ostream& out, const std::vector<CatalogKind>& kinds, const Style& style);
/// One line an entry.
void print_catalog_kind(std::ostream& out, const CatalogKind& kind, const Style& style);
/// Everything that the catalog says about an entry, and what follows from it.
void print_catalog_entry(std::ostream& out, const CatalogKind& kind, const CatalogEntry& entry, const Style& style);

/// SI units by key; what is not known is null, never left out.
std::string catalog_json(const std::vector<CatalogKind>& kinds);
std::string catalog_kind_json(const CatalogKind& kind);
/// With the entry as it is written in the file under "written".
std::string catalog_entry_json(const CatalogKind& kind, const CatalogEntry& entry);

}  // namespace fleetcast::analysis
