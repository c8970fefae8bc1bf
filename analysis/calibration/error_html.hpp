#pragma once
// Error statistics side by side, as a table on a page.
#include <string>

#include "analysis/calibration/error_table.hpp"

namespace fleetcast::analysis {

/// The figures of `error_table`, with a bar: dark to the median error, pale to that of nine in ten.
std::string error_table_html(const std::string& corner, const NamedErrors& errors);

}  // namespace fleetcast::analysis
