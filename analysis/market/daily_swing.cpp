#include "analysis/market/daily_swing.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <vector>

#include "models/normal90.hpp"
#include "models/random/deterministic_math.hpp"

namespace fleetcast::analysis {

namespace {

using Wave = std::complex<double>;
constexpr double hours_of_day = 24.0, full_turn = 6.283185307179586;
constexpr std::size_t fewest_days = 5;

/// Normal scores of the middle ranks, by capacity.
std::vector<double> scores_of(const CapacitySeries& series) {
  std::vector<double> count(static_cast<std::size_t>(series.nodes) + 1, 0.0);
  for (const std::int16_t value : series.capacity) count[static_cast<std::size_t>(value)] += 1.0;
  const double all = static_cast<double>(series.capacity.size());
  double below = 0.0;
  for (double& each : count) {
    const double own = each;
    each = own > 0.0 ? models::det::normal_quantile(std::clamp((below + own / 2.0) / all, 0.5 / all, 1.0 - 0.5 / all))
                     : 0.0;
    below += own;
  }
  return count;
}

/// First Fourier term of each whole day.
std::vector<Wave> waves_of(const CapacitySeries& series, double start_utc_h) {
  const std::vector<double> score = scores_of(series);
  const auto day = static_cast<std::size_t>(std::round(hours_of_day / series.interval_h));
  std::vector<Wave> waves;
  for (std::size_t from = 0; day > 0 && from + day <= series.capacity.size(); from += day) {
    Wave sum = 0.0;
    for (std::size_t i = from; i < from + day; ++i) {
      const double hour = start_utc_h + static_cast<double>(i) * series.interval_h;
      sum += score[static_cast<std::size_t>(series.capacity[i])] * std::polar(1.0, -full_turn * hour / hours_of_day);
    }
    waves.push_back(sum * (2.0 / static_cast<double>(day)));
  }
  return waves;
}

std::array<double, 24> hourly_means(const CapacitySeries& series, double start_utc_h) {
  std::array<double, 24> sum{}, count{};
  for (std::size_t i = 0; i < series.capacity.size(); ++i) {
    const double hour = std::fmod(start_utc_h + static_cast<double>(i) * series.interval_h, hours_of_day);
    const auto at = std::min<std::size_t>(static_cast<std::size_t>(hour), 23);
    sum[at] += static_cast<double>(series.capacity[i]) / series.nodes;
    count[at] += 1.0;
  }
  for (std::size_t h = 0; h < sum.size(); ++h) sum[h] = count[h] > 0.0 ? sum[h] / count[h] : 0.0;
  return sum;
}

}  // namespace

DailySwing find_daily_swing(const CapacitySeries& series, double start_utc_h) {
  DailySwing swing;
  swing.hourly = hourly_means(series, start_utc_h);
  const std::vector<Wave> waves = waves_of(series, start_utc_h);
  if (waves.size() < fewest_days) return swing;
  const double days = static_cast<double>(waves.size());
  Wave mean = 0.0;
  for (const Wave& wave : waves) mean += wave / days;
  double noise = 0.0;  // variance of the mean, both directions together
  for (const Wave& wave : waves) noise += std::norm(wave - mean) / ((days - 1.0) * days);
  swing.known = true;
  constexpr double most = 0.8;
  swing.amplitude = std::min(most, std::sqrt(std::max(0.0, std::norm(mean) - noise)));
  const double half = models::normal90 * std::sqrt(noise / 2.0);
  swing.amplitude_low = std::max(0.0, swing.amplitude - half);
  swing.amplitude_high = std::min(1.0, swing.amplitude + half);
  const double hour = std::arg(mean) * -hours_of_day / full_turn;
  swing.peak_h = std::fmod(hour + hours_of_day, hours_of_day);
  // |mean|^2 / noise follows F(2, 2 (days - 1)), whose tail is a power.
  if (noise > 0.0) swing.chance = std::pow(1.0 + std::norm(mean) / noise / (days - 1.0), -(days - 1.0));
  return swing;
}

}  // namespace fleetcast::analysis
