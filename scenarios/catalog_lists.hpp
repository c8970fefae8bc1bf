#pragma once
// What all catalog files share: format, about, and a list of entries.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenarios/catalog_entry.hpp"
#include "scenarios/catalog_files.hpp"

namespace fleetcast::scenarios::catalog {

constexpr std::string_view catalog_format = "fleetcast-catalog-1";

/// The parsed file; nothing, and the faults noted, if it is no JSON object.
std::optional<Node> parse_object(const File& file, Faults& faults);

/// Checked first: a file of another kind or version is not worth reading further.
void check_format(Entry& root, std::string_view expected);

/// Every entry of a catalog file by `read`, which gets one object at a time.
template <class Record>
std::vector<Record> read_entries(const File& file, Faults& faults, Record (*read)(Entry&)) {
  const std::optional<Node> document = parse_object(file, faults);
  if (!document) return {};
  Entry root{*document, file.name, "", faults};
  check_format(root, catalog_format);
  root.text("about");
  std::vector<Record> records;
  for (Entry& entry : root.list("entries")) {
    records.push_back(read(entry));
    entry.close();
  }
  root.close();
  return records;
}

}  // namespace fleetcast::scenarios::catalog
