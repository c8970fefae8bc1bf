// A single server with a waiting line, written with nothing but the kernel, against the textbook: Poisson arrivals at
// rate l, exponential service at rate m, r = l/m. Mean number in the system r/(1 - r), mean wait before service
// r/(m - l). (L. Kleinrock, Queueing Systems, vol. 1, 1975, section 3.2.)
#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <queue>
#include <vector>

#include "sim/kernel/event_queue.hpp"
#include "sim/kernel/run_loop.hpp"
#include "tests/support/statistics.hpp"

namespace fleetcast::sim::kernel {
namespace {

/// Its own small generator (splitmix64, Steele, Lea and Flood 2014): the kernel is tested without our random laws.
class ToyEngine {
 public:
  explicit ToyEngine(std::uint64_t seed) : state_{seed} {}
  Duration exponential(double rate) {
    state_ += 0x9E3779B97F4A7C15;
    std::uint64_t z = state_;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    const double uniform = (static_cast<double>((z ^ z >> 31) >> 11) + 0.5) * 0x1p-53;
    return Duration::from_seconds(-std::log(uniform) / rate);
  }

 private:
  std::uint64_t state_;
};

/// From one arrival at the empty system to the next: cycles are independent and identically distributed.
struct Cycle {
  double length_s = 0.0;
  double customer_s = 0.0;  ///< integral of the number in the system
  double waited_s = 0.0;    ///< before service, all customers of the cycle
  double customers = 0.0;
};

class SingleServer {
 public:
  SingleServer(double arrival_rate, double service_rate, std::uint64_t seed)
      : arrival_rate_{arrival_rate}, service_rate_{service_rate}, engine_{seed} {}

  std::vector<Cycle> cycles(std::size_t count) {
    queue_.schedule(Time{}, 0, Kind::arrival);
    run(queue_, [this, count](const Events::Occurrence& occurrence) {
      book_until(occurrence.time);
      if (occurrence.event == Kind::departure) {
        depart();
      } else if (!arrive(count)) {
        return Flow::stop;
      }
      return Flow::go_on;
    });
    return std::move(cycles_);
  }

 private:
  enum class Kind : std::uint8_t { arrival, departure };
  using Events = EventQueue<Kind>;

  void book_until(Time time) {
    if (!cycles_.empty()) {
      const double passed_s = (time - booked_).seconds();
      cycles_.back().length_s += passed_s;
      cycles_.back().customer_s += passed_s * static_cast<double>(present_.size());
    }
    booked_ = time;
  }
  bool arrive(std::size_t count) {
    if (present_.empty()) {
      if (cycles_.size() == count) return false;
      cycles_.emplace_back();
    }
    queue_.schedule(queue_.now() + engine_.exponential(arrival_rate_), 0, Kind::arrival);
    present_.push(queue_.now());
    cycles_.back().customers += 1.0;
    if (present_.size() == 1) serve();
    return true;
  }
  void depart() {
    present_.pop();
    if (!present_.empty()) serve();
  }
  void serve() {
    cycles_.back().waited_s += (queue_.now() - present_.front()).seconds();
    queue_.schedule(queue_.now() + engine_.exponential(service_rate_), 0, Kind::departure);
  }

  double arrival_rate_, service_rate_;
  ToyEngine engine_;
  Events queue_;
  std::queue<Time> present_;  ///< arrival times of those in the system
  Time booked_;
  std::vector<Cycle> cycles_;
};

struct Verdict {
  double z_number = 0.0, z_wait = 0.0;
};

/// Regenerative: E(integral of the number - L x length) = 0 and E(waited - Wq x customers) = 0 over a cycle.
Verdict verdict(double arrival_rate, double service_rate, std::uint64_t seed, std::size_t n, double expected_number,
                double expected_wait_s) {
  std::vector<double> number, wait;
  for (const Cycle& cycle : SingleServer{arrival_rate, service_rate, seed}.cycles(n)) {
    number.push_back(cycle.customer_s - expected_number * cycle.length_s);
    wait.push_back(cycle.waited_s - expected_wait_s * cycle.customers);
  }
  return {tests::z_of_mean(number, 0.0), tests::z_of_mean(wait, 0.0)};
}

}  // namespace

// n = 200,000 cycles at half load; alpha = 1e-5 each. A service rate that is wrong by 3 % shifts z by about 10
// (measured below), so the power is P(Z < 10 - 4.42) > 0.9999.
constexpr std::size_t cycle_count = 200'000;

TEST_CASE("A single server written with the kernel has the textbook's mean number and mean wait") {
  const Verdict half = verdict(0.5, 1.0, 1, cycle_count, 1.0, 1.0);
  CHECK(std::abs(half.z_number) < tests::z_limit);
  CHECK(std::abs(half.z_wait) < tests::z_limit);
  const Verdict busy = verdict(0.75, 1.0, 2, cycle_count, 3.0, 3.0);
  CHECK(std::abs(busy.z_number) < tests::z_limit);
  CHECK(std::abs(busy.z_wait) < tests::z_limit);
}

TEST_CASE("A service rate that is wrong by three percent is found out, on either side") {
  for (const double wrong : {0.97, 1.03}) {
    const Verdict caught = verdict(0.5, wrong, 3, cycle_count, 1.0, 1.0);
    CHECK(std::abs(caught.z_number) > tests::z_limit);
    CHECK(std::abs(caught.z_wait) > tests::z_limit);
    MESSAGE("service rate ", wrong, ": z ", caught.z_number, " and ", caught.z_wait);
  }
}

TEST_CASE("The same seed gives the same cycles, another seed others") {
  const auto a = SingleServer{0.5, 1.0, 1}.cycles(100), b = SingleServer{0.5, 1.0, 1}.cycles(100);
  const auto c = SingleServer{0.5, 1.0, 2}.cycles(100);
  CHECK(a.back().length_s == b.back().length_s);
  CHECK(a.back().length_s != c.back().length_s);
}

}  // namespace fleetcast::sim::kernel
