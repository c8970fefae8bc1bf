#pragma once
// Failures as they were recorded: counts with their exposure, or a log of single events.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/calibration/score.hpp"
#include "analysis/records/failure_rate.hpp"

namespace fleetcast::analysis {

struct FailureInput {
  std::string data;                ///< path
  std::optional<std::string> gpu;  ///< only rows whose column `gpu` says this
};

struct FailureSource {
  std::string name;
  Counted counted;   ///< exposure in GPU-hours
  std::string note;  ///< how the count came about if it is not in the file; may be empty
};

struct RecordedCause {
  std::string name;
  std::vector<FailureSource> sources;
  std::vector<double> detect_s, repair_s;  ///< of a log
};

struct FailureRecords {
  bool is_log = false;
  std::vector<RecordedCause> causes;  ///< most events first
  std::size_t rows = 0;               ///< in the file
  std::vector<SkippedRow> skipped;    ///< by "line 12"
  double gpus_per_node = 8.0;
  // of a log
  double nodes = 0.0, span_h = 0.0;
  std::vector<double> times_h;          ///< of all events, from the start
  std::vector<std::uint32_t> per_node;  ///< failures of every node, those without included; empty: no names
  std::size_t unnamed = 0;              ///< events that name no node
  std::vector<std::string> notes;       ///< odd but possible
};

/// A log has a column `time_s` (from the start) or `time` (dates with an offset), and no column of counts; `node`,
/// `cause`, `detect_s`, `repair_s` may be there; its head says `nodes` and `span_days`, and `gpus_per_node` (else 8).
/// Counts have `events` (or `count`), and `gpu_hours`, `node_days`, or nodes (`nodes_8gpu`, `nodes`) or `gpus` with
/// `span_days`; `cause`, `source`, `gpu`, and `rate_per_node_day` (of 8 GPUs) for the events of a blank count. Rows
/// with one exposure and one citation (the text in brackets of `source`), or names of which one begins with the other,
/// are the same observations: the first counts. Throws InputError with line and column of every fault.
FailureRecords read_failure_records(const FailureInput& input);

}  // namespace fleetcast::analysis
