#pragma once
// What `fleetcast score` and `fleetcast calibrate` ask of the throughput model.
#include <optional>
#include <string>
#include <vector>

#include "analysis/calibration/calibration_report.hpp"
#include "models/catalog.hpp"

namespace fleetcast::analysis {

/// Predicts each usable row of a table of measured throughputs (columns of `measured_calibration.csv`). Throws
/// InputError with file, line, column and value for a table that cannot be read.
Score score_throughput(const std::string& csv_path, const models::Catalog& catalog);

/// The same for GPU-hours of published training runs (columns of `published_runs.csv`).
Score score_runs(const std::string& csv_path, const models::Catalog& catalog);

struct CalibrationInput {
  std::string data;                     ///< table of measured throughputs
  std::vector<std::string> also;        ///< tables of one code each, fitted too but weighing 15 rows in all
  std::optional<std::string> doubtful;  ///< table whose column `id` lists rows to leave out
};

struct Calibration {
  CalibrationReport report;
  std::string json;  ///< text of the calibration file
};

/// Fits the throughput model to the usable rows of the table. `threads` 0: all cores; they never change the result.
/// Throws as `score_throughput`.
Calibration calibrate_throughput(const CalibrationInput& input, const models::Catalog& catalog, unsigned threads);

}  // namespace fleetcast::analysis
