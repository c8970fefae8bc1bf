#include "sim/step_law.hpp"

#include <bit>
#include <cmath>

#include "models/errors.hpp"
#include "models/random/deterministic_math.hpp"
#include "models/random/distribution.hpp"

namespace fleetcast::sim {
namespace {

namespace det = models::det;

// The trapezoidal rule converges faster than any power of the step for such densities; 0.05 leaves 1e-15.
constexpr double grid_step = 0.05, grid_low = -9.0, grid_high = 12.0;
constexpr double inverse_sqrt_two_pi = 0.39894228040143267794;

double density_of_maximum(double z, double count) {
  const double phi = inverse_sqrt_two_pi * det::exp(-0.5 * z * z);
  if (count == 1.0) return phi;
  const double below = det::normal_cdf(z);
  if (below <= 0.0) return 0.0;
  return count * phi * det::exp((count - 1.0) * det::log1p(-det::normal_cdf(-z)));
}

// Cells of the table: an octave of the exponential number is cut into 32 by the leading bits of its mantissa. Below
// 2^-20 (one draw in a million) and from 64 up (never, in practice) the formula is evaluated.
constexpr int first_octave = -20, end_octave = 6, cell_bits = 5, mantissa_bits = 52, exponent_bias = 1023;
constexpr std::uint64_t cells_per_octave = 1U << cell_bits;
constexpr std::uint64_t first_cell = std::uint64_t{exponent_bias + first_octave} << cell_bits;
constexpr std::uint64_t cell_count = std::uint64_t{end_octave - first_octave} << cell_bits;
constexpr int offset_bits = mantissa_bits - cell_bits;

double cell_start(std::uint64_t cell) {
  return std::bit_cast<double>((first_cell + cell) << offset_bits);
}

/// The cubic in t of [0, 1] through values at 0, 1/3, 2/3 and 1.
std::array<double, 4> cubic_through(const std::array<double, 4>& y) {
  const double d1 = y[1] - y[0], d2 = y[2] - 2.0 * y[1] + y[0], d3 = y[3] - 3.0 * y[2] + 3.0 * y[1] - y[0];
  // Newton's forward form in s = 3 t: y0 + d1 s + d2 s (s - 1) / 2 + d3 s (s - 1) (s - 2) / 6.
  return {y[0], 3.0 * (d1 - d2 / 2.0 + d3 / 3.0), 9.0 * (d2 / 2.0 - d3 / 2.0), 27.0 * d3 / 6.0};
}

}  // namespace

SlowestNode::SlowestNode(std::int64_t count, double sigma) : count_{static_cast<double>(count)}, sigma_{sigma} {
  models::require(count >= 1 && sigma >= 0.0, "SlowestNode needs count >= 1 and sigma >= 0");
  if (sigma == 0.0) {
    points_ = weights_ = {1.0};
    return;
  }
  node_mean_ = det::exp(0.5 * sigma * sigma);
  double total = 0.0;
  for (double z = grid_low; z <= grid_high; z += grid_step) {
    const double weight = density_of_maximum(z, count_);
    if (weight < 1e-18) continue;
    points_.push_back(det::exp(sigma * z));
    weights_.push_back(weight);
    total += weight;
  }
  mean_ = mean_square_ = 0.0;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    weights_[i] /= total;
    mean_ += weights_[i] * points_[i];
    mean_square_ += weights_[i] * points_[i] * points_[i];
  }
  tabulate();
}

void SlowestNode::tabulate() {
  table_.reserve(cell_count);
  for (std::uint64_t cell = 0; cell < cell_count; ++cell) {
    const double from = cell_start(cell), width = cell_start(cell + 1) - from;
    table_.push_back(cubic_through({at(from), at(from + width / 3.0), at(from + width * 2.0 / 3.0), at(from + width)}));
  }
}

double SlowestNode::at(double exponential) const {
  // max Z has distribution Phi^N, so Phi(max Z) = U^(1/N) = exp(-E/N) with E standard exponential. Of the two tails the
  // smaller one keeps its digits.
  const double x = exponential / count_;
  const double z = x < 0.7 ? -det::normal_quantile(-det::expm1(-x)) : det::normal_quantile(det::exp(-x));
  return det::exp(sigma_ * z);
}

double SlowestNode::looked_up(double exponential) const {
  const auto bits = std::bit_cast<std::uint64_t>(exponential);
  const std::uint64_t cell = (bits >> offset_bits) - first_cell;  // wraps below the table
  if (cell >= table_.size()) return at(exponential);
  constexpr std::uint64_t offset_mask = (std::uint64_t{1} << offset_bits) - 1;
  constexpr double offset_unit = 1.0 / static_cast<double>(std::uint64_t{1} << offset_bits);
  const double t = static_cast<double>(static_cast<std::int64_t>(bits & offset_mask)) * offset_unit;
  const Cubic& c = table_[cell];
  return c[0] + t * (c[1] + t * (c[2] + t * c[3]));
}

double SlowestNode::draw(models::Stream& stream) const {
  if (sigma_ == 0.0) return 1.0;
  if (count_ == 1.0) return det::exp(sigma_ * models::unit_normal(stream));
  return looked_up(models::unit_exponential(stream));
}

}  // namespace fleetcast::sim
