#include "analysis/table.hpp"

#include <algorithm>
#include <span>

namespace fleetcast::analysis {

namespace {

constexpr std::size_t gap = 2, group_gap = 3;
constexpr int stacked_below = 60;

std::size_t width_of(const Column& column) {
  std::size_t width = columns_of(column.head);
  for (const std::string& cell : column.cells) width = std::max(width, columns_of(cell));
  return width;
}

/// Widths of the columns of a group; the last is widened if the head of the group is longer than all.
std::vector<std::size_t> widths_of(const ColumnGroup& group) {
  std::vector<std::size_t> widths;
  std::size_t total = 0;
  for (const Column& column : group.columns) {
    widths.push_back(width_of(column));
    total += widths.back() + (widths.size() > 1 ? gap : 0);
  }
  if (!widths.empty() && total < columns_of(group.head)) widths.back() += columns_of(group.head) - total;
  return widths;
}

std::size_t width_of(const ColumnGroup& group) {
  std::size_t total = 0;
  for (const std::size_t width : widths_of(group)) total += width + (total > 0 ? gap : 0);
  return total;
}

std::size_t names_width(const Table& table) {
  std::size_t width = columns_of(table.corner);
  for (const std::string& name : table.names) width = std::max(width, columns_of(name));
  return width;
}

std::string without_trailing_blanks(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::string place(const Column& column, std::string_view text, std::size_t width) {
  return column.left ? padded_right(text, width) : padded_left(text, width);
}

template <class Cell>
std::string line_of(std::span<const ColumnGroup> groups, std::string line, Cell&& cell) {
  for (const ColumnGroup& group : groups) {
    line += std::string(group_gap, ' ');
    const auto widths = widths_of(group);
    for (std::size_t i = 0; i < widths.size(); ++i)
      line += std::string(i > 0 ? gap : 0, ' ') + place(group.columns[i], cell(group.columns[i]), widths[i]);
  }
  return without_trailing_blanks(line);
}

void print_heads(std::ostream& out, std::span<const ColumnGroup> groups, const Table& table, std::size_t names,
                 const Style& style) {
  std::string line(names, ' ');
  bool any = false;
  for (const ColumnGroup& group : groups) {
    any = any || !group.head.empty();
    const bool alone = group.columns.size() == 1 && !group.columns[0].left;
    line += std::string(group_gap, ' ');
    line += alone ? padded_left(group.head, width_of(group)) : padded_right(group.head, width_of(group));
  }
  if (any) out << emphasized(without_trailing_blanks(line), Emphasis::bold, style) << "\n";
  const std::string heads =
      line_of(groups, padded_right(table.corner, names), [](const Column& column) { return column.head; });
  if (!heads.empty()) out << emphasized(heads, Emphasis::bold, style) << "\n";
  std::size_t width = names;
  for (const ColumnGroup& group : groups) width += group_gap + width_of(group);
  std::string rule;
  for (std::size_t i = 0; i < width; ++i) rule += signs_of(style).line;
  out << emphasized(rule, Emphasis::dim, style) << "\n";
}

void print_block(std::ostream& out, std::span<const ColumnGroup> groups, const Table& table, const Style& style) {
  const std::size_t names = names_width(table);
  print_heads(out, groups, table, names, style);
  for (std::size_t row = 0; row < table.names.size(); ++row) {
    const std::string line = line_of(groups, padded_right(table.names[row], names),
                                     [row](const Column& column) { return column.cells[row]; });
    const bool good = row < table.good.size() && table.good[row];
    out << emphasized(line, good ? Emphasis::good : Emphasis::none, style) << "\n";
  }
}

void print_stacked(std::ostream& out, const Table& table, const Style& style) {
  for (std::size_t row = 0; row < table.names.size(); ++row) {
    out << emphasized(wrapped(table.names[row], style.width, "", ""), Emphasis::bold, style);
    for (const ColumnGroup& group : table.groups)
      for (const Column& column : group.columns) {
        if (column.cells[row].empty()) continue;
        const std::string head = group.head + (group.head.empty() || column.head.empty() ? "" : " ") + column.head;
        out << wrapped(head + ": " + column.cells[row], style.width, "  ", "    ");
      }
  }
}

/// Number of groups from the first on that fit side by side; at least one.
std::size_t fitting(std::span<const ColumnGroup> groups, std::size_t names, std::size_t width) {
  std::size_t used = names, count = 0;
  for (const ColumnGroup& group : groups) {
    used += group_gap + width_of(group);
    if (used > width && count > 0) break;
    ++count;
  }
  return count;
}

bool too_wide(const Table& table, std::size_t width) {
  return std::ranges::any_of(
      table.groups, [&](const ColumnGroup& group) { return names_width(table) + group_gap + width_of(group) > width; });
}

}  // namespace

void print(std::ostream& out, const Table& table, const Style& style) {
  const auto width = static_cast<std::size_t>(std::max(style.width, 1));
  if (style.width < stacked_below || too_wide(table, width)) return print_stacked(out, table, style);
  std::span<const ColumnGroup> left = table.groups;
  while (!left.empty()) {
    const std::size_t count = fitting(left, names_width(table), width);
    print_block(out, left.first(count), table, style);
    left = left.subspan(count);
    if (!left.empty()) out << "\n";
  }
}

}  // namespace fleetcast::analysis
