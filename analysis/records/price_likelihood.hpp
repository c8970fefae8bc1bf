#pragma once
// Likelihood of prices at their changes: exact, Gaussian, an autoregression of first order whose first value is drawn
// from the long run; each trace has a level of its own, which is set to its best.
#include <span>
#include <vector>

#include "analysis/records/price_traces.hpp"
#include "analysis/records/search.hpp"

namespace fleetcast::analysis {

class PriceLikelihood {
 public:
  /// Largest memory that is looked at, as atanh(memory): 0.9999.
  static constexpr double most_memory = 4.95;

  /// Traces without a change tell nothing here and are left out.
  explicit PriceLikelihood(std::span<const PriceTrace> traces);

  [[nodiscard]] double values() const { return values_; }
  [[nodiscard]] double traces() const { return static_cast<double>(sums_.size()); }
  /// Sum of squares in units of the long-run variance, each trace around its best level. memory in [0, 1).
  [[nodiscard]] double squares(double memory) const;
  /// Log-likelihood at this memory and sigma, without constants.
  [[nodiscard]] double at(double memory, double sigma) const;
  /// At this memory and the best sigma.
  [[nodiscard]] double profile(double memory) const;
  /// Best memory, as atanh(memory).
  [[nodiscard]] Peak best_memory() const;
  /// Independent values that tell the level of the first trace.
  [[nodiscard]] double information(double memory) const;
  /// Corrected Akaike criterion with so many parameters besides the levels; infinite for too few values.
  [[nodiscard]] double criterion(double log_likelihood, double parameters) const;

 private:
  /// Of the logarithms of one trace, counted from the first: x after y.
  struct Sums {
    double pairs = 0.0, x = 0.0, y = 0.0, xx = 0.0, yy = 0.0, xy = 0.0;
  };
  std::vector<Sums> sums_;
  double values_ = 0.0, pairs_ = 0.0;
};

}  // namespace fleetcast::analysis
