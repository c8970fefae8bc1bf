#include "sim/young_daly.hpp"

#include <cmath>

#include "models/random/deterministic_math.hpp"

namespace fleetcast::sim {

namespace det = models::det;

double optimal_interval_s(double save_s, double mean_between_stops_s) {
  if (save_s >= 2.0 * mean_between_stops_s) return mean_between_stops_s;
  const double ratio = save_s / (2.0 * mean_between_stops_s);
  return std::sqrt(2.0 * save_s * mean_between_stops_s) * (1.0 + std::sqrt(ratio) / 3.0 + ratio / 9.0) - save_s;
}

double expected_run_s(double segments, double segment_s, double rate, double restart_s) {
  if (rate <= 0.0) return segments * segment_s;
  return segments * det::expm1(rate * segment_s) * (1.0 / rate + restart_s);
}

double restart_with_losses_s(double before_s, double start_up_s, double rate) {
  if (rate <= 0.0) return before_s + start_up_s;
  return det::exp(rate * start_up_s) * before_s + det::expm1(rate * start_up_s) / rate;
}

}  // namespace fleetcast::sim
