#include "analysis/records/storage_rows.hpp"

#include <cmath>
#include <limits>

#include "analysis/records/record_table.hpp"
#include "scenarios/document.hpp"

namespace fleetcast::analysis {

namespace {

constexpr double endless = std::numeric_limits<double>::infinity(), tiny = std::numeric_limits<double>::min();
constexpr double most_nodes = 1e7, most_ranks = 1e9;
constexpr double bytes_of_a_gb = 1e9;

class StorageReader {
 public:
  explicit StorageReader(const StorageInput& input)
      : input_{input},
        table_{input.data},
        in_gb_{!table_.find({"bytes"})},
        bytes_{table_.need({"bytes", "gb"})},
        nodes_{table_.need({"nodes"})},
        seconds_{table_.need({"seconds", "time_s"})},
        ranks_{table_.find({"ranks"})},
        store_{table_.find({"store"})},
        kind_{table_.find({"kind"})} {}

  StorageRows read() {
    for (std::size_t row = 0; row < table_.rows(); ++row) take(row);
    table_.throw_if_any();
    rows_.rows = table_.rows();
    return std::move(rows_);
  }

 private:
  std::string kind(std::size_t row) {
    const std::string text = table_.text(row, kind_);
    if (text.empty() || text == "save" || text == "load") return text.empty() ? "save" : text;
    table_.fault(row, *kind_, "kind is " + scenarios::in_quotes(text), "save or load");
    return "save";
  }

  void whole(std::size_t row, std::size_t column, const std::optional<double>& value, const char* what) {
    if (value && *value != std::floor(*value))
      table_.fault(row, column, std::string{what} + " are " + scenarios::in_quotes(table_.text(row, column)),
                   "a whole number");
  }

  void take(std::size_t row) {
    const auto bytes = table_.number(row, bytes_, tiny, endless), nodes = table_.number(row, nodes_, 1.0, most_nodes),
               seconds = table_.number(row, seconds_, tiny, endless),
               ranks = table_.number(row, ranks_, 1.0, most_ranks);
    whole(row, nodes_, nodes, "nodes");
    const std::string of = kind(row), id = "line " + std::to_string(table_.line(row));
    if (!bytes || !nodes || !seconds) {
      rows_.skipped.push_back({id, "bytes, nodes or seconds are blank"});
      return;
    }
    const std::string named = table_.text(row, store_);
    rows_.groups[{named.empty() ? input_.store : named, of}].push_back(
        {id, *bytes * (in_gb_ ? bytes_of_a_gb : 1.0), *nodes, *seconds, ranks.value_or(0.0)});
  }

  const StorageInput& input_;
  RecordTable table_;
  bool in_gb_;
  std::size_t bytes_, nodes_, seconds_;
  std::optional<std::size_t> ranks_, store_, kind_;
  StorageRows rows_;
};

}  // namespace

StorageRows read_storage_rows(const StorageInput& input) {
  return StorageReader{input}.read();
}

}  // namespace fleetcast::analysis
