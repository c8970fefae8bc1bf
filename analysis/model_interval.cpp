#include "analysis/model_interval.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "analysis/moments.hpp"
#include "models/errors.hpp"
#include "models/random/distribution.hpp"

namespace fleetcast::analysis {

namespace {

/// Trials per fitted coefficient below which a fit explains noise.
constexpr std::size_t trials_per_coefficient = 10;
constexpr double fewest_windows = 4.0;
/// Blocks may be longer than a trial, so no more are drawn than this.
constexpr double most_blocks = 200.0;
constexpr std::uint32_t resamples = 1000;
constexpr double low_tail = 0.025, high_tail = 0.975;

/// Blocks as long as a run miss a third of the variance: a block variance is short by the mean of |lag| under the
/// autocorrelation over the length of the block (Kuensch 1989, "The jackknife and the bootstrap for general stationary
/// observations", theorem 3.1), and runs that overlap by a share have that correlation, 1 - |lag|: 1/3.
const double block_correction = std::sqrt(1.5);

struct Distances {
  double below = 0.0, above = 0.0;  ///< from the mean, >= 0
};

double quantile_of(std::vector<double> values, double p) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(p * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

Distances spread_around(double centre, const std::vector<double>& values) {
  return {std::max(0.0, centre - quantile_of(values, low_tail)),
          std::max(0.0, quantile_of(values, high_tail) - centre)};
}

/// 1, each unknown, and all products of two.
Eigen::MatrixXd design_of(const TrialUnknowns& unknowns, Eigen::Index trials) {
  const auto count = static_cast<Eigen::Index>(unknowns.values.size());
  Eigen::MatrixXd design(trials, 1 + count + count * (count + 1) / 2);
  design.col(0).setOnes();
  Eigen::Index next = 1 + count;
  for (Eigen::Index i = 0; i < count; ++i) {
    design.col(1 + i) = Eigen::Map<const Eigen::VectorXd>(unknowns.values[static_cast<std::size_t>(i)].data(), trials);
    for (Eigen::Index j = 0; j <= i; ++j) design.col(next++) = design.col(1 + i).cwiseProduct(design.col(1 + j));
  }
  return design;
}

struct Explained {
  double share = 0.0;
  std::vector<double> means;  ///< E[value | unknowns of the trial], with the variance that is explained, not more
};

/// Least squares; the share is R squared less what as many columns of noise would explain.
Explained explain(std::span<const double> values, const Eigen::MatrixXd& design) {
  const auto trials = static_cast<Eigen::Index>(values.size());
  const Eigen::Map<const Eigen::VectorXd> observed(values.data(), trials);
  const double centre = observed.mean(), total = (observed.array() - centre).square().sum();
  if (total <= 0.0) return {};
  const Eigen::VectorXd fitted = design * design.colPivHouseholderQr().solve(observed);
  const double raw = (fitted.array() - centre).square().sum() / total;
  const double n = static_cast<double>(trials), p = static_cast<double>(design.cols());
  Explained result;
  result.share = std::clamp(1.0 - (1.0 - raw) * (n - 1.0) / (n - p), 0.0, 1.0);
  const double shrink = raw > 0.0 ? std::sqrt(std::min(1.0, result.share / raw)) : 0.0;
  result.means.reserve(values.size());
  for (Eigen::Index i = 0; i < trials; ++i) result.means.push_back(centre + shrink * (fitted[i] - centre));
  return result;
}

/// Sums over stretches of the circle of windows.
class Circle {
 public:
  Circle(std::span<const double> values, const std::vector<double>& shares) {
    std::vector<std::size_t> order(values.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return shares[a] < shares[b]; });
    double sum = 0.0;
    sums_.push_back(0.0);
    for (const std::size_t trial : order) {
      places_.push_back(shares[trial]);
      sums_.push_back(sum += values[trial]);
    }
  }

  struct Part {
    double sum = 0.0, count = 0.0;
  };
  /// Trials that start in [from, from + length), 0 <= from < 1, length <= 1.
  [[nodiscard]] Part part(double from, double length) const {
    Part part = between(from, std::min(1.0, from + length));
    if (from + length > 1.0) {
      const Part rest = between(0.0, from + length - 1.0);
      part.sum += rest.sum;
      part.count += rest.count;
    }
    return part;
  }

 private:
  [[nodiscard]] Part between(double from, double to) const {
    const auto first = std::lower_bound(places_.begin(), places_.end(), from) - places_.begin();
    const auto last = std::lower_bound(places_.begin(), places_.end(), to) - places_.begin();
    return {sums_[static_cast<std::size_t>(last)] - sums_[static_cast<std::size_t>(first)],
            static_cast<double>(last - first)};
  }

  std::vector<double> places_, sums_;
};

std::vector<double> resampled_means(std::span<const double> values, const TrialUnknowns& unknowns, double windows) {
  const Circle circle{values, unknowns.window_shares};
  const auto blocks = static_cast<std::uint32_t>(std::min(std::round(windows), most_blocks));
  std::vector<double> means;
  for (std::uint32_t i = 0; i < resamples; ++i) {
    Circle::Part all;
    for (std::uint32_t block = 0; block < blocks; ++block) {
      models::Stream bits{{0, i, models::Purpose::bootstrap, 0, block}};
      const Circle::Part part = circle.part(models::unit_uniform(bits), 1.0 / blocks);
      all.sum += part.sum;
      all.count += part.count;
    }
    if (all.count > 0.0) means.push_back(all.sum / all.count);
  }
  return means;
}

double in_quadrature(double a, double b, double c) {
  return std::sqrt(a * a + b * b + c * c);
}

std::pair<double, double> rounded(double low, double high) {
  return {rounded_to_12_digits(low), rounded_to_12_digits(high)};
}

}  // namespace

double independent_windows(double recording_s, double mean_time_s) {
  return std::max(1.0, recording_s / std::max(mean_time_s, 1e-9));
}

ModelInterval model_interval(std::span<const double> values, const std::pair<double, double>& ci95,
                             const TrialUnknowns& unknowns, double mean_time_s) {
  const double centre = mean(values);
  Distances known, market;
  ModelInterval result{std::nullopt, 0.0, ""};
  if (!unknowns.values.empty()) {
    const Eigen::MatrixXd design = design_of(unknowns, static_cast<Eigen::Index>(values.size()));
    if (values.size() < trials_per_coefficient * static_cast<std::size_t>(design.cols())) {
      return {std::nullopt, std::nullopt,
              "not available: fewer than " +
                  std::to_string(trials_per_coefficient * static_cast<std::size_t>(design.cols())) +
                  " trials cannot tell what is unknown from chance"};
    }
    const Explained explained = explain(values, design);
    result.share = explained.share;
    if (!explained.means.empty()) known = spread_around(centre, explained.means);
  }
  if (!unknowns.window_shares.empty()) {
    const double windows = independent_windows(unknowns.recording_s, mean_time_s);
    if (windows < fewest_windows) {
      return {std::nullopt, result.share,
              "not available: the recording holds fewer than four independent windows as long as a run"};
    }
    market = spread_around(centre, resampled_means(values, unknowns, windows));
    market.below *= block_correction;
    market.above *= block_correction;
  }
  result.limits = rounded(centre - in_quadrature(known.below, market.below, centre - ci95.first),
                          centre + in_quadrature(known.above, market.above, ci95.second - centre));
  return result;
}

}  // namespace fleetcast::analysis
