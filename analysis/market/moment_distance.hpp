#pragma once
// How far the draws of a point of the parameters are from the series, in moments.
#include <cstdint>
#include <vector>

#include "analysis/market/grid_weather.hpp"
#include "analysis/market/layered_fit.hpp"
#include "analysis/market/market_moments.hpp"

namespace fleetcast::analysis {

class MomentDistance {
 public:
  explicit MomentDistance(const FitQuestion& question);

  /// Whether any moment has a weight.
  [[nodiscard]] bool tells_something() const;
  /// Weighted squares, each cut at 2 so that one moment that cannot be met does not decide; plus the pull.
  [[nodiscard]] double misfit(const std::vector<double>& at) const;
  [[nodiscard]] models::LayeredMarket market_at(const std::vector<double>& at) const;

  /// Moments of `rows` pooled draws at this point, and of each draw alone.
  [[nodiscard]] MarketMoments moments_at(const std::vector<double>& at) const;
  [[nodiscard]] std::vector<MarketMoments> moments_of_each(const std::vector<double>& at, std::size_t draws) const;
  [[nodiscard]] const MarketMoments& target() const { return target_; }
  [[nodiscard]] std::size_t rows() const { return rows_; }

  /// Weight of the pull per squared unit of a coordinate.
  static constexpr double pull = 0.1;

 private:
  const FitQuestion& question_;
  GridForm form_;
  std::vector<double> thresholds_;
  MarketMoments target_;
  std::size_t rows_ = 0;
  std::vector<GridWeather> weather_;  ///< one a row; none with lone losses, which only a path can draw
};

}  // namespace fleetcast::analysis
