#pragma once
// The two forms of failure records.
#include "analysis/records/failure_records.hpp"
#include "analysis/records/record_table.hpp"

namespace fleetcast::analysis {

FailureRecords read_failure_counts(RecordTable& table, const FailureInput& input);
FailureRecords read_failure_log(RecordTable& table, const FailureInput& input);

/// The cause of this name, made if it is new.
RecordedCause& cause_named(std::vector<RecordedCause>& causes, const std::string& name);
/// GPUs of a node: what the head says, else 8, which is noted.
double gpus_per_node_of(RecordTable& table, std::vector<std::string>& notes);

constexpr double most_nodes = 1e7, most_gpus_per_node = 1024.0, most_events = 1e9;

}  // namespace fleetcast::analysis
