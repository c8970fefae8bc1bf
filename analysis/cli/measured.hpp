#pragma once
// What `score` and `calibrate` have in common around their work.
#include <string>

#include "analysis/calibration/score.hpp"
#include "analysis/cli/score_options.hpp"
#include "models/catalog.hpp"

namespace fleetcast::cli {

models::Catalog catalog_of(const MeasuredOptions& options);

/// What made a page or file, from which data, without their folders: "fleetcast 0.1.0 (commit ...), from rows.csv".
std::string origin_of(const MeasuredOptions& options);

/// Writes the file, and says so on standard error: "WHAT is in PATH".
void write_file(const std::string& path, const std::string& text, const std::string& what,
                const MeasuredOptions& options);

/// Says on standard error why no row was usable.
void explain_unusable(const std::string& data, std::size_t rows, const std::vector<analysis::SkippedRow>& skipped);

}  // namespace fleetcast::cli
