// How often the nodes of the fleet fail, by which cause, and which of them come back after a disaster.
#include <cmath>

#include "sim/fleet.hpp"
#include "sim/unknowns.hpp"

namespace fleetcast::sim {

void Fleet::draw_rates() {
  for (std::size_t i = 0; i < plan_.causes.size(); ++i) {
    const CausePlan& cause = plan_.causes[i];
    cause_rate_.push_back(cause_factor(plan_, i, draws_) * (cause.node_rate + cause.gang_rate));
    if (!(cause.node_rate > 0.0)) software_rate_ += cause_rate_.back();
  }
  for (const bool bad : {false, true}) {
    for (const bool coordinator : {false, true}) {
      double& rate = node_failure_rate_[rate_class(bad, coordinator)];
      for (std::size_t i = 0; i < plan_.causes.size(); ++i) {
        if (plan_.causes[i].node_rate > 0.0) rate += cause_rate(i, bad, coordinator);
      }
    }
  }
}

/// Good nodes fail so much less that the mean over fresh nodes is what the cause says.
double Fleet::cause_rate(std::size_t cause, bool bad, bool coordinator) const {
  const CausePlan& what = plan_.causes[cause];
  if (what.node_rate > 0.0 && what.is(scenarios::FailureKind::coordinator) && !coordinator) return 0.0;
  const auto& [share, factor] = plan_.bad_nodes;
  if (share <= 0.0 || !what.is_of_node()) return cause_rate_[cause];
  return cause_rate_[cause] * (bad ? factor : 1.0) / (1.0 + share * (factor - 1.0));
}

std::size_t Fleet::failure_cause(std::uint32_t slot) const {
  const Node& node = nodes_[slot];
  const double uniform = node.clock == 0 ? draws_.uniform(Purpose::failure_cause, slot, node.incarnation)
                                         : draws_.uniform(Purpose::failure_cause_again, slot, node.clock);
  double left = uniform * node_failure_rate(slot);
  std::size_t last = 0;
  for (std::size_t i = 0; i < plan_.causes.size(); ++i) {
    const double rate = plan_.causes[i].node_rate > 0.0 ? cause_rate(i, node.bad, is_coordinator(slot)) : 0.0;
    if (rate <= 0.0) continue;
    last = i;
    if (left < rate) return i;
    left -= rate;
  }
  return last;
}

std::size_t Fleet::software_cause(double uniform) const {
  double left = uniform * software_rate_;
  std::size_t last = 0;
  for (std::size_t i = 0; i < plan_.causes.size(); ++i) {
    if (plan_.causes[i].node_rate > 0.0 || cause_rate_[i] <= 0.0) continue;
    last = i;
    if (left < cause_rate_[i]) return i;
    left -= cause_rate_[i];
  }
  return last;
}

/// After so much of a mean life from now.
void Fleet::schedule_failure(std::uint32_t slot, double unit_life) {
  const Time when = queue_.now() + Duration::from_seconds(unit_life / node_failure_rate(slot));
  nodes_[slot].failure = {};
  if (when < Time::never()) nodes_[slot].failure = queue_.schedule(when, order_failure, event::NodeFails{slot});
}

void Fleet::go_on(std::uint32_t slot) {
  Node& node = nodes_[slot];
  node.clock = ++node.clocks;
  schedule_failure(slot, draws_.exponential(Purpose::failure_time_again, slot, node.clock));
}

/// Neighbours in slot order from a random place on.
void Fleet::choose_who_comes_back(const std::vector<std::uint32_t>& slots, const CausePlan& cause) {
  for (const std::uint32_t slot : slots) nodes_[slot].comes_back = true;
  if (!cause.takes_fleet || cause.returns >= 1.0 || slots.empty()) return;
  const auto all = static_cast<double>(slots.size());
  const auto lost = slots.size() - static_cast<std::size_t>(std::lround(cause.returns * all));
  const std::uint32_t first = slots.front();
  const double place = draws_.uniform(Purpose::returns, first, nodes_[first].incarnation);
  const auto from = static_cast<std::size_t>(place * all);
  for (std::size_t i = 0; i < lost; ++i) nodes_[slots[(from + i) % slots.size()]].comes_back = false;
}

}  // namespace fleetcast::sim
