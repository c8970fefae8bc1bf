#pragma once
// Published full training runs as questions to the step model.
#include <cstddef>
#include <string>
#include <vector>

#include "analysis/calibration/published_runs_text.hpp"
#include "analysis/calibration/score.hpp"
#include "models/catalog.hpp"

namespace fleetcast::analysis {

/// One run whose GPU-hours are known. `question` lacks its layout.
struct PublishedRun {
  std::string id, family, model, gpu;
  std::string usable;      ///< "yes" or "weak"
  double measured = 0;     ///< GPU-hours
  double tokens = 0;       ///< trained on
  double step_tokens = 0;  ///< global batch
  double gpus = 0;         ///< whole
  bool assumed_gpus = false;
  bool pure_steps = false;  ///< hours made from step times or throughput: no time is lost in them
  double goodput = 0;       ///< (0, 1]; 0: not published
  StatedLayout stated;
  models::StepQuestion question;
};

struct PublishedRuns {
  std::size_t in_file = 0;
  std::vector<PublishedRun> runs;
  std::vector<SkippedRow> skipped;
};

/// Rows of language models on GPUs whose column `usable` starts with "yes" or "weak". Columns as in
/// published_runs.csv; blank fields are filled by documented rules (models/README.md). Throws InputError for a file
/// that cannot be read, a missing column or a field that is no number.
PublishedRuns read_published_runs(const std::string& path, const models::Catalog& catalog);

}  // namespace fleetcast::analysis
