#include "scenarios/catalog_documents.hpp"

#include <optional>

#include "scenarios/catalog_lists.hpp"
#include "scenarios/catalog_sources.hpp"

namespace fleetcast::scenarios {

CatalogDocument catalog_document(const std::string& kind, const std::string& folder) {
  const catalog::Source source = catalog::source_of(kind + ".json", folder);
  catalog::Faults faults;
  std::optional<Node> root = catalog::parse_object(source.file(), faults);
  if (!root) throw models::InputError{std::move(faults)};
  CatalogDocument document{source.name, {}, {}};
  if (const Node* about = root->find("about")) document.about = about->text;
  if (Node* entries = root->find("entries")) document.entries = std::move(entries->items);
  return document;
}

}  // namespace fleetcast::scenarios
