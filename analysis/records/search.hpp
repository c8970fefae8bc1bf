#pragma once
// The largest value of a likelihood along one parameter, and how far it holds.
#include <functional>

namespace fleetcast::analysis {

using Curve = std::function<double(double)>;

struct Peak {
  double at = 0.0, value = 0.0;
};

/// Largest value on [low, high], low < high: the best of `steps` equal steps, then Brent's method between its
/// neighbours. Finds the highest of several peaks if they are wider than a step.
Peak largest(const Curve& curve, double low, double high, int steps = 40);

/// Where the curve is no more than a drop below its peak.
struct Range90 {
  double low = 0.0, high = 0.0;
  bool open_low = false, open_high = false;  ///< it never falls so far on that side: `low`, `high` are the bounds
};
/// Drop of a log-likelihood that bounds a 90 % interval of one parameter: half of the 90 % point of chi-squared with
/// one degree of freedom (Wilks 1938).
constexpr double drop90 = 1.352771727;
Range90 range_within(const Curve& curve, const Peak& peak, double low, double high, double drop = drop90,
                     int steps = 40);

}  // namespace fleetcast::analysis
