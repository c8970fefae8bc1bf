#include "models/price_law.hpp"

#include <algorithm>

#include "models/random/deterministic_math.hpp"

namespace fleetcast::models {

/// E[p; p <= limit] of a log-normal is exp(m + s^2 / 2) Phi((ln limit - m) / s - s).
double mean_price(const PriceLaw& law) {
  const double s = law.log_sd;
  if (s <= 0.0) return std::clamp(law.median, law.lowest, law.highest);
  const auto quantile_of = [&](double price) { return det::log(price / law.median) / s; };
  const bool has_floor = law.lowest > 0.0, has_ceiling = law.highest < std::numeric_limits<double>::infinity();
  const double below = has_floor ? det::normal_cdf(quantile_of(law.lowest)) : 0.0;
  const double above = has_ceiling ? det::normal_cdf(-quantile_of(law.highest)) : 0.0;
  const double to_ceiling = has_ceiling ? det::normal_cdf(quantile_of(law.highest) - s) : 1.0;
  const double to_floor = has_floor ? det::normal_cdf(quantile_of(law.lowest) - s) : 0.0;
  const double inside = law.median * det::exp(0.5 * s * s) * (to_ceiling - to_floor);
  return inside + below * law.lowest + (above > 0.0 ? above * law.highest : 0.0);
}

}  // namespace fleetcast::models
