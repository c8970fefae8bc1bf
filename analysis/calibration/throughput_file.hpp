#pragma once
// A study as the calibration file that the program reads.
#include <string>

#include "analysis/calibration/calibration_report.hpp"
#include "analysis/calibration/throughput_study.hpp"

namespace fleetcast::analysis {

/// `origin`: file name of the table.
std::string throughput_file(const StudyRows& rows, const ThroughputStudy& study, const CalibrationReport& report,
                            const std::string& origin);

}  // namespace fleetcast::analysis
