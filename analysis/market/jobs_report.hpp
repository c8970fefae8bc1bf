#pragma once
// The table of the forecast jobs.
#include <ostream>
#include <string>

#include "analysis/market/jobs_study.hpp"
#include "analysis/style.hpp"

namespace fleetcast::analysis {

std::string jobs_headline(const JobsStudy& study);
void print_jobs_study(std::ostream& out, const JobsStudy& study, const Style& style);
/// {"kind","later_half","next_zone","skipped"}
std::string jobs_study_json(const JobsStudy& study);
std::string jobs_study_html(const JobsStudy& study, const std::string& origin);

}  // namespace fleetcast::analysis
