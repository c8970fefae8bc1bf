#pragma once
// How long a step of the whole gang takes: the slowest of N jittered nodes, then what comes after it.
#include <array>
#include <cstdint>
#include <vector>

#include "models/random/stream.hpp"

namespace fleetcast::sim {

/// The slowest of `count` nodes whose times are exp(sigma Z), Z standard normal: the order statistic
/// exp(sigma max Z), tabulated once. Density of the maximum: count phi(z) Phi(z)^(count-1).
class SlowestNode {
 public:
  /// count >= 1, sigma >= 0.
  SlowestNode(std::int64_t count, double sigma);

  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] double mean_square() const { return mean_square_; }
  /// Mean of one node alone: exp(sigma^2 / 2).
  [[nodiscard]] double node_mean() const { return node_mean_; }
  [[nodiscard]] bool is_constant() const { return sigma_ == 0.0; }
  /// Quadrature of the law: E[g(slowest)] is the sum of weights times g(points).
  [[nodiscard]] const std::vector<double>& points() const { return points_; }
  [[nodiscard]] const std::vector<double>& weights() const { return weights_; }

  /// One draw of the slowest, directly: by table, within 1e-7 (sigma up to 0.5) of the law's quantile.
  double draw(models::Stream& stream) const;
  /// The slowest as a function of a standard exponential number > 0, without the table: exp(sigma max Z) with
  /// max Z = quantile(exp(-e / count)).
  [[nodiscard]] double at(double exponential) const;
  /// The same by table.
  [[nodiscard]] double looked_up(double exponential) const;

 private:
  using Cubic = std::array<double, 4>;  ///< coefficients, constant first
  void tabulate();

  double count_, sigma_;
  double mean_ = 1.0, mean_square_ = 1.0, node_mean_ = 1.0;
  std::vector<double> points_, weights_;
  std::vector<Cubic> table_;  ///< one cubic per cell; a cell is 1/32 of an octave of the exponential number
};

}  // namespace fleetcast::sim
