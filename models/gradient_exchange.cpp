#include "models/gradient_exchange.hpp"

#include <algorithm>
#include <array>

#include "models/errors.hpp"
#include "models/exchange_sweeps.hpp"
#include "models/random/deterministic_math.hpp"

namespace fleetcast::models {

namespace {

/// Sums of a step.
struct Tally {
  std::array<double, 3> seconds{};  ///< by phase, of one micro-batch for the first
  std::array<double, 4> by_bound{};
  double bytes = 0;
  int collectives = 0;
};

Collective one_bucket(const Sweep& sweep, int buckets, const Interconnect& net) {
  const double bytes = sweep.bytes / buckets;
  if (sweep.operation == Operation::all_reduce) return best_all_reduce(bytes, sweep.group, net);
  return all_gather(bytes, sweep.group, net);  // a reduce-scatter is as long
}

void add(Tally& tally, const Sweep& sweep, const ExchangeVolume& volume, double micro_batches,
         const Interconnect& net) {
  const Collective bucket = one_bucket(sweep, volume.buckets, net);
  const double times = sweep.phase == Phase::every_micro_batch ? micro_batches : 1.0;
  const double seconds = volume.buckets * bucket.seconds;
  tally.seconds[static_cast<std::size_t>(sweep.phase)] += seconds;
  tally.by_bound[static_cast<std::size_t>(bucket.bound)] += times * seconds;
  tally.bytes += times * volume.buckets * bucket.bus_bandwidth * bucket.seconds;
  tally.collectives += static_cast<int>(times) * volume.buckets;
}

/// Micro-batches hide their own traffic; what comes once hides behind what the last one leaves, or the next forward
/// pass.
double exposed_in(const Tally& tally, const Layout& layout, const OverlapWindow& window) {
  const double micro_batch = window.compute / layout.micro_batches;
  const double backward = 2 * micro_batch / 3, forward = micro_batch / 3;
  const bool gathers = layout.sharding == Sharding::zero3 || layout.sharding == Sharding::hsdp;
  const double every = tally.seconds[0], last = tally.seconds[1], next = tally.seconds[2];
  const double own = gathers ? micro_batch : backward;
  const double exposed = exposed_seconds(every, own, window.fraction);
  const double left = std::max(0.0, backward - (every - exposed) * backward / own);
  return layout.micro_batches * exposed + exposed_seconds(last, left, window.fraction) +
         exposed_seconds(next, forward, window.fraction);
}

void check(const ExchangeVolume& volume, const Layout& layout, const OverlapWindow& window) {
  require(volume.parameters >= 0 && volume.expert_parameters >= 0 && volume.gradient_bytes >= 0 &&
              volume.weight_bytes >= 0 && volume.buckets >= 1,
          "an exchange has a size");
  require(window.compute >= 0 && layout.micro_batches >= 1, "a step computes");
  const double fraction = window.fraction.value_or(0.0);
  require(fraction >= 0 && fraction <= 1, "the part that can hide is a fraction");
}

}  // namespace

double exposed_seconds(double exchange, double window, std::optional<double> fraction) {
  if (exchange <= 0 || window <= 0) return std::max(exchange, 0.0);
  if (fraction) return std::max((1 - *fraction) * exchange, exchange - window);
  constexpr double q = 1.62;
  const double larger = std::max(exchange, window), ratio = std::min(exchange, window) / larger;
  return larger * det::pow(1 + det::pow(ratio, q), 1 / q) - window;
}

GradientExchange gradient_exchange(const ExchangeVolume& volume, const Layout& layout, const Interconnect& net,
                                   const OverlapWindow& window) {
  check(volume, layout, window);
  Tally tally;
  for (const Sweep& sweep : exchange_sweeps(volume, layout, net.links))
    add(tally, sweep, volume, layout.micro_batches, net);
  const double all = layout.micro_batches * tally.seconds[0] + tally.seconds[1] + tally.seconds[2];
  const double exposed = exposed_in(tally, layout, window);
  const auto bound = std::max_element(tally.by_bound.begin(), tally.by_bound.end()) - tally.by_bound.begin();
  return {tally.bytes, all, all - exposed, exposed, tally.collectives, std::string{name_of(static_cast<Bound>(bound))}};
}

double kept_gradient_bytes(const ExchangeVolume& volume, const Layout& layout, const Interconnect& net) {
  const Group shared = replica_group(layout, net.links), experts = expert_replica_group(layout, net.links);
  const bool whole = layout.gradient_sync == GradientSync::once || layout.sharding == Sharding::none ||
                     layout.sharding == Sharding::zero1;
  const auto holders = [&](Group group) {
    return whole ? 1 : layout.sharding == Sharding::hsdp ? group.local() : group.ranks;
  };
  return volume.gradient_bytes * (volume.parameters / holders(shared) + volume.expert_parameters / holders(experts));
}

}  // namespace fleetcast::models
