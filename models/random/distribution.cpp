#include "models/random/distribution.hpp"

#include <algorithm>
#include <boost/random/exponential_distribution.hpp>
#include <boost/random/normal_distribution.hpp>
#include <cmath>

#include "models/random/deterministic_math.hpp"

namespace fleetcast::models {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double draw(const Constant& law, Stream&) {
  return law.value;
}
double draw(const Never&, Stream&) {
  return infinity;
}
double draw(const None&, Stream&) {
  return 0.0;
}
double draw(const Exponential& law, Stream& stream) {
  return law.mean * unit_exponential(stream);
}
double draw(const Uniform& law, Stream& stream) {
  return law.low + (law.high - law.low) * unit_uniform(stream);
}
double draw(const LogNormal& law, Stream& stream) {
  return law.median * det::exp(law.sigma * unit_normal(stream));
}
/// E^(1/shape) by way of the logarithm: half the time of a power, and a few ulp matter to no draw.
double draw(const Weibull& law, Stream& stream) {
  return law.scale * det::exp(det::log(unit_exponential(stream)) / law.shape);
}

/// Where the cumulative hazard reaches a unit exponential draw.
double draw(const PiecewiseHazard& law, Stream& stream) {
  double left = unit_exponential(stream), start = 0.0;
  for (const HazardPiece& piece : law.pieces) {
    const bool last = &piece == &law.pieces.back();
    const double hazard = last ? infinity : piece.rate * (piece.until - start);
    if (left < hazard) return piece.rate > 0.0 ? start + left / piece.rate : infinity;
    left -= hazard;
    start = piece.until;
  }
  return infinity;
}

/// The component is chosen by one uniform number; the same stream then draws from it.
double draw(const Mixture& law, Stream& stream) {
  double left = unit_uniform(stream);
  for (const MixtureComponent& component : law.components) {
    left -= component.share;
    if (left < 0.0) return sample(component.law, stream);
  }
  // The shares sum to 1 but for rounding.
  return law.components.empty() ? 0.0 : sample(law.components.back().law, stream);
}

double draw(const Empirical& law, Stream& stream) {
  const std::vector<double>& values = *law.values;
  return law.factor * values[static_cast<std::size_t>(unit_uniform(stream) * static_cast<double>(values.size()))];
}

double survival_of(const Constant& law, double x) {
  return x < law.value ? 1.0 : 0.0;
}
double survival_of(const Never&, double x) {
  return x < infinity ? 1.0 : 0.0;
}
double survival_of(const None&, double x) {
  return x < 0.0 ? 1.0 : 0.0;
}
double survival_of(const Exponential& law, double x) {
  return x <= 0.0 ? 1.0 : det::exp(-x / law.mean);
}
double survival_of(const Uniform& law, double x) {
  if (x < law.low) return 1.0;
  return x < law.high ? (law.high - x) / (law.high - law.low) : 0.0;
}
double survival_of(const LogNormal& law, double x) {
  if (x <= 0.0) return 1.0;
  if (law.sigma == 0.0) return x < law.median ? 1.0 : 0.0;
  return det::normal_cdf(-det::log(x / law.median) / law.sigma);
}
double survival_of(const Weibull& law, double x) {
  return x <= 0.0 ? 1.0 : det::exp(-det::pow(x / law.scale, law.shape));
}
double survival_of(const PiecewiseHazard& law, double x) {
  double hazard = 0.0, start = 0.0;
  for (const HazardPiece& piece : law.pieces) {
    const bool last = &piece == &law.pieces.back();
    const double end = last ? x : std::min(x, piece.until);
    if (end > start && piece.rate > 0.0) hazard += piece.rate * (end - start);
    start = piece.until;
  }
  return det::exp(-hazard);
}
double survival_of(const Mixture& law, double x) {
  double sum = 0.0;
  for (const MixtureComponent& component : law.components) sum += component.share * survival(component.law, x);
  return sum;
}
double survival_of(const Empirical& law, double x) {
  const std::vector<double>& values = *law.values;
  const auto above = std::upper_bound(values.begin(), values.end(), x / law.factor);
  return static_cast<double>(values.end() - above) / static_cast<double>(values.size());
}

Distribution times(const Constant& law, double factor) {
  return Constant{law.value * factor};
}
Distribution times(const Never& law, double) {
  return law;
}
Distribution times(const None& law, double) {
  return law;
}
Distribution times(const Exponential& law, double factor) {
  return Exponential{law.mean * factor};
}
Distribution times(const Uniform& law, double factor) {
  return Uniform{law.low * factor, law.high * factor};
}
Distribution times(const LogNormal& law, double factor) {
  return LogNormal{law.median * factor, law.sigma};
}
Distribution times(const Weibull& law, double factor) {
  return Weibull{law.scale * factor, law.shape};
}
Distribution times(PiecewiseHazard law, double factor) {
  for (HazardPiece& piece : law.pieces) piece = {piece.until * factor, piece.rate / factor};
  return law;
}
Distribution times(Mixture law, double factor) {
  for (MixtureComponent& component : law.components) component.law = scaled(component.law, factor);
  return law;
}
Distribution times(Empirical law, double factor) {
  law.factor *= factor;
  return law;
}

}  // namespace

// Boost's ziggurats ask std::exp only whether to accept a draw in a wedge (about one in a hundred): libraries that
// differ in the last bit disagree on fewer than one draw in 10^17.
double unit_exponential(Stream& stream) {
  return boost::random::exponential_distribution<double>{}(stream);
}
double unit_normal(Stream& stream) {
  return boost::random::normal_distribution<double>{}(stream);
}
double unit_uniform(Stream& stream) {
  return static_cast<double>(stream() >> 11) * 0x1p-53;
}

double unit_gamma(double shape, Stream& stream) {
  // Below 1: Gamma(shape + 1) times U^(1/shape), where -log(U) is a unit exponential.
  if (shape < 1.0) {
    const double factor = det::exp(-unit_exponential(stream) / shape);
    return factor * unit_gamma(shape + 1.0, stream);
  }
  const double d = shape - 1.0 / 3.0, c = 1.0 / std::sqrt(9.0 * d);
  while (true) {
    const double x = unit_normal(stream), root = 1.0 + c * x;
    if (root <= 0.0) continue;
    const double v = root * root * root;
    if (-unit_exponential(stream) < 0.5 * x * x + d * (1.0 - v + det::log(v))) return d * v;
  }
}

double sample(const Distribution& law, Stream& stream) {
  return std::visit([&stream](const auto& kind) { return draw(kind, stream); }, law);
}

double survival(const Distribution& law, double x) {
  if (x == infinity) return 0.0;
  return std::visit([x](const auto& kind) { return survival_of(kind, x); }, law);
}

Distribution scaled(const Distribution& law, double factor) {
  return std::visit([factor](const auto& kind) { return times(kind, factor); }, law);
}

}  // namespace fleetcast::models
