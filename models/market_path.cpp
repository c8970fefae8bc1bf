#include "models/market_path.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/random/deterministic_math.hpp"
#include "models/random/distribution.hpp"
#include "models/units.hpp"

namespace fleetcast::models {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr double hours_of_day = 24.0;
constexpr double full_turn = 6.283185307179586;
/// Looks no further than this for a visible change: what the market does after it is found when it is asked for.
constexpr int most_looks = 4096;
/// Sets the entities of one zone apart: the golden ratio of 2^32 scatters small numbers.
constexpr std::uint32_t scatter = 0x9E3779B9U;
/// Layers that a region's zones have in common are numbered from here.
constexpr std::uint32_t first_common = 16;
/// The least probability whose quantile is drawn.
constexpr double least_share = 1e-300;

/// P(low < standard normal < high), accurate in both tails.
double share_between(double low, double high) {
  return low > 0.0 ? det::normal_cdf(-low) - det::normal_cdf(-high) : det::normal_cdf(high) - det::normal_cdf(low);
}

/// A standard normal given that it lies between; `u` in [0, 1).
double normal_between(double low, double high, double u) {
  if (low > 0.0) return -normal_between(-high, -low, u);
  const double below = det::normal_cdf(low);
  const double share = std::max(least_share, below + (1.0 - u) * (det::normal_cdf(high) - below));
  return std::clamp(det::normal_quantile(std::min(share, 1.0 - 1e-16)), low, high);
}

}  // namespace

double MarketPath::climate(const MarketKey& key, double sd, double regional) {
  if (sd <= 0.0) return 0.0;
  Stream common{{key.seed, key.trial, Purpose::market_climate, key.region + first_common * scatter, 0}};
  Stream own{{key.seed, key.trial, Purpose::market_climate, key.zone, 0}};
  return sd * (std::sqrt(regional) * unit_normal(common) + std::sqrt(1.0 - regional) * unit_normal(own));
}

MarketPath::MarketPath(const LayeredMarket& market, const MarketKey& key, double start_utc_h, double offset)
    : market_{market}, key_{key}, offset_{offset}, hour_{std::floor(start_utc_h)} {
  const double swing = market.daily_swing;
  const double shrink = std::sqrt(1.0 - 0.5 * swing * swing);
  for (std::size_t i = 0; i < market_layer_count; ++i) {
    const MarketLayer& layer = market.layers[i];
    const double scale = shrink * std::sqrt(layer.weight);
    const double common = i < first_regional_layer ? 0.0 : market.regional;
    const auto number = static_cast<std::uint32_t>(i);
    if (i == 0) {
      fast_scale_ = scale;
      fast_gap_s_ = layer.mean_gap_s;
      continue;
    }
    add_slow(scale * std::sqrt(1.0 - common), layer.mean_gap_s, key.zone + number * scatter);
    add_slow(scale * std::sqrt(common), layer.mean_gap_s, key.region + (first_common + number) * scatter);
  }
  next_hour_s_ = swing > 0.0 ? (1.0 - (start_utc_h - hour_)) * seconds_per_hour : never;
  Stream bits{{key.seed, key.trial, Purpose::market_change, key.zone, steps_++}};
  fast_ = fast_scale_ * unit_normal(bits);
  slow_now_ = slow_sum();
  level_ = level_of(slow_now_ + fast_);
  find_band();
  capacity_ = level_;
  find_next();
}

void MarketPath::add_slow(double scale, double mean_gap_s, std::uint32_t entity) {
  if (scale <= 0.0) return;
  Process& process = slow_[slow_count_++];
  process.scale = scale;
  process.mean_gap_s = mean_gap_s;
  process.entity = entity;
  renew(process);
}

/// A new value, and when the next one comes.
void MarketPath::renew(Process& process) {
  Stream bits{{key_.seed, key_.trial, Purpose::market_layer, process.entity, process.draws++}};
  process.value = process.scale * unit_normal(bits);
  process.next_s = now_s_ + process.mean_gap_s * unit_exponential(bits);
}

double MarketPath::slow_sum() const {
  double sum = offset_;
  for (std::size_t i = 0; i < slow_count_; ++i) sum += slow_[i].value;
  if (market_.daily_swing <= 0.0) return sum;
  return sum + market_.daily_swing * det::cos(full_turn * (hour_ + 0.5 - market_.daily_peak_h) / hours_of_day);
}

