#pragma once
// Published training throughputs as questions to the step model.
#include <map>
#include <string>
#include <vector>

#include "analysis/calibration/csv_table.hpp"
#include "analysis/calibration/score.hpp"
#include "models/catalog.hpp"
#include "models/workpiece.hpp"

namespace fleetcast::analysis {

/// One measured row of a transformer.
struct ThroughputRow {
  std::string id, source, model, gpu, task;
  std::string family;         ///< the model without the name of a stand-in: what is left out together
  std::string configuration;  ///< rows with the same one repeat each other (software releases)
  models::StepQuestion question;
  models::Workpiece work;
  double tokens_per_step = 0;
  double measured = 0;  ///< tokens/s/GPU
  double weight = 1;    ///< 1 / rows of the configuration

  [[nodiscard]] bool mixture() const { return work.mixture_layers > 0 || work.hybrid; }
  [[nodiscard]] bool decoder() const { return question.shape.causal; }
  [[nodiscard]] double gpus() const { return work.gpus; }
};

struct ThroughputRows {
  std::size_t in_file = 0;
  std::vector<ThroughputRow> rows;
  std::vector<SkippedRow> skipped;
  std::vector<CsvLine> skipped_lines;  ///< of the same rows
};

/// Rows with tokens per second of a transformer whose shape is known. Columns as in measured_calibration.csv; blank
/// layout fields are filled by documented rules (models/README.md). Throws InputError for a file that cannot be read, a
/// missing column or a field that is no number.
ThroughputRows read_throughput_rows(const std::string& path, const models::Catalog& catalog);

}  // namespace fleetcast::analysis
