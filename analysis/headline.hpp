#pragma once
// The answer in words.
#include <span>
#include <string>

#include "analysis/report.hpp"

namespace fleetcast::analysis {

/// One or two sentences: the cheapest strategy, by how much and how surely, when it finishes, whether that is in time;
/// and the cheapest that is in time, if that is another one.
std::string headline(const RunSummary& summary, std::span<const sim::Plan> plans, const Style& style);

/// Each on a line of its own, then a blank line; nothing if there are none.
void print_warnings(std::ostream& out, const std::vector<std::string>& warnings, const Style& style);

}  // namespace fleetcast::analysis
