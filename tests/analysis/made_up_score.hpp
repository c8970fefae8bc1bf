#pragma once
// Scores with known errors.
#include <string>
#include <utility>
#include <vector>

#include "analysis/calibration/calibration_report.hpp"

namespace made_up {

using fleetcast::analysis::CalibrationReport;
using fleetcast::analysis::Score;
using fleetcast::analysis::ScoredRow;

/// Measured 100; predicted 100 (1 + error), with an interval of 10 % around that.
inline ScoredRow row(const std::string& id, double error) {
  ScoredRow made;
  made.id = id;
  made.measured = 100.0;
  made.predicted = 100.0 * (1.0 + error);
  made.low = made.predicted / 1.1;
  made.high = made.predicted * 1.1;
  made.unit = "tokens/s/GPU";
  made.source = "a table";
  made.model = "Llama-3 8B";
  made.gpu = "H100";
  made.precision = "fp8";
  made.size_class = "1-10B";
  made.kind = "dense";
  return made;
}

/// Rows r0, r1, ... with these errors.
inline Score score(const std::vector<double>& errors) {
  Score made;
  made.kind = "throughput";
  made.rows = errors.size();
  for (const double error : errors) made.scored.push_back(row("r" + std::to_string(made.scored.size()), error));
  made.about = "Made up.";
  return made;
}

inline void skip(Score& score, const std::string& id, const std::string& reason) {
  score.skipped.push_back({id, reason});
  ++score.rows;
}

inline CalibrationReport calibration() {
  CalibrationReport made;
  made.in_sample = score({0.01, -0.02, 0.03});
  made.cross_validation = {{"source and model left out", score({0.05, -0.04, 0.2})},
                           {"whole source left out", score({0.1, -0.1, 0.3})}};
  made.rows = 3;
  made.groups = 2;
  made.skipped = {{"s1", "no shape"}};
  made.parameters = {{"e16", "share of the ceiling", "", 0.87, 0.84, 0.91, 0.9, 0.7, 1.1, false, 0.83},
                     {"kw", "bytes per weight", "B", 8.0, 8.0, 8.0, 8.0, 4.0, 16.0, true, 0.0}};
  made.findings = {{"FP8 over BF16", "measured 1.38, predicted 1.42"}};
  return made;
}

}  // namespace made_up
