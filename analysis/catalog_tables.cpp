// The overview and the table of a kind.
#include <algorithm>

#include "analysis/catalog_report.hpp"
#include "analysis/table.hpp"

namespace fleetcast::analysis {

namespace {

/// A column of the table: the label of the figure, and the head above it if that is another.
struct Shown {
  std::string label, head{};
  bool left = false;
};
struct ShownGroup {
  std::string head;
  std::vector<Shown> columns;
};

std::vector<ShownGroup> gpu_columns() {
  return {{"memory", {{"memory", "GiB"}, {"memory rate", "GB/s"}}},
          {"NVLink", {{"NVLink, both directions", "GB/s"}}},
          {"dense peak, TFLOP/s", {{"FP32"}, {"TF32"}, {"FP16"}, {"BF16"}, {"FP8"}, {"NVFP4"}}},
          {"power", {{"power", "W"}}},
          {"", {{"check", "check", true}}}};
}

std::vector<ShownGroup> instance_columns() {
  return {{"", {{"machine", "GPUs", true}}},
          {"network", {{"network, per machine", "Gbit/s"}}},
          {"USD per GPU-hour", {{"on demand", "on demand"}, {"spot", "spot"}}},
          {"prices", {{"prices as of", "as of", true}, {"price check", "check", true}}}};
}

std::vector<ShownGroup> model_columns() {
  return {{"parameters, billion", {{"parameters", "all"}, {"active in matrix products", "active"}}},
          {"shape", {{"layers", "layers"}, {"hidden", "hidden"}}},
          {"", {{"experts", "experts"}}},
          {"", {{"sequence", "sequence"}}},
          {"", {{"check", "check", true}}}};
}

std::vector<ShownGroup> provider_columns() {
  return {{"", {{"spot", "spot", true}, {"first hour free if taken", "first hour free", true}}},
          {"billed", {{"billed on demand", "on demand", true}, {"billed on spot", "on spot", true}}},
          {"", {{"notice", "notice", true}}},
          {"", {{"wait for spot", "wait for spot", true}}}};
}

std::vector<ShownGroup> store_columns() {
  return {{"", {{"kind", "kind", true}}},
          {"GB/s", {{"one machine", "a machine"}, {"all together", "together"}}},
          {"", {{"fixed time", "fixed, s"}}},
          {"USD", {{"storage", "GB-month"}, {"1,000 writes", "1k writes"}}},
          {"", {{"check", "check", true}}}};
}

std::vector<ShownGroup> failure_columns() {
  return {{"failures per", {{"per 1,000 GPUs and day", "1,000 GPU-days"}}},
          {"of these, %", {{"that need a new machine, %", "new machine"}}},
          {"", {{"causes", "causes"}}},
          {"", {{"log-sd of the rate", "log-sd"}}},
          {"", {{"grade", "grade", true}, {"check", "check", true}}},
          {"", {{"GPUs", "GPUs", true}}}};
}

std::vector<ShownGroup> columns_for(const std::string& kind) {
  if (kind == "gpus") return gpu_columns();
  if (kind == "models") return model_columns();
  if (kind == "providers") return provider_columns();
  if (kind == "stores") return store_columns();
  return failure_columns();
}

Table table_of(const std::vector<const CatalogEntry*>& entries, const std::vector<ShownGroup>& groups,
               const std::string& corner, const Style& style) {
  Table table;
  table.corner = corner;
  for (const CatalogEntry* entry : entries) table.names.push_back(shown(entry->id, style));
  for (const ShownGroup& group : groups) {
    ColumnGroup made{group.head, {}};
    for (const Shown& column : group.columns) {
      made.columns.push_back({column.head.empty() ? column.label : column.head, {}, column.left});
      for (const CatalogEntry* entry : entries)
        made.columns.back().cells.push_back(shown(entry->cell(column.label), style));
    }
    table.groups.push_back(std::move(made));
  }
  return table;
}

/// Entries with the same provider, in the order in which providers come first.
std::vector<std::vector<const CatalogEntry*>> by_provider(const CatalogKind& kind) {
  std::vector<std::vector<const CatalogEntry*>> groups;
  for (const CatalogEntry& entry : kind.entries) {
    const auto same = std::ranges::find_if(
        groups, [&](const auto& group) { return group.front()->cell("provider") == entry.cell("provider"); });
    if (same == groups.end())
      groups.push_back({&entry});
    else
      same->push_back(&entry);
  }
  return groups;
}

using Entries = std::vector<const CatalogEntry*>;

/// The cell that all entries share, those without one left aside; "" if they differ.
std::string shared_cell(const Entries& entries, std::string_view label) {
  std::string shared;
  for (const CatalogEntry* entry : entries) {
    const std::string cell = entry->cell(label);
    if (!shared.empty() && !cell.empty() && cell != shared) return "";
    if (!cell.empty()) shared = cell;
  }
  return shared;
}

/// Machines of one provider. Date and check of the prices are said once if they are the same for all.
void print_instances(std::ostream& out, const Entries& entries, const std::string& corner, const Style& style) {
  std::vector<ShownGroup> groups = instance_columns();
  const std::string date = shared_cell(entries, "prices as of"), check = shared_cell(entries, "price check");
  std::string title = entries.front()->cell("provider");
  if (!date.empty() && !check.empty()) {
    groups.pop_back();
    title += ", prices as of " + date + ", " + check;
  }
  out << "\n" << emphasized(wrapped(shown(title, style), style.width, "", ""), Emphasis::bold, style);
  print(out, table_of(entries, groups, corner, style), style);
}

void print_title(std::ostream& out, const CatalogKind& kind, const Style& style) {
  const std::string title = std::to_string(kind.entries.size()) + " " + kind.name;
  out << emphasized(title, Emphasis::bold, style) << "\n" << wrapped(shown(kind.about, style), style.width, "", "");
}

void print_footer(std::ostream& out, const CatalogKind& kind, const Style& style) {
  if (kind.entries.empty()) return;
  if (kind.name == "instances")
    out << "\n"
        << wrapped(
               "Prices: lowest to highest over all places that are known; spot only where it is below on-demand. An "
               "empty"
               " field: no price is known, and a scenario that needs one must give it.",
               style.width, "", "");
  out << "\n"
      << wrapped("Everything about one, with sources: fleetcast catalog " + kind.name + " " + kind.entries.front().id,
                 style.width, "", "");
}

}  // namespace

void print_catalog(std::ostream& out, const std::vector<CatalogKind>& kinds, const Style& style) {
  Table table;
  table.corner = "kind";
  ColumnGroup group{"", {{"entries", {}}, {"what", {}, true}, {"example", {}, true}}};
  for (const CatalogKind& kind : kinds) {
    table.names.push_back(kind.name);
    group.columns[0].cells.push_back(std::to_string(kind.entries.size()));
    group.columns[1].cells.push_back(kind.what);
    group.columns[2].cells.push_back(kind.entries.empty() ? "" : shown(kind.entries.front().id, style));
  }
  table.groups.push_back(std::move(group));
  print(out, table, style);
  out << "\n" << wrapped("The table of a kind: fleetcast catalog instances", style.width, "", "");
  out << wrapped("One entry with all its sources: fleetcast catalog instances aws/p5.48xlarge", style.width, "", "");
}

void print_catalog_kind(std::ostream& out, const CatalogKind& kind, const Style& style) {
  print_title(out, kind, style);
  if (kind.name == "instances") {
    for (const Entries& entries : by_provider(kind)) print_instances(out, entries, kind.one, style);
  } else {
    Entries entries;
    for (const CatalogEntry& entry : kind.entries) entries.push_back(&entry);
    out << "\n";
    print(out, table_of(entries, columns_for(kind.name), kind.one, style), style);
  }
  print_footer(out, kind, style);
}

}  // namespace fleetcast::analysis
