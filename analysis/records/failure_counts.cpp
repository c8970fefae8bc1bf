// Counts of failures with their exposure.
#include <cmath>
#include <limits>

#include "analysis/records/failure_readers.hpp"
#include "scenarios/document.hpp"
#include "scenarios/values.hpp"

namespace fleetcast::analysis {

namespace {

constexpr double endless = std::numeric_limits<double>::infinity(), tiny = std::numeric_limits<double>::min();
constexpr double gpus_of_a_rate = 8.0;  // rate_per_node_day is of nodes of 8 GPUs

using Column = std::optional<std::size_t>;

struct Columns {
  Column events, rate, gpu_hours, node_days, nodes_of_8, nodes, gpus, span_days, span_hours, per_node;
  Column cause, source, gpu;
};

Columns columns_of(const RecordTable& table) {
  Columns columns{table.find({"events", "count", "failures", "interruptions"}),
                  table.find({"rate_per_node_day"}),
                  table.find({"gpu_hours", "gpu_h"}),
                  table.find({"node_days"}),
                  table.find({"nodes_8gpu"}),
                  table.find({"nodes"}),
                  table.find({"gpus", "n_gpus"}),
                  table.find({"span_days", "days"}),
                  table.find({"span_hours", "hours"}),
                  table.find({"gpus_per_node"}),
                  table.find({"cause"}),
                  table.find({"source", "cluster", "name"}),
                  table.find({"gpu"})};
  if (!columns.events) columns.events = table.need({"events", "count", "failures"});
  const bool size = columns.nodes_of_8 || columns.nodes || columns.gpus;
  const bool span = columns.span_days || columns.span_hours;
  if (!columns.gpu_hours && !columns.node_days && !(size && span))
    (void)table.need({"gpu_hours", "node_days", "nodes_8gpu with span_days"});
  return columns;
}

std::string in_brackets(const std::string& source) {
  const std::size_t open = source.find('('), close = source.find(')', open);
  return open == std::string::npos || close == std::string::npos ? "" : source.substr(open, close - open);
}

bool same_observations(const std::string& a, const std::string& b) {
  const std::string cited = in_brackets(a);
  if (!cited.empty() && cited == in_brackets(b)) return true;
  const std::string_view plain_a = scenarios::trimmed(std::string_view{a}.substr(0, a.find('(')));
  const std::string_view plain_b = scenarios::trimmed(std::string_view{b}.substr(0, b.find('(')));
  return plain_a.starts_with(plain_b) || plain_b.starts_with(plain_a);
}

class CountsReader {
 public:
  CountsReader(RecordTable& table, const FailureInput& input)
      : table_{table}, input_{input}, columns_{columns_of(table)} {}

  FailureRecords read() {
    const bool nodes = columns_.nodes || columns_.node_days;
    records_.gpus_per_node = nodes && !columns_.per_node ? gpus_per_node_of(table_, records_.notes) : gpus_of_a_rate;
    for (std::size_t row = 0; row < table_.rows(); ++row) take(row);
    return std::move(records_);
  }

 private:
  void skip(std::size_t row, std::string reason) {
    records_.skipped.push_back({"line " + std::to_string(table_.line(row)), std::move(reason)});
  }

  std::optional<double> positive(std::size_t row, const Column& column) {
    return table_.number(row, column, tiny, endless);
  }

  /// GPU-hours of the row; nothing if a part is blank.
  std::optional<double> exposure(std::size_t row) {
    if (const auto hours = positive(row, columns_.gpu_hours)) return hours;
    const double per_node = positive(row, columns_.per_node).value_or(records_.gpus_per_node);
    if (const auto days = positive(row, columns_.node_days)) return *days * per_node * 24.0;
    std::optional<double> gpus = positive(row, columns_.gpus);
    if (const auto nodes = positive(row, columns_.nodes)) gpus = *nodes * per_node;
    if (const auto nodes = positive(row, columns_.nodes_of_8)) gpus = *nodes * gpus_of_a_rate;
    std::optional<double> hours = positive(row, columns_.span_hours);
    if (const auto days = positive(row, columns_.span_days)) hours = *days * 24.0;
    if (!gpus || !hours) return std::nullopt;
    return *gpus * *hours;
  }

  std::optional<double> events(std::size_t row, double exposure, std::string& note) {
    const auto count = table_.number(row, columns_.events, 0.0, most_events);
    if (count && *count != std::floor(*count)) {
      table_.fault(row, *columns_.events, "the count is " + scenarios::in_quotes(table_.text(row, *columns_.events)),
                   "a whole number");
      return std::nullopt;
    }
    if (count) return count;
    const auto rate = table_.number(row, columns_.rate, 0.0, endless);
    if (!rate) return std::nullopt;
    note = "count worked out from the published rate";
    return std::round(*rate * exposure / (gpus_of_a_rate * 24.0));
  }

  /// True if a row before counts the same observations: the exposure is the same, and so is what stands in brackets, or
  /// one name begins with the other ("Llama 3 405B", "Llama 3 405B hardware only").
  bool seen_before(std::size_t row, const std::string& cause, const std::string& source, double exposure) {
    if (source.empty()) return false;
    for (const Seen& seen : seen_) {
      if (seen.cause != cause || seen.exposure != exposure || !same_observations(seen.source, source)) continue;
      skip(row, "the same observations as line " + std::to_string(seen.line) + ", counted otherwise");
      return true;
    }
    seen_.push_back({cause, source, exposure, table_.line(row)});
    return false;
  }

  void take(std::size_t row) {
    if (input_.gpu && table_.text(row, columns_.gpu) != *input_.gpu) return skip(row, "another GPU");
    const auto gpu_hours = exposure(row);
    std::string note;
    const auto count = events(row, gpu_hours.value_or(0.0), note);
    if (!gpu_hours || !count) return skip(row, "without a count in a known exposure its rate says not how sure it is");
    const std::string cause = table_.text(row, columns_.cause), source = table_.text(row, columns_.source);
    if (seen_before(row, cause, source, *gpu_hours)) return;
    const std::string name = source.empty() ? "line " + std::to_string(table_.line(row)) : source;
    cause_named(records_.causes, cause.empty() ? "failure" : cause)
        .sources.push_back({name, {*count, *gpu_hours}, note});
  }

  RecordTable& table_;
  const FailureInput& input_;
  Columns columns_;
  FailureRecords records_;
  struct Seen {
    std::string cause, source;
    double exposure;
    std::size_t line;
  };
  std::vector<Seen> seen_;
};

}  // namespace

FailureRecords read_failure_counts(RecordTable& table, const FailureInput& input) {
  return CountsReader{table, input}.read();
}

}  // namespace fleetcast::analysis
