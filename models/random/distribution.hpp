#pragma once
// Random values of the scenario language ("random X"). Figures are in SI units (seconds for times).
#include <limits>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "models/random/stream.hpp"

namespace fleetcast::models {

struct Constant {
  double value = 0.0;
};
/// Infinitely late: a node that is never reclaimed.
struct Never {};
/// Nothing at all: no warning. Counts as zero.
struct None {};
/// mean > 0.
struct Exponential {
  double mean = 1.0;
};
/// low <= high.
struct Uniform {
  double low = 0.0, high = 1.0;
};
/// median > 0; sigma >= 0, the standard deviation of the logarithm.
struct LogNormal {
  double median = 1.0, sigma = 1.0;
};
/// Survival exp(-(t/scale)^shape); both > 0.
struct Weibull {
  double scale = 1.0, shape = 1.0;
};

/// Constant hazard per piece: rate_i (>= 0, per second) from the end of the piece before until `until`. The ends rise
/// and are finite, but for the last piece: that one is endless, whatever its `until`.
struct HazardPiece {
  double until = std::numeric_limits<double>::infinity(), rate = 0.0;
};
struct PiecewiseHazard {
  std::vector<HazardPiece> pieces;
};

struct MixtureComponent;
/// One of the components, with these shares (they sum to 1).
struct Mixture {
  std::vector<MixtureComponent> components;
};

/// One of the measured values, each as likely as any other. At least one; ascending; shared, since they may be many.
struct Empirical {
  std::shared_ptr<const std::vector<double>> values;
  std::string name;     ///< as the scenario writes it: "data(waits.csv, wait_s)"
  double factor = 1.0;  ///< > 0, multiplies every value
};

using Distribution =
    std::variant<Constant, Never, None, Exponential, Uniform, LogNormal, Weibull, PiecewiseHazard, Mixture, Empirical>;

struct MixtureComponent {
  double share = 1.0;
  Distribution law;
};

/// One draw. Infinity for `never`.
double sample(const Distribution& law, Stream& stream);
/// Infinity where there is no mean (never, or a last hazard of zero).
double mean(const Distribution& law);
/// Infinity where there is no variance, or where it is beyond the range of a double.
double variance(const Distribution& law);
/// The smallest x with P(X > x) <= 1/2; infinity for `never`.
double median(const Distribution& law);
/// P(X > x).
double survival(const Distribution& law, double x);
/// True when every draw is the same.
bool is_constant(const Distribution& law);
/// Smallest and largest possible draw (0 and infinity for unbounded laws).
double lower_bound(const Distribution& law);
double upper_bound(const Distribution& law);
/// The same law with every draw multiplied by factor > 0.
Distribution scaled(const Distribution& law, double factor);
/// In the notation of the scenario language; times in the unit that reads best.
std::string describe_time(const Distribution& law);

/// Standard exponential and normal draws (Boost's ziggurat), uniform in [0, 1).
double unit_exponential(Stream& stream);
double unit_normal(Stream& stream);
double unit_uniform(Stream& stream);
/// Gamma with this shape and scale 1 (Marsaglia and Tsang 2000). shape > 0.
double unit_gamma(double shape, Stream& stream);

}  // namespace fleetcast::models
