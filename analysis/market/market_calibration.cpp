#include "analysis/market/market_calibration.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "analysis/calibration/each_index.hpp"
#include "analysis/market/pooled_estimates.hpp"
#include "models/errors.hpp"

namespace fleetcast::analysis {

std::vector<MarketTrace> read_market_traces(const std::vector<std::string>& paths) {
  std::vector<MarketTrace> traces;
  std::vector<models::Fault> faults;
  for (const std::string& path : paths) {
    try {
      traces.push_back(read_market_trace(path));
    } catch (const models::InputError& error) {
      faults.insert(faults.end(), error.faults().begin(), error.faults().end());
    }
  }
  if (!faults.empty()) throw models::InputError{std::move(faults)};
  return traces;
}

MarketCalibration calibrate_market(const std::vector<std::string>& paths, unsigned threads) {
  const std::vector<MarketTrace> traces = read_market_traces(paths);
  models::require(!traces.empty(), "a calibration has traces");
  MarketCalibration calibration;
  calibration.traces.resize(traces.size());
  each_index(traces.size(), threads, [&](std::size_t at) { calibration.traces[at] = calibrate_trace(traces[at]); });
  calibration.pairs = correlate_zones(traces);
  pool_traces(calibration);
  return calibration;
}

std::vector<AgreedShare> agreed_shares(const MarketCalibration& calibration) {
  std::vector<const std::vector<ComparedStatistic>*> comparisons;
  for (const TraceCalibration& trace : calibration.traces) comparisons.push_back(&trace.compared);
  return agreed_shares(comparisons);
}

}  // namespace fleetcast::analysis
