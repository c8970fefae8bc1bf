#include "analysis/quantiles.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>

#include "models/errors.hpp"

namespace fleetcast::analysis {

namespace {

constexpr double tail = 0.025;  // each side of a 95 % interval

/// First k in [0, n] for which the rising condition holds, n + 1 if none.
template <class Condition>
std::uint64_t first_count(std::uint64_t n, Condition&& holds) {
  std::uint64_t low = 0, high = n + 1;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (holds(middle))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

}  // namespace

OrderedSample::OrderedSample(std::vector<double> finite, std::uint64_t infinite)
    : finite_{std::move(finite)}, infinite_{infinite} {
  std::sort(finite_.begin(), finite_.end());
}

std::optional<double> OrderedSample::at(std::uint64_t k) const {
  models::require(k < size(), "an order statistic beyond the sample");
  if (k >= finite_.size()) return std::nullopt;
  return finite_[k];
}

std::optional<double> quantile(const OrderedSample& sample, unsigned percent) {
  models::require(sample.size() > 0 && percent <= 100, "a quantile of nothing or beyond 100 %");
  const std::uint64_t place = (sample.size() - 1) * percent;  // in hundredths of a rank
  const auto below = sample.at(place / 100);
  const std::uint64_t rest = place % 100;
  if (rest == 0 || !below) return below;
  const auto above = sample.at(place / 100 + 1);
  if (!above) return std::nullopt;
  return *below + (*above - *below) * (static_cast<double>(rest) / 100.0);
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> quantile_ranks(std::uint64_t n, unsigned percent) {
  if (n == 0) return std::nullopt;
  const boost::math::binomial_distribution<double> below{static_cast<double>(n), percent / 100.0};
  const auto cdf = [&](std::uint64_t k) { return boost::math::cdf(below, static_cast<double>(k)); };
  // P(below <= l - 1) <= tail and P(below >= u) <= tail; then P(x_l <= quantile <= x_u) >= 1 - 2 tail.
  const std::uint64_t lower = first_count(n, [&](std::uint64_t k) { return cdf(k) > tail; });
  const std::uint64_t upper = first_count(n, [&](std::uint64_t k) { return cdf(k) >= 1.0 - tail; }) + 1;
  if (lower == 0 || upper > n) return std::nullopt;
  return std::pair{lower, upper};
}

std::uint64_t fewest_for_limits(unsigned percent) {
  std::uint64_t n = 1;
  while (!quantile_ranks(n, percent)) ++n;
  return n;
}

QuantileLimits quantile_limits(const OrderedSample& sample, unsigned percent) {
  const auto ranks = quantile_ranks(sample.size(), percent);
  if (!ranks)
    return {std::nullopt, "not available: 95 % limits of this quantile need at least " +
                              std::to_string(fewest_for_limits(percent)) + " trials"};
  const auto low = sample.at(ranks->first - 1), high = sample.at(ranks->second - 1);
  if (!low || !high) return {std::nullopt, "not available: a limit falls among the unfinished trials"};
  return {std::pair{*low, *high}, ""};
}

}  // namespace fleetcast::analysis
