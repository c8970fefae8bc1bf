#include "analysis/records/failure_records.hpp"

#include <algorithm>
#include <numeric>

#include "analysis/records/failure_readers.hpp"

namespace fleetcast::analysis {

namespace {

double events_of(const RecordedCause& cause) {
  return std::accumulate(cause.sources.begin(), cause.sources.end(), 0.0,
                         [](double sum, const FailureSource& source) { return sum + source.counted.events; });
}

}  // namespace

RecordedCause& cause_named(std::vector<RecordedCause>& causes, const std::string& name) {
  const auto at = std::ranges::find(causes, name, &RecordedCause::name);
  if (at != causes.end()) return *at;
  RecordedCause& cause = causes.emplace_back();
  cause.name = name;
  return cause;
}

double gpus_per_node_of(RecordTable& table, std::vector<std::string>& notes) {
  if (const auto said = table.head_number("gpus_per_node", 1.0, most_gpus_per_node)) return *said;
  if (!table.head("gpus_per_node")) notes.emplace_back("the head does not say gpus_per_node: 8 are assumed");
  return 8.0;
}

FailureRecords read_failure_records(const FailureInput& input) {
  RecordTable table{input.data};
  const bool is_log = table.find({"time_s", "time"}) && !table.find({"events", "count", "failures"});
  FailureRecords records = is_log ? read_failure_log(table, input) : read_failure_counts(table, input);
  table.throw_if_any();
  records.rows = table.rows();
  std::ranges::stable_sort(records.causes,
                           [](const RecordedCause& a, const RecordedCause& b) { return events_of(a) > events_of(b); });
  return records;
}

}  // namespace fleetcast::analysis
