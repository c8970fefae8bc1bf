#include "scenarios/catalog_lists.hpp"

#include "scenarios/parse.hpp"

namespace fleetcast::scenarios::catalog {

std::optional<Node> parse_object(const File& file, Faults& faults) {
  try {
    Node document = parse_document(file.text, file.name);
    if (document.kind == Node::Kind::object) return document;
    faults.push_back(
        {file.name, document.at.line, document.at.column, "", "found " + describe(document), "an object", {}});
  } catch (const models::InputError& error) {
    faults.insert(faults.end(), error.faults().begin(), error.faults().end());
  }
  return std::nullopt;
}

void check_format(Entry& root, std::string_view expected) {
  const std::string format = root.text("format");
  if (!format.empty() && format != expected) root.fault("format", "is \"" + format + "\"", expected);
}

}  // namespace fleetcast::scenarios::catalog
