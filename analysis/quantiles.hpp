#pragma once
// Quantiles of trials of which some never finished, and what is known about them without any assumed law.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace fleetcast::analysis {

/// Values in ascending order, then `infinite` more that lie above all of them (unfinished trials).
class OrderedSample {
 public:
  OrderedSample(std::vector<double> finite, std::uint64_t infinite);
  [[nodiscard]] std::uint64_t size() const { return finite_.size() + infinite_; }
  /// The k-th smallest, k from 0; nothing if it is among the infinite. Requires k < size().
  [[nodiscard]] std::optional<double> at(std::uint64_t k) const;

 private:
  std::vector<double> finite_;
  std::uint64_t infinite_ = 0;
};

/// Linear between order statistics (type 7 of Hyndman and Fan, "Sample Quantiles in Statistical Packages",
/// The American Statistician 50, 1996; numpy's default). Nothing where an infinite value takes part.
/// 0 <= percent <= 100; requires at least one value.
std::optional<double> quantile(const OrderedSample& sample, unsigned percent);

/// Ranks (1-based) of two order statistics that enclose the quantile with a chance of at least 95 %, each side
/// missing it by at most 2.5 %, whatever the law. From the binomial: the number of values below the quantile is
/// Binomial(n, q). Nothing where n is too small. H. A. David, "Order Statistics", section 2.5.
std::optional<std::pair<std::uint64_t, std::uint64_t>> quantile_ranks(std::uint64_t n, unsigned percent);

/// Fewest values for which `quantile_ranks` exists. 0 < percent < 100.
std::uint64_t fewest_for_limits(unsigned percent);

struct QuantileLimits {
  std::optional<std::pair<double, double>> limits;
  std::string why;  ///< reason where there are none
};
QuantileLimits quantile_limits(const OrderedSample& sample, unsigned percent);

}  // namespace fleetcast::analysis
