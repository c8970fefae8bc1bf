#include "sim/billing.hpp"

#include <algorithm>
#include <cmath>

#include "models/random/distribution.hpp"

namespace fleetcast::sim {

LifeBill bill_of_life(const Life& life, double usd_per_node_h, const models::Billing& billing) {
  const double usd_per_s = usd_per_node_h / models::seconds_per_hour;
  LifeBill bill{life.held_s * usd_per_s, 0.0, 0.0};
  if (billing.first_hour_free && life.reclaimed && life.held_s < models::seconds_per_hour) {
    bill.forgiven = -bill.held;
    return bill;
  }
  const double due_s = billing.boot ? life.held_s : life.held_s - life.boot_s;
  bill.forgiven = -(life.held_s - due_s) * usd_per_s;
  const double increment = billing.increment.value();
  // A life of a whole number of increments is not rounded up because of the last bit of a division.
  const double steps = increment > 0.0 ? std::ceil(due_s / increment - 1e-9) : 0.0;
  const double rounded_s = std::max({due_s, steps * increment, billing.minimum.value()});
  bill.rounding = (rounded_s - due_s) * usd_per_s;
  return bill;
}

std::size_t bulk_extra(scenarios::Bulk::Size size, std::size_t others, models::Stream& bits) {
  if (others == 0) return 0;
  switch (size) {
    case scenarios::Bulk::Size::all:
      return others;
    case scenarios::Bulk::Size::uniform:
      return 1 + static_cast<std::size_t>(models::unit_uniform(bits) * static_cast<double>(others));
    case scenarios::Bulk::Size::geometric:
      break;
  }
  std::size_t extra = 1;
  while (extra < others && models::unit_uniform(bits) < 0.5) ++extra;
  return extra;
}

double mean_reclaim_size(const scenarios::Bulk& bulk, int nodes) {
  const double others = nodes - 1;
  if (others <= 0.0) return 1.0;
  double extra = others;
  if (bulk.size == scenarios::Bulk::Size::uniform) extra = 0.5 * (1.0 + others);
  if (bulk.size == scenarios::Bulk::Size::geometric) {
    extra = 0.0;  // E[min(G, others)], G geometric from 1: the sum of P(G >= k) for k = 1..others
    double at_least = 1.0;
    for (int k = 1; k < nodes && at_least > 0.0; ++k, at_least *= 0.5) extra += at_least;
  }
  return 1.0 + (1.0 - bulk.single) * extra;
}

}  // namespace fleetcast::sim
