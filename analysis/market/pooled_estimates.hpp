#pragma once
// From the traces of a calibration to one market.
#include "analysis/market/market_calibration.hpp"

namespace fleetcast::analysis {

/// Sets the pooled market and its estimates from `traces` and `pairs`.
void pool_traces(MarketCalibration& calibration);

/// Weighted mean of figures that differ between traces by more than their own uncertainty, on the scale given:
/// DerSimonian and Laird, "Meta-analysis in clinical trials", Controlled Clinical Trials 7 (1986). The interval is that
/// of the mean for one figure, and of a further trace for several.
Estimate pooled_estimate(const std::vector<Estimate>& figures);

/// sd of what one period differs from the next beyond what the fits expect of their own fluctuation, from the
/// differences between halves: a figure for 6 traces and more, else the pooled 0.7 of the public traces.
Estimate climate_estimate(const std::vector<TraceCalibration>& traces);

/// Correlation of the slow layers within a region, from pairs of one; without any the pooled 0.95 of the public traces.
Estimate regional_estimate(const std::vector<ZonePair>& pairs, const models::LayeredMarket& market);

}  // namespace fleetcast::analysis
