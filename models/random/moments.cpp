// Means, variances and bounds of the laws.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "models/random/deterministic_math.hpp"
#include "models/random/distribution.hpp"

namespace fleetcast::models {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double square(double x) {
  return x * x;
}

/// Integral of exp(-rate u) over u in [0, length].
double survival_integral(double rate, double length) {
  if (rate > 0.0) return -det::expm1(-rate * length) / rate;
  return length;
}

/// Integral of u exp(-rate u) over u in [0, length].
double survival_moment(double rate, double length) {
  const double x = rate * length;
  if (x > 0.5) {
    const double tail = std::isinf(x) ? 0.0 : x * det::exp(-x);
    return (-det::expm1(-x) - tail) / square(rate);
  }
  // The closed form cancels here: length^2 times the sum of (-x)^k / (k! (k + 2)).
  double term = 1.0, sum = 0.0;
  for (int k = 0; k < 16; ++k) {
    sum += term / (k + 2);
    term *= -x / (k + 1);
  }
  return square(length) * sum;
}

struct HazardMoments {
  double first = 0.0, second = 0.0;
};

/// E X is the integral of the survival function, E X^2 that of 2 t times it.
HazardMoments moments(const PiecewiseHazard& law) {
  HazardMoments sum;
  double alive = 1.0, start = 0.0;
  for (const HazardPiece& piece : law.pieces) {
    const bool last = &piece == &law.pieces.back();
    if (alive == 0.0) break;
    if (last && !(piece.rate > 0.0)) return {infinity, infinity};
    const double length = last ? infinity : piece.until - start;
    const double area = survival_integral(piece.rate, length);
    sum.first += alive * area;
    sum.second += 2.0 * alive * (start * area + survival_moment(piece.rate, length));
    alive *= det::exp(-piece.rate * length);
    start = piece.until;
  }
  return law.pieces.empty() ? HazardMoments{infinity, infinity} : sum;
}

double mean_of(const Constant& law) {
  return law.value;
}
double mean_of(const Never&) {
  return infinity;
}
double mean_of(const None&) {
  return 0.0;
}
double mean_of(const Exponential& law) {
  return law.mean;
}
double mean_of(const Uniform& law) {
  return 0.5 * (law.low + law.high);
}
double mean_of(const LogNormal& law) {
  return law.median * det::exp(0.5 * square(law.sigma));
}
double mean_of(const Weibull& law) {
  return law.scale * det::gamma(1.0 + 1.0 / law.shape);
}
double mean_of(const PiecewiseHazard& law) {
  return moments(law).first;
}
double mean_of(const Mixture& law) {
  double sum = 0.0;
  for (const MixtureComponent& component : law.components) {
    if (component.share > 0.0) sum += component.share * mean(component.law);
  }
  return sum;
}
double mean_of(const Empirical& law) {
  return law.factor * std::accumulate(law.values->begin(), law.values->end(), 0.0) /
         static_cast<double>(law.values->size());
}

double variance_of(const Constant&) {
  return 0.0;
}
double variance_of(const Never&) {
  return infinity;
}
double variance_of(const None&) {
  return 0.0;
}
double variance_of(const Exponential& law) {
  return square(law.mean);
}
double variance_of(const Uniform& law) {
  return square(law.high - law.low) / 12.0;
}
double variance_of(const LogNormal& law) {
  if (law.sigma == 0.0) return 0.0;
  return square(law.median) * det::expm1(square(law.sigma)) * det::exp(square(law.sigma));
}
double variance_of(const Weibull& law) {
  const double second = det::gamma(1.0 + 2.0 / law.shape);
  if (std::isinf(second)) return infinity;
  return square(law.scale) * (second - square(det::gamma(1.0 + 1.0 / law.shape)));
}
double variance_of(const PiecewiseHazard& law) {
  const HazardMoments about_zero = moments(law);
  return std::isinf(about_zero.second) ? infinity : about_zero.second - square(about_zero.first);
}
double variance_of(const Mixture& law) {
  const double centre = mean_of(law);
  if (std::isinf(centre)) return infinity;
  double sum = 0.0;
  for (const MixtureComponent& component : law.components) {
    if (component.share > 0.0)
      sum += component.share * (variance(component.law) + square(mean(component.law) - centre));
  }
  return sum;
}
double variance_of(const Empirical& law) {
  const double centre = mean_of(law);
  double sum = 0.0;
  for (const double value : *law.values) sum += square(law.factor * value - centre);
  return sum / static_cast<double>(law.values->size());
}

double lower_of(const Constant& law) {
  return law.value;
}
double lower_of(const Never&) {
  return infinity;
}
double lower_of(const Uniform& law) {
  return law.low;
}
double lower_of(const LogNormal& law) {
  return law.sigma == 0.0 ? law.median : 0.0;
}
/// The end of the leading pieces without hazard.
double lower_of(const PiecewiseHazard& law) {
  double start = 0.0;
  for (const HazardPiece& piece : law.pieces) {
    if (piece.rate > 0.0) return start;
    start = piece.until;
  }
  return infinity;
}
double lower_of(const Mixture& law) {
  double least = infinity;
  for (const MixtureComponent& component : law.components) {
    if (component.share > 0.0) least = std::min(least, lower_bound(component.law));
  }
  return least;
}
double lower_of(const Empirical& law) {
  return law.factor * law.values->front();
}
template <class Law>  // none and the laws on the positive half-line
double lower_of(const Law&) {
  return 0.0;
}

double upper_of(const Constant& law) {
  return law.value;
}
double upper_of(const None&) {
  return 0.0;
}
double upper_of(const Uniform& law) {
  return law.high;
}
double upper_of(const LogNormal& law) {
  return law.sigma == 0.0 ? law.median : infinity;
}
double upper_of(const Mixture& law) {
  double most = -infinity;
  for (const MixtureComponent& component : law.components) {
    if (component.share > 0.0) most = std::max(most, upper_bound(component.law));
  }
  return most;
}
double upper_of(const Empirical& law) {
  return law.factor * law.values->back();
}
template <class Law>
double upper_of(const Law&) {
  return infinity;
}

}  // namespace

double mean(const Distribution& law) {
  return std::visit([](const auto& kind) { return mean_of(kind); }, law);
}

double variance(const Distribution& law) {
  return std::visit([](const auto& kind) { return variance_of(kind); }, law);
}

double median(const Distribution& law) {
  if (const auto* uniform = std::get_if<Uniform>(&law)) return 0.5 * (uniform->low + uniform->high);
  if (const auto* lognormal = std::get_if<LogNormal>(&law)) return lognormal->median;
  double below = lower_bound(law);
  if (survival(law, below) <= 0.5) return below;
  double above = std::max(1.0, 2.0 * std::abs(below));
  while (survival(law, above) > 0.5) above *= 2.0;  // ends at infinity at the latest
  // To the neighbouring double: the law may jump there.
  for (double middle = below + 0.5 * (above - below); middle > below && middle < above;
       middle = below + 0.5 * (above - below)) {
    (survival(law, middle) > 0.5 ? below : above) = middle;
  }
  return above;
}

double lower_bound(const Distribution& law) {
  return std::visit([](const auto& kind) { return lower_of(kind); }, law);
}

double upper_bound(const Distribution& law) {
  return std::visit([](const auto& kind) { return upper_of(kind); }, law);
}

bool is_constant(const Distribution& law) {
  return lower_bound(law) == upper_bound(law);
}

}  // namespace fleetcast::models
