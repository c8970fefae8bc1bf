#include "analysis/records/price_likelihood.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fleetcast::analysis {

namespace {

/// Of independent values that a level has: 1' R^-1 1 for an autoregression of first order.
double information_of(double pairs, double memory) {
  return 1.0 + pairs * (1.0 - memory) / (1.0 + memory);
}

}  // namespace

PriceLikelihood::PriceLikelihood(std::span<const PriceTrace> traces) {
  for (const PriceTrace& trace : traces) {
    const auto& changes = trace.recording.changes;
    if (changes.size() < 2) continue;
    Sums sums;
    for (std::size_t at = 1; at < changes.size(); ++at) {
      const double x = std::log(changes[at].value / changes.front().value);
      const double y = std::log(changes[at - 1].value / changes.front().value);
      sums.pairs += 1.0;
      sums.x += x;
      sums.y += y;
      sums.xx += x * x;
      sums.yy += y * y;
      sums.xy += x * y;
    }
    sums_.push_back(sums);
    pairs_ += sums.pairs;
    values_ += sums.pairs + 1.0;
  }
}

double PriceLikelihood::squares(double memory) const {
  double total = 0.0;
  for (const Sums& sums : sums_) {
    const double innovations = sums.x - memory * sums.y;
    const double level = innovations / (1.0 + memory) / information_of(sums.pairs, memory);
    const double of_innovations = sums.xx - 2.0 * memory * sums.xy + memory * memory * sums.yy;
    const double shift = (1.0 - memory) * level;
    const double rest = of_innovations - 2.0 * shift * innovations + sums.pairs * shift * shift;
    total += level * level + std::max(0.0, rest) / (1.0 - memory * memory);
  }
  return total;
}

double PriceLikelihood::at(double memory, double sigma) const {
  return -values_ * std::log(sigma) - 0.5 * pairs_ * std::log1p(-memory * memory) -
         0.5 * squares(memory) / (sigma * sigma);
}

double PriceLikelihood::profile(double memory) const {
  return at(memory, std::sqrt(std::max(squares(memory), 1e-300) / values_));
}

Peak PriceLikelihood::best_memory() const {
  return largest([&](double y) { return profile(std::tanh(y)); }, 0.0, most_memory, 80);
}

double PriceLikelihood::information(double memory) const {
  return sums_.empty() ? 1.0 : information_of(sums_.front().pairs, memory);
}

double PriceLikelihood::criterion(double log_likelihood, double parameters) const {
  const double k = parameters + traces();
  if (values_ - k - 1.0 <= 0.0) return std::numeric_limits<double>::infinity();
  return -2.0 * log_likelihood + 2.0 * k + 2.0 * k * (k + 1.0) / (values_ - k - 1.0);
}

}  // namespace fleetcast::analysis
