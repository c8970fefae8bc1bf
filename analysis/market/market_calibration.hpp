#pragma once
// What traces of spot capacity tell about a market: of each, and pooled.
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "analysis/market/bulk_losses.hpp"
#include "analysis/market/capacity_regimes.hpp"
#include "analysis/market/daily_swing.hpp"
#include "analysis/market/layered_fit.hpp"
#include "analysis/market/layered_parameters.hpp"
#include "analysis/market/market_statistics.hpp"
#include "analysis/market/market_trace.hpp"
#include "analysis/market/zone_correlation.hpp"

namespace fleetcast::analysis {

struct Estimate {
  double value = 0.0, low = 0.0, high = 0.0;  ///< 90 %; all equal where the data do not tell it
  bool fitted = false;
};

struct LevelLaws {
  int nodes = 1;
  RunLaws up, down;
};

struct TraceCalibration {
  MarketTrace trace;
  MarketStatistics observed, modelled;
  std::vector<ComparedStatistic> compared;
  std::vector<LevelLaws> laws;
  CapacityRegimes regimes;
  BulkLosses bulk;
  DailySwing daily;
  LayeredFit fit;
  std::vector<FigureInterval> intervals;  ///< of dynamics_figures(fit.market)
  double level_difference = 0.0;          ///< of the later half less the first, normal units
  double expected_square = 0.0;           ///< mean square of that among draws of the fit
};

/// Fits one trace, draws of the fit beside it.
TraceCalibration calibrate_trace(const MarketTrace& trace);

struct MarketCalibration {
  std::vector<TraceCalibration> traces;
  models::LayeredMarket market;    ///< pooled, of the largest size among the traces
  std::vector<Estimate> dynamics;  ///< of dynamics_figures(market)
  Estimate daily_swing, daily_peak_h, climate, regional;
  std::vector<ZonePair> pairs;
};

/// At least one path. `threads` 0: all cores; they never change the result. Throws InputError.
MarketCalibration calibrate_market(const std::vector<std::string>& paths, unsigned threads);
std::vector<MarketTrace> read_market_traces(const std::vector<std::string>& paths);

/// Over all traces.
std::vector<AgreedShare> agreed_shares(const MarketCalibration& calibration);

/// {"format": "fleetcast-market-1", ...}: README.md says what each field means.
std::string market_file_json(const MarketCalibration& calibration);
/// What `calibrate market --json` prints: the file's fields and `traces` in detail.
std::string market_calibration_json(const MarketCalibration& calibration);

}  // namespace fleetcast::analysis
