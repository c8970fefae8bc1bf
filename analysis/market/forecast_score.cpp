#include "analysis/market/forecast_score.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/market/samples.hpp"
#include "models/errors.hpp"

namespace fleetcast::analysis {

namespace {

constexpr double lower_tail = 0.05, upper_tail = 0.95;
/// Values that differ by less are one: a job cut at its limit is.
constexpr double rounding = 1e-6;

double share_inside(const std::vector<double>& draws, const std::vector<double>& real) {
  const double low = quantile_of_sorted(draws, lower_tail) - rounding;
  const double high = quantile_of_sorted(draws, upper_tail) + rounding;
  const auto inside = std::ranges::count_if(real, [&](double value) { return value >= low && value <= high; });
  return static_cast<double>(inside) / static_cast<double>(real.size());
}

double share_up_to(const std::vector<double>& sorted, double value) {
  const auto end = std::upper_bound(sorted.begin(), sorted.end(), value);
  return static_cast<double>(end - sorted.begin()) / static_cast<double>(sorted.size());
}

/// E|X - X'| / 2 of the draws.
double half_mean_difference(const std::vector<double>& sorted) {
  const double n = static_cast<double>(sorted.size());
  double sum = 0.0;
  for (std::size_t i = 0; i < sorted.size(); ++i) sum += (2.0 * static_cast<double>(i) + 1.0 - n) * sorted[i];
  return sum / (n * n);
}

}  // namespace

double ranked_probability_score(const std::vector<double>& sorted_draws, const std::vector<double>& real) {
  std::vector<double> sums(sorted_draws.size() + 1, 0.0);
  std::partial_sum(sorted_draws.begin(), sorted_draws.end(), sums.begin() + 1);
  const double n = static_cast<double>(sorted_draws.size());
  double distances = 0.0;
  for (const double value : real) {
    const auto place = std::upper_bound(sorted_draws.begin(), sorted_draws.end(), value) - sorted_draws.begin();
    const double below = static_cast<double>(place), sum_below = sums[static_cast<std::size_t>(place)];
    distances += value * below - sum_below + (sums.back() - sum_below) - value * (n - below);
  }
  return distances / (n * static_cast<double>(real.size())) - half_mean_difference(sorted_draws);
}

double kolmogorov_distance(const std::vector<double>& sorted_a, const std::vector<double>& sorted_b) {
  double largest = 0.0;
  for (const std::vector<double>* sample : {&sorted_a, &sorted_b})
    for (const double value : *sample)
      largest = std::max(largest,
                         std::abs(share_up_to(sorted_a, value + rounding) - share_up_to(sorted_b, value + rounding)));
  return largest;
}

void add(ForecastScore& sum, const ForecastScore& score, double weight) {
  sum.coverage += weight * score.coverage;
  sum.crps += weight * score.crps;
  sum.kolmogorov += weight * score.kolmogorov;
}

ForecastScore score_forecast(std::vector<double> draws, std::vector<double> real) {
  models::require(!draws.empty() && !real.empty(), "a score of nothing");
  std::sort(draws.begin(), draws.end());
  std::sort(real.begin(), real.end());
  return {share_inside(draws, real), ranked_probability_score(draws, real), kolmogorov_distance(draws, real)};
}

}  // namespace fleetcast::analysis
