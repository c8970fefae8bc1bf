#include "analysis/catalog_view.hpp"

#include <algorithm>
#include <array>

#include "analysis/catalog_figures.hpp"
#include "models/errors.hpp"
#include "scenarios/catalog_documents.hpp"

namespace fleetcast::analysis {

namespace {

struct KindName {
  const char *name, *one, *what;
};
constexpr std::array<KindName, 6> kinds{{{"gpus", "GPU", "GPUs: dense peaks by precision, memory, links, power"},
                                         {"instances", "instance", "rented machines with dated prices by place"},
                                         {"models", "model", "shapes of public transformers"},
                                         {"providers", "provider", "how each sells, warns, takes away and bills"},
                                         {"stores", "store", "where checkpoints and data live: rates and prices"},
                                         {"failures", "failure mix", "typical failures by class of GPU"}}};

constexpr const char* any_other = "other";  ///< the id of the failure mix for every GPU that no other names

template <class Record>
std::string id_of(const Record& record) {
  return record.id;
}
std::string id_of(const models::TypicalFailures& mix) {
  return mix.gpus.empty() ? any_other : mix.gpus.front();
}

template <class Record>
std::vector<std::string> other_names_of(const Record&) {
  return {};
}
std::vector<std::string> other_names_of(const models::GpuSpec& gpu) {
  return gpu.aliases;
}
std::vector<std::string> other_names_of(const models::TypicalFailures& mix) {
  if (mix.gpus.empty()) return {};
  return {mix.gpus.begin() + 1, mix.gpus.end()};
}

template <class Record>
std::vector<CatalogEntry> entries_of(const std::vector<Record>& records, std::vector<scenarios::Node> written) {
  models::require(records.size() == written.size(), "catalog and document are the same files");
  std::vector<CatalogEntry> entries;
  for (std::size_t i = 0; i < records.size(); ++i)
    entries.push_back(
        {id_of(records[i]), other_names_of(records[i]), figures_of(records[i], written[i]), std::move(written[i])});
  return entries;
}

std::vector<CatalogEntry> entries_of(const std::string& kind, const models::Catalog& catalog,
                                     std::vector<scenarios::Node> written) {
  if (kind == "gpus") return entries_of(catalog.gpus, std::move(written));
  if (kind == "instances") return entries_of(catalog.instances, std::move(written));
  if (kind == "models") return entries_of(catalog.shapes, std::move(written));
  if (kind == "providers") return entries_of(catalog.providers, std::move(written));
  if (kind == "stores") return entries_of(catalog.stores, std::move(written));
  return entries_of(catalog.failures, std::move(written));
}

}  // namespace

std::string CatalogEntry::cell(std::string_view label) const {
  const auto found = std::ranges::find(figures, label, &CatalogFigure::label);
  return found == figures.end() ? "" : found->cell;
}

const CatalogEntry* CatalogKind::find(std::string_view id) const {
  const auto by_id = std::ranges::find(entries, id, &CatalogEntry::id);
  if (by_id != entries.end()) return &*by_id;
  const auto by_name = std::ranges::find_if(
      entries, [&](const CatalogEntry& entry) { return std::ranges::count(entry.other_names, id) > 0; });
  return by_name == entries.end() ? nullptr : &*by_name;
}

std::vector<std::string> CatalogKind::ids() const {
  std::vector<std::string> ids;
  for (const CatalogEntry& entry : entries) ids.push_back(entry.id);
  return ids;
}

std::vector<std::string> catalog_kind_names() {
  std::vector<std::string> names;
  for (const KindName& kind : kinds) names.emplace_back(kind.name);
  return names;
}

CatalogKind catalog_kind(const std::string& name, const models::Catalog& catalog, const std::string& folder) {
  const auto known = std::ranges::find(kinds, name, &KindName::name);
  models::require(known != kinds.end(), "a kind of the catalog");
  scenarios::CatalogDocument document = scenarios::catalog_document(name, folder);
  return {name,          known->one,     known->what,
          document.file, document.about, entries_of(name, catalog, std::move(document.entries))};
}

}  // namespace fleetcast::analysis
