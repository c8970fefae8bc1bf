#include "analysis/market/control_models.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/market/loss_counts.hpp"
#include "analysis/market/uniforms.hpp"

namespace fleetcast::analysis {

namespace {

std::size_t pick(const std::vector<double>& cumulated, double u) {
  const auto found = std::upper_bound(cumulated.begin(), cumulated.end(), u * cumulated.back());
  return std::min(static_cast<std::size_t>(found - cumulated.begin()), cumulated.size() - 1);
}

void cumulate(std::vector<double>& weights) {
  std::partial_sum(weights.begin(), weights.end(), weights.begin());
}

}  // namespace

MarkovControl::MarkovControl(const CapacitySeries& series) {
  const auto counts = static_cast<std::size_t>(series.nodes) + 1;
  next_.assign(counts, std::vector<double>(counts, 0.0));
  occupied_.assign(counts, 0.0);
  std::vector<double> left(counts, 0.0), seen(counts, 0.0);
  for (std::size_t i = 0; i < series.capacity.size(); ++i) {
    const auto from = static_cast<std::size_t>(series.capacity[i]);
    occupied_[from] += 1.0;
    if (i + 1 == series.capacity.size()) break;
    const auto to = static_cast<std::size_t>(series.capacity[i + 1]);
    seen[from] += 1.0;
    if (to == from) continue;
    left[from] += 1.0;
    next_[from][to] += 1.0;
  }
  for (std::size_t k = 0; k < counts; ++k) {
    leaves_.push_back(seen[k] > 0.0 ? left[k] / seen[k] : 0.0);
    cumulate(next_[k]);
  }
  cumulate(occupied_);
}

CapacitySeries MarkovControl::draw(const GridForm& form, std::uint64_t seed) const {
  Uniforms uniforms{seed};
  CapacitySeries series{static_cast<int>(occupied_.size()) - 1, form.interval_h, {}};
  std::size_t count = pick(occupied_, uniforms.next());
  while (series.capacity.size() < form.samples) {
    const std::size_t left = form.samples - series.capacity.size();
    const double stay = leaves_[count] > 0.0 ? uniforms.geometric(leaves_[count]) : static_cast<double>(left);
    const auto samples = static_cast<std::size_t>(std::min(stay, static_cast<double>(left)));
    series.capacity.insert(series.capacity.end(), samples, static_cast<std::int16_t>(count));
    if (next_[count].back() > 0.0) count = pick(next_[count], uniforms.next());
  }
  return series;
}

IndependentNodesControl::IndependentNodesControl(const CapacitySeries& series) : nodes_{series.nodes} {
  // Half a loss more than seen, and a share that is neither 0 nor 1, so that the rates exist.
  constexpr double half_a_loss = 0.5, least_share = 0.005;
  const double share = mean_share(series);
  const double held_h = share * series.nodes * series.hours();
  const double lost = static_cast<double>(count_losses(std::span{&series, 1}).lost);
  up_share_ = std::clamp(share, least_share, 1.0 - least_share);
  const double loss_per_h = (lost + half_a_loss) / std::max(held_h, series.interval_h);
  const double return_per_h = loss_per_h * up_share_ / (1.0 - up_share_);
  const double relaxed = -std::expm1(-(loss_per_h + return_per_h) * series.interval_h);
  loses_ = (1.0 - up_share_) * relaxed;
  returns_ = up_share_ * relaxed;
}

CapacitySeries IndependentNodesControl::draw(const GridForm& form, std::uint64_t seed) const {
  Uniforms uniforms{seed};
  std::vector<int> change(form.samples + 1, 0);
  for (int node = 0; node < nodes_; ++node) {
    bool up = uniforms.next() < up_share_;
    if (up) ++change[0];
    for (double at = uniforms.geometric(up ? loses_ : returns_); at < static_cast<double>(form.samples);
         at += uniforms.geometric(up ? loses_ : returns_)) {
      up = !up;
      change[static_cast<std::size_t>(at)] += up ? 1 : -1;
    }
  }
  CapacitySeries series{nodes_, form.interval_h, {}};
  int capacity = 0;
  for (std::size_t i = 0; i < form.samples; ++i)
    series.capacity.push_back(static_cast<std::int16_t>(capacity += change[i]));
  return series;
}

}  // namespace fleetcast::analysis
