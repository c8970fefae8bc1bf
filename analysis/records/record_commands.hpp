#pragma once
// What `fleetcast calibrate failures`, `calibrate price` and `calibrate storage` ask for. All of it is a pure function
// of the files: the same bits in every call. Show a report with `print_records`, `record_report_json`, `records_html`
// (record_report.hpp).
#include <string>
#include <vector>

#include "analysis/records/failure_records.hpp"
#include "analysis/records/record_report.hpp"
#include "analysis/records/storage_rows.hpp"

namespace fleetcast::analysis {

struct RecordCalibration {
  RecordReport report;
  std::string json;  ///< text of the calibration file; "" if report.rows is 0: nothing could be used
};

/// Rates of failures with their uncertainty, times of detection and repair, bad nodes ("fleetcast-failures-1", with a
/// ready `failures` object). Throws InputError with file, line and column of every fault (see `read_failure_records`).
RecordCalibration calibrate_failures(const FailureInput& input);

/// Laws of recorded prices: each trace, and all traces of one provider and instance together ("fleetcast-price-1",
/// with ready `price` values). A trace has `time_s` or `time` and `usd_per_hour`, its head may say `provider`,
/// `instance`, `zone`, `on_demand_usd_per_hour`. At least one path. Throws InputError with file and line.
RecordCalibration calibrate_price(const std::vector<std::string>& traces);

/// Fixed part and rates of stores from timed saves and loads ("fleetcast-storage-1", with ready entries of
/// `define.stores`). Throws InputError with file, line and column of every fault (see `read_storage_rows`).
RecordCalibration calibrate_storage(const StorageInput& input);

}  // namespace fleetcast::analysis
