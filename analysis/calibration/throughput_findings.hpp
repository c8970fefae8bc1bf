#pragma once
// What planners act on: ratios between formats and GPUs, loss by scaling, models that were not fitted.
#include <string>
#include <utility>
#include <vector>

#include "analysis/calibration/throughput_study.hpp"

namespace fleetcast::analysis {

/// Name and text of each. Ratios compare rows alike in all but the format (or the GPU) with left-out predictions.
std::vector<std::pair<std::string, std::string>> throughput_findings(const StudyRows& rows,
                                                                     const ThroughputStudy& study);

}  // namespace fleetcast::analysis
