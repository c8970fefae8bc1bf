#pragma once
// The yardstick of tests/support/yardstick.hpp as a bare event loop: std::priority_queue, one event per node and
// step, one generator for everything, no accounts, no replay. What a careful hour of programming gives; the
// program is measured against it.
#include <cstdint>
#include <queue>
#include <random>
#include <vector>

#include <boost/random/exponential_distribution.hpp>
#include <boost/random/normal_distribution.hpp>

namespace fleetcast::tests {

struct BareResult {
  double time_s = 0.0, node_hours = 0.0;
  std::uint64_t events = 0;
};

class BareLoop {
 public:
  BareLoop(int nodes, std::uint64_t seed) : nodes_{nodes}, engine_{seed} {}
  BareResult run();

 private:
  enum Kind : std::uint32_t { computed, exchanged, saved, died, arrived };
  struct Event {
    double time;
    Kind kind;
    std::uint32_t node, epoch;
    bool operator>(const Event& other) const { return time > other.time; }
  };

  void start_step(double now);
  void lose(double now, std::uint32_t node, BareResult& result);

  int nodes_;
  std::mt19937_64 engine_;
  boost::random::normal_distribution<double> normal_;
  boost::random::exponential_distribution<double> exponential_;
  std::priority_queue<Event, std::vector<Event>, std::greater<>> queue_;
  int computing_ = 0, missing_ = 0, step_ = 0, saved_step_ = 0;
  std::uint32_t epoch_ = 0;
  std::vector<double> since_;
};

}  // namespace fleetcast::tests
