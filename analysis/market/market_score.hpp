#pragma once
// Trace and fitted model side by side, as text, JSON and page.
#include <ostream>
#include <string>

#include "analysis/market/market_calibration.hpp"
#include "analysis/style.hpp"

namespace fleetcast::analysis {

/// The answer in one sentence: shares of statistics within their targets.
std::string market_headline(const MarketCalibration& calibration);

/// Statistics of trace and model.
void print_market_score(std::ostream& out, const MarketCalibration& calibration, const Style& style);
/// {"kind","within","traces":[{"file","trace","model","compared"}]}
std::string market_score_json(const MarketCalibration& calibration);

/// The same, then parameters with their intervals and laws of run lengths.
void print_market_calibration(std::ostream& out, const MarketCalibration& calibration, const Style& style);

/// A page of its own, for both; `command` names it.
std::string market_html(const MarketCalibration& calibration, const std::string& command, const std::string& origin);

}  // namespace fleetcast::analysis
