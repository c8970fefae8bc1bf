#pragma once
// How well jobs are forecast: each trace's first half forecasts its later half, and each trace its neighbour.
#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "analysis/market/job_forecast.hpp"
#include "analysis/market/market_statistics.hpp"
#include "analysis/market/market_trace.hpp"

namespace fleetcast::analysis {

/// The layered model first, then those it must beat.
enum class ForecastModel { layers, replay, markov, nodes };
constexpr std::array<ForecastModel, 4> forecast_models{ForecastModel::layers, ForecastModel::replay,
                                                       ForecastModel::markov, ForecastModel::nodes};
std::string name_of(ForecastModel model);

/// What is forecast from what.
struct ForecastPair {
  std::string group, from, to;  ///< files; equal where halves of one trace are meant
  std::array<JobForecastScore, forecast_models.size()> scores;
  std::vector<ComparedStatistic> shape;  ///< of what came and of what the layered model expects
};

/// Mean over pairs of one group, or of all.
struct ForecastSummary {
  std::string group;  ///< "all" for the last
  std::size_t pairs = 0;
  std::array<JobForecastScore, forecast_models.size()> mean;
  /// Share of pairs whose interval covers at least 80 %: of time, of cost.
  std::array<std::pair<double, double>, forecast_models.size()> well_covered;
};

struct JobsStudy {
  std::vector<ForecastPair> later, neighbour;
  std::vector<std::pair<std::string, std::string>> skipped;  ///< file, reason
};

/// `threads` 0: all cores; they never change the result.
JobsStudy study_jobs(const std::vector<MarketTrace>& traces, unsigned threads);

/// How often losses come together as forecast: of all pairs. Shares of time and runs are in it too, but two halves of a
/// trace do not agree in them any better.
std::vector<AgreedShare> agreed_shares(const std::vector<ForecastPair>& pairs);

/// By group in the order of the pairs, then all.
std::vector<ForecastSummary> summarize(const std::vector<ForecastPair>& pairs);

}  // namespace fleetcast::analysis
