#include "analysis/cli/command_catalog.hpp"

#include <algorithm>
#include <sstream>
#include <vector>

#include "analysis/catalog_report.hpp"
#include "analysis/cli/answer.hpp"
#include "analysis/cli/help.hpp"
#include "analysis/cli/options.hpp"
#include "scenarios/catalog_reader.hpp"
#include "scenarios/nearest_name.hpp"

namespace fleetcast::cli {
namespace {

using Kinds = std::vector<analysis::CatalogKind>;

Kinds read_kinds(const std::optional<std::string>& folder) {
  const models::Catalog catalog = folder ? scenarios::read_catalog(*folder) : scenarios::built_in_catalog();
  Kinds kinds;
  for (const std::string& name : analysis::catalog_kind_names())
    kinds.push_back(analysis::catalog_kind(name, catalog, folder.value_or("")));
  return kinds;
}

/// "catalog H100" most likely means "catalog gpus H100".
std::string kind_and_id(const Kinds& kinds, const std::string& id) {
  for (const analysis::CatalogKind& kind : kinds)
    if (kind.find(id)) return kind.name + " " + id;
  return "";
}

const analysis::CatalogKind& kind_named(const Kinds& kinds, const std::string& name) {
  const auto found = std::ranges::find(kinds, name, &analysis::CatalogKind::name);
  if (found != kinds.end()) return *found;
  const std::vector<std::string> known = analysis::catalog_kind_names();
  const std::string as_entry = kind_and_id(kinds, name);
  refuse("unknown kind \"" + name + "\"", scenarios::nearest_first(name, known),
         as_entry.empty() ? scenarios::nearest_name(name, known) : as_entry);
}

const analysis::CatalogEntry& entry_named(const analysis::CatalogKind& kind, const std::string& id) {
  if (const analysis::CatalogEntry* found = kind.find(id)) return *found;
  constexpr std::size_t most = 8;
  refuse("no " + kind.one + " \"" + id + "\" in the catalog", scenarios::nearest_first(id, kind.ids(), most),
         scenarios::nearest_name(id, kind.ids()));
}

std::string as_json(const Kinds& kinds, const CatalogOptions& options) {
  if (options.kind.empty()) return analysis::catalog_json(kinds);
  const analysis::CatalogKind& kind = kind_named(kinds, options.kind);
  if (options.id.empty()) return analysis::catalog_kind_json(kind);
  return analysis::catalog_entry_json(kind, entry_named(kind, options.id));
}

std::string as_text(const Kinds& kinds, const CatalogOptions& options) {
  const analysis::Style style = answer_style(inspect_terminal(), options.color);
  std::ostringstream out;
  if (options.kind.empty()) {
    analysis::print_catalog(out, kinds, style);
    return out.str();
  }
  const analysis::CatalogKind& kind = kind_named(kinds, options.kind);
  if (options.id.empty())
    analysis::print_catalog_kind(out, kind, style);
  else
    analysis::print_catalog_entry(out, kind, entry_named(kind, options.id), style);
  return out.str();
}

}  // namespace

ExitCode command_catalog(std::span<const std::string> arguments) {
  const CatalogOptions options = parse_catalog_options(arguments);
  if (options.help) {
    write_answer(catalog_help());
    return ExitCode::answered;
  }
  const Kinds kinds = read_kinds(options.catalog);
  write_answer(options.json ? as_json(kinds, options) : as_text(kinds, options));
  return ExitCode::answered;
}

}  // namespace fleetcast::cli
