// How well a series tells the parameters of its market.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "analysis/market/layered_fit.hpp"
#include "analysis/market/layered_parameters.hpp"
#include "analysis/market/moment_distance.hpp"
#include "analysis/market/samples.hpp"
#include "models/random/distribution.hpp"
#include "models/random/stream.hpp"

namespace fleetcast::analysis {

namespace {

/// Of the differences that stand for a derivative: wide enough that a run more or less does not show.
constexpr double derivative_step = 0.25;
/// sd between zones of what the fit is pulled towards: that of ln of the fast gap between the medians of six groups of
/// public traces (0.38, 0.27, 0.28, 0.9, 0.26, 0.13 h).
constexpr double zone_spread = 0.6;
constexpr std::size_t scatter_draws = 60, interval_draws = 1000;
constexpr std::uint64_t interval_seed = 3;

using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd vector_of(const std::vector<double>& values) {
  return Eigen::Map<const VectorXd>{values.data(), static_cast<Eigen::Index>(values.size())};
}

MatrixXd derivative_of(const MomentDistance& distance, const std::vector<double>& at) {
  MatrixXd derivative(static_cast<Eigen::Index>(distance.target().value.size()), static_cast<Eigen::Index>(at.size()));
  for (std::size_t i = 0; i < at.size(); ++i) {
    std::vector<double> above = at, below = at;
    above[i] += derivative_step;
    below[i] -= derivative_step;
    derivative.col(static_cast<Eigen::Index>(i)) =
        (vector_of(distance.moments_at(above).value) - vector_of(distance.moments_at(below).value)) /
        (2.0 * derivative_step);
  }
  return derivative;
}

MatrixXd scatter_of(const MomentDistance& distance, const std::vector<double>& at) {
  const std::vector<MarketMoments> draws = distance.moments_of_each(at, scatter_draws);
  const auto size = static_cast<Eigen::Index>(distance.target().value.size());
  VectorXd mean = VectorXd::Zero(size);
  for (const MarketMoments& draw : draws) mean += vector_of(draw.value);
  mean /= static_cast<double>(draws.size());
  MatrixXd scatter = MatrixXd::Zero(size, size);
  for (const MarketMoments& draw : draws) {
    const VectorXd away = vector_of(draw.value) - mean;
    scatter += away * away.transpose();
  }
  return scatter / static_cast<double>(draws.size() - 1);
}

MatrixXd fit_covariance(const FitQuestion& question, const LayeredFit& fit) {
  const MomentDistance distance{question};
  const auto size = static_cast<Eigen::Index>(fit.at.size());
  const VectorXd weight = vector_of(distance.target().weight);
  // The trace is one draw, and the fit compares it with the mean of several.
  const MatrixXd scatter = scatter_of(distance, fit.at) * (1.0 + 1.0 / static_cast<double>(distance.rows()));
  const MatrixXd unit = MatrixXd::Identity(size, size);
  if (!(weight.sum() > 0.0)) return zone_spread * zone_spread * unit;
  const double pull = MomentDistance::pull;
  const MatrixXd derivative = derivative_of(distance, fit.at);
  const MatrixXd weighted = weight.asDiagonal() * derivative;
  const MatrixXd bread = (derivative.transpose() * weighted + pull * unit).inverse();
  const MatrixXd meat = weighted.transpose() * scatter * weighted + pull * pull * zone_spread * zone_spread * unit;
  return bread * meat * bread;
}

}  // namespace

std::vector<FigureInterval> figure_intervals(const FitQuestion& question, const LayeredFit& fit) {
  const MatrixXd covariance = fit_covariance(question, fit);
  const Eigen::SelfAdjointEigenSolver<MatrixXd> parts{covariance};
  const MatrixXd root = parts.eigenvectors() * parts.eigenvalues().cwiseMax(0.0).cwiseSqrt().asDiagonal();
  std::vector<std::vector<double>> figures(dynamics_figures(fit.market).size());
  for (std::size_t draw = 0; draw < interval_draws; ++draw) {
    models::Stream bits{{interval_seed, static_cast<std::uint32_t>(draw), models::Purpose::bootstrap, 0, 0}};
    VectorXd normal(covariance.cols());
    for (double& each : normal) each = models::unit_normal(bits);
    const VectorXd point = vector_of(fit.at) + root * normal;
    models::LayeredMarket market;
    set_dynamics(market, {point.begin(), point.end()});
    const std::vector<MarketFigure> drawn = dynamics_figures(market);
    for (std::size_t i = 0; i < figures.size(); ++i) figures[i].push_back(drawn[i].value);
  }
  std::vector<FigureInterval> intervals;
  for (std::vector<double>& values : figures) {
    std::sort(values.begin(), values.end());
    intervals.push_back({quantile_of_sorted(values, 0.05), quantile_of_sorted(values, 0.95)});
  }
  return intervals;
}

}  // namespace fleetcast::analysis
