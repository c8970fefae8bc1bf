#include "tests/bench/bare_loop.hpp"

#include <cmath>

namespace fleetcast::tests {
namespace {

constexpr int steps = 10'000, save_every = 100;
constexpr double median_s = 0.9, sigma = 0.03, exchange_s = 0.1, save_s = 5.0, life_per_node_s = 1150.0, wait_s = 120.0;

}  // namespace

void BareLoop::start_step(double now) {
  computing_ = nodes_;
  for (int node = 0; node < nodes_; ++node) {
    queue_.push(
        {now + median_s * std::exp(sigma * normal_(engine_)), computed, static_cast<std::uint32_t>(node), epoch_});
  }
}

void BareLoop::lose(double now, std::uint32_t node, BareResult& result) {
  result.node_hours += (now - since_[node]) / 3600.0;
  step_ = saved_step_;
  ++missing_;
  ++epoch_;  // whatever the gang was doing is void
  queue_.push({now + wait_s * exponential_(engine_), arrived, node, 0});
}

BareResult BareLoop::run() {
  BareResult result;
  queue_ = {};
  step_ = saved_step_ = missing_ = 0;
  since_.assign(static_cast<std::size_t>(nodes_), 0.0);
  for (int node = 0; node < nodes_; ++node) {
    queue_.push({life_per_node_s * nodes_ * exponential_(engine_), died, static_cast<std::uint32_t>(node), 0});
  }
  start_step(0.0);
  while (true) {
    const Event event = queue_.top();
    queue_.pop();
    ++result.events;
    const double now = event.time;
    switch (event.kind) {
      case computed:
        if (event.epoch == epoch_ && --computing_ == 0) queue_.push({now + exchange_s, exchanged, 0, epoch_});
        break;
      case exchanged:
        if (event.epoch != epoch_) break;
        if (++step_ % save_every == 0) {
          queue_.push({now + save_s, saved, 0, epoch_});
        } else {
          start_step(now);
        }
        break;
      case saved:
        if (event.epoch != epoch_) break;
        saved_step_ = step_;
        if (step_ == steps) {
          for (const double since : since_) {
            if (since >= 0.0) result.node_hours += (now - since) / 3600.0;
          }
          result.time_s = now;
          return result;
        }
        start_step(now);
        break;
      case died:
        lose(now, event.node, result);
        since_[event.node] = -1.0;
        break;
      case arrived:
        since_[event.node] = now;
        queue_.push({now + life_per_node_s * nodes_ * exponential_(engine_), died, event.node, 0});
        if (--missing_ == 0) start_step(now);
        break;
    }
  }
}

}  // namespace fleetcast::tests
