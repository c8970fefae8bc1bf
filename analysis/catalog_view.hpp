#pragma once
// The catalog for people and programs: kinds, entries, and the figures of each.
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "models/catalog.hpp"
#include "scenarios/document.hpp"

namespace fleetcast::analysis {

/// One figure of an entry.
struct CatalogFigure {
  std::string key;    ///< in JSON, with its SI unit: "memory_bytes"; empty: for tables only
  std::string label;  ///< for people: "memory"; empty: for programs only
  std::string cell;   ///< without its unit; empty where the catalog does not know it
  std::string unit;
  std::variant<std::monostate, bool, double, std::string> value{};  ///< monostate: not known
};

struct CatalogEntry {
  std::string id;
  std::vector<std::string> other_names;  ///< that find it too
  std::vector<CatalogFigure> figures;
  scenarios::Node written;  ///< the object in the file

  /// What a table shows for this label; empty if there is nothing.
  [[nodiscard]] std::string cell(std::string_view label) const;
};

struct CatalogKind {
  std::string name;  ///< "instances"
  std::string one;   ///< "instance"
  std::string what;  ///< in a few words
  std::string file, about;
  std::vector<CatalogEntry> entries;

  /// By id or another name; null if there is none.
  [[nodiscard]] const CatalogEntry* find(std::string_view id) const;
  [[nodiscard]] std::vector<std::string> ids() const;
};

/// gpus, instances, models, providers, stores, failures.
std::vector<std::string> catalog_kind_names();
/// `catalog` must come from the same folder ("": compiled in). Throws InputError. `name` must be one of the above.
CatalogKind catalog_kind(const std::string& name, const models::Catalog& catalog, const std::string& folder);

}  // namespace fleetcast::analysis
