#pragma once
// A fit of the step model, and what it says of rows that were left out of it.
#include <string>
#include <vector>

#include "analysis/calibration/throughput_fit.hpp"
#include "models/throughput_calibration.hpp"

namespace fleetcast::analysis {

/// Rows of a calibration by their part in it.
struct StudyRows {
  std::vector<ThroughputRow> judged;    ///< fitted, and left out in turn to be predicted
  std::vector<ThroughputRow> beside;    ///< fitted only: grids of small shapes of one code
  std::vector<ThroughputRow> unfitted;  ///< predicted only: adapters and encoders
};

/// Kind of a row as models::ThroughputSpread names it: "tuned dense", "ordinary dense", "mixture", "adapters",
/// "encoder".
std::string spread_kind(const ThroughputRow& row);

/// Predictions of the judged rows with a group left out in turn.
struct LeftOut {
  std::string what;                ///< "source and model", "source"
  std::vector<std::string> group;  ///< of each row
  std::vector<double> predicted;   ///< tokens/s/GPU
  std::vector<double> half_width;  ///< of the 90 % interval in the logarithm, from the residuals of the other groups
};

struct ThroughputStudy {
  ThroughputFit fit;
  LeftOut by_model, by_source;
  std::vector<models::ThroughputSpread> spreads;
};

/// `threads` 0: all cores; they never change the result.
ThroughputStudy study_throughput(const StudyRows& rows, unsigned threads);

}  // namespace fleetcast::analysis
