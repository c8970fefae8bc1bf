#pragma once
// A table that fits any terminal: groups of columns side by side as far as they fit, the others below with the row
// names repeated, and below 60 columns one figure a line.
#include <ostream>
#include <string>
#include <vector>

#include "analysis/format.hpp"

namespace fleetcast::analysis {

struct Column {
  std::string head;                ///< under the head of its group; may be empty
  std::vector<std::string> cells;  ///< one per row
  bool left = false;               ///< text instead of a figure
};

struct ColumnGroup {
  std::string head;  ///< above its columns; may be empty
  std::vector<Column> columns;
};

struct Table {
  std::string corner;              ///< head of the row names
  std::vector<std::string> names;  ///< one per row
  std::vector<ColumnGroup> groups;
  std::vector<bool> good;  ///< rows to point out; may be empty
};

void print(std::ostream& out, const Table& table, const Style& style);

}  // namespace fleetcast::analysis
