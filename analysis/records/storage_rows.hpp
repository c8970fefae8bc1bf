#pragma once
// Timed saves and loads, as they were recorded.
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "analysis/calibration/score.hpp"

namespace fleetcast::analysis {

struct StorageInput {
  std::string data;                ///< path
  std::string store = "measured";  ///< name of the store where the rows name none
};

/// One save or load: so many bytes between so many nodes and the store.
struct Transfer {
  std::string id;  ///< "line 12"
  double bytes = 0.0, nodes = 1.0, seconds = 0.0;
  double ranks = 0.0;  ///< 0: not said
};

struct StorageRows {
  /// By store and kind ("save", "load").
  std::map<std::pair<std::string, std::string>, std::vector<Transfer>> groups;
  std::size_t rows = 0;  ///< in the file
  std::vector<SkippedRow> skipped;
};

/// Columns `bytes` (or `gb`, 10^9), `nodes`, `seconds` (or `time_s`), and `ranks`, `store`, `kind` (save or load; else
/// save) if they are there. Bytes are of all nodes together. Rows with a blank are skipped. Throws InputError with line
/// and column of every fault.
StorageRows read_storage_rows(const StorageInput& input);

}  // namespace fleetcast::analysis
