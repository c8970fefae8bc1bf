#include "sim/step_law.hpp"

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
}

double SlowestNode::draw(models::Stream& stream) const {
  if (sigma_ == 0.0) return 1.0;
  if (count_ == 1.0) return det::exp(sigma_ * models::unit_normal(stream));
  // max Z has distribution Phi^N, so its upper tail is 1 - U^(1/N) = 1 - exp(-E/N) with E standard exponential.
  const double tail = -det::expm1(-models::unit_exponential(stream) / count_);
  return det::exp(-sigma_ * det::normal_quantile(tail));
}

}  // namespace fleetcast::sim
