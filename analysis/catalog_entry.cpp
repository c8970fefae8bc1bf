// One entry of the catalog in full.
#include <algorithm>
#include <set>
#include <sstream>

#include "analysis/catalog_report.hpp"
#include "analysis/table.hpp"

namespace fleetcast::analysis {

namespace {

using scenarios::Member;
using scenarios::Node;

constexpr std::size_t widest_cell = 40;

bool is_scalar(const Node& node) {
  return node.kind != Node::Kind::list && node.kind != Node::Kind::object;
}

/// Source, date and check are said together.
bool is_provenance(const std::string& key) {
  return key == "source" || key == "date" || key == "check";
}

std::string scalar_text(const Node& node) {
  if (node.kind == Node::Kind::boolean) return node.boolean ? "yes" : "no";
  return node.text;
}

std::string in_words(std::string key) {
  std::ranges::replace(key, '_', ' ');
  return key;
}

/// "a, b, c" for a list of plain values.
std::string joined(const Node& list) {
  std::string text;
  for (const Node& item : list.items) text += (text.empty() ? "" : ", ") + scalar_text(item);
  return text.empty() ? "-" : text;
}

bool is_plain_list(const Node& node) {
  return node.kind == Node::Kind::list && std::ranges::all_of(node.items, is_scalar);
}

/// True for objects whose members are all short: they go into a table.
bool fits_a_table(const Node& list) {
  return list.items.size() > 1 && std::ranges::all_of(list.items, [](const Node& item) {
           return item.kind == Node::Kind::object && std::ranges::all_of(item.members, [](const Member& member) {
                    return is_scalar(member.value) && member.value.text.size() <= widest_cell;
                  });
         });
}

class Writer {
 public:
  Writer(std::ostream& out, const Style& style) : out_{out}, style_{style} {}

  void line(const std::string& label, const std::string& text, int depth) {
    const std::string indent(static_cast<std::size_t>(2 * depth), ' ');
    out_ << wrapped(shown(label + ": " + text, style_), style_.width, indent, indent + "    ");
  }

  void paragraph(const std::string& text, int depth) {
    const std::string indent(static_cast<std::size_t>(2 * depth), ' ');
    out_ << wrapped(shown(text, style_), style_.width, indent, indent);
  }

  void heading(const std::string& text, int depth) {
    const std::string indent(static_cast<std::size_t>(2 * depth), ' ');
    out_ << emphasized(wrapped(shown(text, style_), style_.width, indent, indent), Emphasis::bold, style_);
  }

  /// The members of an object, its source at the end.
  void object(const Node& node, int depth) {
    for (const Member& member : node.members)
      if (!is_provenance(member.key)) value(member.key, member.value, depth);
    provenance(node, depth);
  }

 private:
  void value(const std::string& key, const Node& node, int depth) {
    if (key == "text") return paragraph(node.text, depth);
    if (is_scalar(node)) return line(in_words(key), scalar_text(node), depth);
    if (is_plain_list(node)) return line(in_words(key), joined(node), depth);
    heading(in_words(key), depth);
    if (node.kind == Node::Kind::object) return object(node, depth + 1);
    if (fits_a_table(node)) return table(node, depth + 1);
    for (const Node& item : node.items) object(item, depth + 1);
  }

  void provenance(const Node& node, int depth) {
    std::string text;
    for (const char* key : {"check", "date"})
      if (const Node* found = node.find(key)) text += (text.empty() ? "" : ", ") + scalar_text(*found);
    if (const Node* source = node.find("source")) text += (text.empty() ? "" : ": ") + source->text;
    if (text.empty()) return;
    const std::string indent(static_cast<std::size_t>(2 * depth), ' ');
    out_ << emphasized(wrapped(shown("(" + text + ")", style_), style_.width, indent, indent + " "), Emphasis::dim,
                       style_);
  }

  void table(const Node& list, int depth) {
    Table table;
    ColumnGroup group;
    std::set<std::string> seen;
    for (const Node& item : list.items)
      for (const Member& member : item.members)
        if (seen.insert(member.key).second) group.columns.push_back(column_of(list, member.key));
    table.corner = group.columns.front().head;
    table.names = std::move(group.columns.front().cells);
    group.columns.erase(group.columns.begin());
    if (!group.columns.empty()) table.groups.push_back(std::move(group));
    std::ostringstream text;
    Style narrower = style_;
    narrower.width -= 2 * depth;
    print(text, table, narrower);
    indented(text.str(), depth);
  }

  void indented(const std::string& text, int depth) {
    std::istringstream lines{text};
    for (std::string line; std::getline(lines, line);)
      out_ << std::string(static_cast<std::size_t>(2 * depth), ' ') << line << "\n";
  }

  [[nodiscard]] Column column_of(const Node& list, const std::string& key) const {
    Column column{in_words(key), {}, true};
    for (const Node& item : list.items) {
      const Node* found = item.find(key);
      column.cells.push_back(found ? shown(scalar_text(*found), style_) : "");
    }
    return column;
  }

  std::ostream& out_;
  const Style& style_;
};

/// True for what is written in the file just so.
bool repeats(const CatalogFigure& figure, const Node& written) {
  const Node* found = written.find(figure.key);
  std::string digits = figure.cell;
  std::erase(digits, ',');
  return found && is_scalar(*found) && scalar_text(*found) == digits;
}

void print_figures(Writer& writer, const CatalogEntry& entry) {
  writer.heading("At a glance", 0);
  for (const CatalogFigure& figure : entry.figures) {
    if (figure.cell.empty() || figure.label.empty() || repeats(figure, entry.written)) continue;
    writer.line(figure.label, figure.cell + (figure.unit.empty() ? "" : " " + figure.unit), 1);
  }
}

}  // namespace

void print_catalog_entry(std::ostream& out, const CatalogKind& kind, const CatalogEntry& entry, const Style& style) {
  Writer writer{out, style};
  writer.heading(kind.one + " " + entry.id, 0);
  out << "\n";
  print_figures(writer, entry);
  out << "\n";
  writer.heading("As written in " + kind.file, 0);
  writer.object(entry.written, 1);
}

}  // namespace fleetcast::analysis
