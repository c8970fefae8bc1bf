#include "analysis/records/bad_nodes.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include "models/errors.hpp"
#include "models/random/distribution.hpp"

namespace fleetcast::analysis {

namespace {

/// Shares and factors that are looked at.
constexpr double most_share = 0.5, most_factor = 1000.0;
constexpr double level = 0.05;        // below it equal nodes are ruled out
constexpr double price_of_two = 4.0;  // of two parameters, by Akaike's criterion
constexpr std::uint64_t resampling_seed = 20261130;

/// Number of nodes by their number of failures.
using Histogram = std::map<std::uint32_t, double>;

double log_poisson(double count, double mean) {
  return count * std::log(mean) - mean;  // without the factorial, which no parameter changes
}

/// One node's part: the logarithm of its likelihood, and the chance that it is a bad one.
struct Part {
  double likelihood = 0.0, bad = 0.0;
};

Part part_of(double count, double good, double share, double factor) {
  const double a = std::log1p(-share) + log_poisson(count, good);
  const double b = std::log(share) + log_poisson(count, good * factor);
  const double ratio = std::exp(-std::abs(a - b));
  return {std::max(a, b) + std::log1p(ratio), (a > b ? ratio : 1.0) / (1.0 + ratio)};
}

/// With the rate of the good nodes that suits best, by expectation and maximization (Dempster and others 1977).
double likelihood(const Histogram& histogram, double mean, double share, double factor) {
  constexpr int most_steps = 40;
  constexpr double settled = 1e-9;
  double good = mean / (1.0 + share * (factor - 1.0)), sum = 0.0;
  for (int step = 0; step < most_steps; ++step) {
    double failures = 0.0, weight = 0.0;
    sum = 0.0;
    for (const auto& [count, nodes] : histogram) {
      const Part part = part_of(count, good, share, factor);
      sum += nodes * part.likelihood;
      failures += nodes * count;
      weight += nodes * (1.0 + part.bad * (factor - 1.0));
    }
    const double next = failures / weight;
    if (std::abs(next / good - 1.0) < settled) break;
    good = next;
  }
  return sum;
}

double dispersion_of(const Histogram& histogram, double nodes, double mean) {
  double squares = 0.0;
  for (const auto& [count, of] : histogram) squares += of * (count - mean) * (count - mean);
  return squares / (nodes - 1.0) / mean;
}

Histogram histogram_of(std::span<const std::uint32_t> failures) {
  Histogram histogram;
  for (const std::uint32_t count : failures) histogram[count] += 1.0;
  return histogram;
}

/// Dispersion when so many failures fall on equal nodes.
double thrown_dispersion(std::uint32_t resample, std::uint64_t total, std::vector<std::uint32_t>& counts) {
  std::ranges::fill(counts, 0U);
  for (std::uint64_t i = 0; i < total; ++i) {
    models::Stream stream{{resampling_seed, resample, models::Purpose::bootstrap, static_cast<std::uint32_t>(i), 0}};
    ++counts[static_cast<std::size_t>(models::unit_uniform(stream) * static_cast<double>(counts.size()))];
  }
  const auto nodes = static_cast<double>(counts.size());
  return dispersion_of(histogram_of(counts), nodes, static_cast<double>(total) / nodes);
}

double chance_among_equal(double dispersion, std::uint64_t total, std::size_t nodes, std::uint32_t resamples) {
  std::vector<std::uint32_t> counts(nodes);
  std::uint32_t as_large = 0;
  for (std::uint32_t resample = 0; resample < resamples; ++resample)
    if (thrown_dispersion(resample, total, counts) >= dispersion * (1.0 - 1e-12)) ++as_large;
  return (as_large + 1.0) / (resamples + 1.0);
}

/// Both parameters are searched on a logarithmic scale.
void fit_classes(const Histogram& histogram, double nodes, BadNodesFit& fit) {
  constexpr int few = 12;  // steps: along one parameter the likelihood has one peak
  const double least = std::log(0.5 / nodes), most = std::log(most_share), farthest = std::log(most_factor);
  const auto along_factor = [&](double log_share) {
    return [&, log_share](double log_factor) {
      return likelihood(histogram, fit.mean, std::exp(log_share), std::exp(log_factor));
    };
  };
  const Curve of_share = [&](double x) { return largest(along_factor(x), 0.0, farthest, few).value; };
  const Peak share = largest(of_share, least, most);
  const Curve of_factor = [&](double y) {
    const auto along_share = [&](double x) { return likelihood(histogram, fit.mean, std::exp(x), std::exp(y)); };
    return largest(along_share, least, most, few).value;
  };
  const Peak at_best = largest(along_factor(share.at), 0.0, farthest), factor{at_best.at, share.value};
  const Range90 shares = range_within(of_share, share, least, most, drop90, 20);
  const Range90 factors = range_within(of_factor, factor, 0.0, farthest, drop90, 20);
  fit.share = {std::exp(share.at), std::exp(shares.low), std::exp(shares.high)};
  fit.factor = {std::exp(factor.at), std::exp(factors.low), std::exp(factors.high)};
  fit.share_open = shares.open_high;
  fit.factor_open = factors.open_high;
  fit.gain = 2.0 * (share.value - likelihood(histogram, fit.mean, 0.5, 1.0));
}

}  // namespace

BadNodesFit fit_bad_nodes(std::span<const std::uint32_t> failures, std::uint32_t resamples) {
  models::require(failures.size() > 1, "one node cannot be compared");
  BadNodesFit fit;
  const std::uint64_t total = std::accumulate(failures.begin(), failures.end(), std::uint64_t{0});
  const auto nodes = static_cast<double>(failures.size());
  fit.mean = static_cast<double>(total) / nodes;
  if (total == 0) return fit;
  const Histogram histogram = histogram_of(failures);
  fit.dispersion = dispersion_of(histogram, nodes, fit.mean);
  fit.p_equal = chance_among_equal(fit.dispersion, total, failures.size(), resamples);
  fit_classes(histogram, nodes, fit);
  fit.shown = fit.p_equal < level && fit.gain > price_of_two;
  return fit;
}

}  // namespace fleetcast::analysis