int MarketPath::level_of(double x) const {
  const auto& z = market_.thresholds;
  return static_cast<int>(std::upper_bound(z.begin(), z.end(), x) - z.begin());
}

/// Where the fast layer leaves the level as it is.
void MarketPath::find_band() {
  const auto& z = market_.thresholds;
  const auto level = static_cast<std::size_t>(level_);
  band_.low = level == 0 ? -never : (z[level - 1] - slow_now_) / fast_scale_;
  band_.high = level == z.size() ? never : (z[level] - slow_now_) / fast_scale_;
  band_.below = level == 0 ? 0.0 : det::normal_cdf(band_.low);
  band_.above = level == z.size() ? 0.0 : det::normal_cdf(-band_.high);
}

/// New values of the fast layer that changed nothing were not drawn one by one: whether there was one since
/// `fast_since_s_`, and then where in the band the last one lies.
void MarketPath::settle_fast(Stream& bits) {
  const double unseen = (now_s_ - fast_since_s_) / fast_gap_s_ * share_between(band_.low, band_.high);
  fast_since_s_ = now_s_;
  if (unit_uniform(bits) >= -det::expm1(-unseen)) return;
  fast_ = fast_scale_ * normal_between(band_.low, band_.high, unit_uniform(bits));
}

/// A new value of the fast layer outside of its band.
void MarketPath::leave_band(Stream& bits) {
  const double share = (1.0 - unit_uniform(bits)) * (band_.below + band_.above);
  const bool falls = share <= band_.below;
  const double tail = std::max(least_share, falls ? share : share - band_.below);
  const double quantile = det::normal_quantile(std::min(tail, 1.0 - 1e-16));
  fast_ = fast_scale_ * (falls ? quantile : -quantile);
  fast_since_s_ = now_s_;
}

MarketPath::Process* MarketPath::earliest_slow() {
  return std::min_element(slow_.begin(), slow_.begin() + static_cast<std::ptrdiff_t>(slow_count_),
                          [](const Process& a, const Process& b) { return a.next_s < b.next_s; });
}

void MarketPath::change_level() {
  slow_now_ = slow_sum();
  level_ = level_of(slow_now_ + fast_);
  alone_ = std::min(alone_, level_);
  find_band();
}

/// A layer takes a new value, or the hour of the day turns.
void MarketPath::move_slow(Process* process, double at_s, Stream& bits) {
  now_s_ = at_s;
  settle_fast(bits);
  if (at_s == next_hour_s_) {
    next_hour_s_ += seconds_per_hour;
    hour_ += 1.0;
  } else {
    renew(*process);
  }
  change_level();
}

/// The event at `now_s_` among the fast layer, a node lost alone, and one that is back.
void MarketPath::move_fast(double fast, double lost, double back, Stream& bits) {
  const double which = unit_uniform(bits) * (fast + lost + back);
  if (which < fast) {
    leave_band(bits);
    change_level();
  } else {
    alone_ += which < fast + lost ? 1 : -1;
  }
}

void MarketPath::find_next() {
  for (int look = 0; look < most_looks; ++look) {
    Stream bits{{key_.seed, key_.trial, Purpose::market_change, key_.zone, steps_++}};
    const double fast = (band_.below + band_.above) / fast_gap_s_;
    const double lost = market_.lone_loss_per_s * (level_ - alone_), back = alone_ / market_.lone_return_s;
    const double rate = fast + lost + back;
    const double event_s = rate > 0.0 ? now_s_ + unit_exponential(bits) / rate : never;
    Process* const process = earliest_slow();
    const double slow_s = std::min(next_hour_s_, slow_count_ > 0 ? process->next_s : never);
    if (event_s < slow_s) {
      now_s_ = event_s;
      move_fast(fast, lost, back, bits);
    } else if (slow_s < never) {
      move_slow(process, slow_s, bits);
    } else {
      now_s_ = never;
      break;
    }
    if (level_ - alone_ != capacity_) break;
  }
  next_ = {now_s_, level_ - alone_};
}

void MarketPath::advance() {
  since_s_ = next_.at_s;
  capacity_ = next_.capacity;
  if (since_s_ < never) find_next();
}

}  // namespace fleetcast::models
