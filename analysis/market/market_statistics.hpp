#pragma once
// What is compared between a trace and a model of it.
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "analysis/market/capacity_series.hpp"

namespace fleetcast::analysis {

struct RunQuantiles {
  std::size_t runs = 0;                ///< complete ones
  std::optional<double> p50_h, p90_h;  ///< nothing for fewer than 5 runs a series
};

struct LevelStatistics {
  int nodes = 1;  ///< "up" is a capacity of at least this
  double up_fraction = 0.0;
  RunQuantiles up, down;
};

struct MarketStatistics {
  std::vector<LevelStatistics> levels;  ///< of one node, half and all
  /// Nothing for fewer than 20 losses; groups need more than one node.
  std::optional<double> losses_in_groups, hourly_loss_dispersion;
  double losses_per_h = 0.0;  ///< nodes
};

/// Of one series, or pooled over draws of one interval and size.
MarketStatistics market_statistics(std::span<const CapacitySeries> rows);
MarketStatistics market_statistics(const CapacitySeries& series);

/// One statistic of trace and model, and whether they agree as well as can be asked for: up fraction within 5 points,
/// p50 and p90 of runs within 30 % or one sample, losses in groups within 15 points, dispersion within a factor 1.5.
struct ComparedStatistic {
  std::string name;    ///< "up_fraction", "p50", "p90", "losses_in_groups", "hourly_loss_dispersion"
  std::string detail;  ///< "up >= 4"; "" where nothing is to be told apart
  double of_trace = 0.0;
  std::optional<double> of_model;
  bool within = false;
};
/// Those that the trace has.
std::vector<ComparedStatistic> compare(const MarketStatistics& trace, const MarketStatistics& model, double interval_h);

/// Share of the statistics of one name that agree.
struct AgreedShare {
  std::string name;
  double share = 0.0;
  std::size_t statistics = 0;
};
/// In the order of the names above; all comparisons together.
std::vector<AgreedShare> agreed_shares(const std::vector<const std::vector<ComparedStatistic>*>& comparisons);

}  // namespace fleetcast::analysis
