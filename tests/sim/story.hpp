#pragma once
// A run whose every instant is known by hand. All times are constants; what strikes, strikes at a given moment:
// an exponential life is mean x unit draw, so the mean that makes the first life as long as the story wants follows
// from the draw itself. The trial is chosen such that no other draw of the kind comes before the story is over.
#include <doctest/doctest.h>

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/draws.hpp"
#include "sim/trial.hpp"

namespace fleetcast::tests {

using models::Constant;
using models::Exponential;
using scenarios::Checkpoint;
using scenarios::Grain;
using sim::Account;
using sim::Outcome;
using sim::Plan;
using sim::Status;

constexpr double nanosecond = 1e-9;

inline sim::PoolPlan steady_pool(std::string name, int nodes) {
  sim::PoolPlan pool;
  pool.name = std::move(name);
  pool.nodes = nodes;
  pool.gpus_per_node = 1;
  pool.wait = Constant{4.0};
  pool.boot = Constant{2.0};
  pool.image = Constant{1.0};
  return pool;
}

/// 100 steps of 1 s on one node per pool. Boot at 4 s, ready at 7, stepping from 17; after every 20 steps a save that
/// blocks 5 s: durable at 42, 67, 92, 117, and the final one at 142. After a stop: detection 8 s, wait 4, boot and
/// image 3, start-up 10 and, once there is a save, 3 to load.
inline Plan steady_plan(int pools, int nodes_per_pool = 1) {
  Plan plan;
  plan.name = "steady";
  for (int i = 0; i < pools; ++i) plan.pools.push_back(steady_pool("pool" + std::to_string(i), nodes_per_pool));
  plan.nodes = pools * nodes_per_pool;
  plan.gpus = plan.nodes;
  plan.steps = 100;
  plan.step.slowest = sim::SlowestNode{plan.nodes, 0.0};
  plan.save.mode = Checkpoint::Mode::sync;
  plan.save.interval_steps = 20;
  plan.save.blocked = Constant{5.0};
  plan.save.bytes = 1.0;
  plan.save.keep = -1;
  plan.restart.detect = {Constant{7.0}, 0.0};
  plan.restart.decide = {Constant{0.5}, 0.5};
  plan.restart.set_up = {Constant{10.0}, 0.0};
  plan.restart.load = {Constant{3.0}, 0.0};
  plan.cause_names = {"reclaim"};
  return plan;
}
constexpr double steady_time_s = 142.0, steady_start_s = 17.0, steady_boot_s = 4.0;

/// Adds a cause that is counted under its own name.
inline sim::CausePlan& add_cause(Plan& plan, std::string name) {
  plan.cause_index.push_back(plan.cause_names.size());
  plan.cause_names.push_back(name);
  plan.causes.push_back({});
  plan.causes.back().name = std::move(name);
  return plan.causes.back();
}

class Story {
 public:
  explicit Story(Plan plan) : plan_{std::move(plan)} {}

  Plan& plan() { return plan_; }
  /// The pool's first reclaim takes its first node at this moment (its first life; it boots at 4 s).
  Story& reclaim(std::size_t pool, double at_s) {
    reclaims_.emplace_back(pool, at_s);
    return *this;
  }
  /// The node of this slot fails at this moment; needs a cause with a node_rate, which is set here.
  Story& fail(std::uint32_t slot, double at_s) {
    failure_ = {slot, at_s};
    return *this;
  }
  /// The first software failure comes after this much stepping; needs a cause with a gang_rate, which is set here.
  Story& software_after(double exposure_s) {
    software_s_ = exposure_s;
    return *this;
  }

  /// Plays it in all grains, which must agree in everything, and returns what came out.
  Outcome play() {
    find_trial();
    const Outcome by_span = play(Grain::span);
    check_same(by_span, play(Grain::step));
    check_same(by_span, play(Grain::node));
    return by_span;
  }

  static void check_same(const Outcome& a, const Outcome& b) {
    CHECK(a.status == b.status);
    CHECK(a.time_s == doctest::Approx(b.time_s).epsilon(1e-12));
    CHECK(a.cost_usd == doctest::Approx(b.cost_usd).epsilon(1e-9));
    CHECK(a.storage_usd == doctest::Approx(b.storage_usd).epsilon(1e-9));
    CHECK(a.kept_steps == b.kept_steps);
    CHECK(a.stops_by_cause == b.stops_by_cause);
    CHECK(a.planned_stops == b.planned_stops);
    CHECK(a.losses_during_restart == b.losses_during_restart);
    CHECK(a.checkpoints_started == b.checkpoints_started);
    CHECK(a.checkpoints_usable == b.checkpoints_usable);
    for (std::size_t i = 0; i < sim::account_count; ++i) {
      CAPTURE(sim::account_names[i]);
      CHECK(a.account_gpu_s[i] == doctest::Approx(b.account_gpu_s[i]).epsilon(1e-9));
    }
  }

 private:
  static constexpr std::uint64_t seed = 1;
  /// Everything else waits at least this many times as long as what the story wants.
  static constexpr double quiet = 30.0;

  Outcome play(Grain grain) {
    plan_.grain = grain;
    return run_trial(plan_, seed, trial_);
  }
  [[nodiscard]] double draw(sim::Purpose purpose, std::uint32_t entity, std::uint32_t sample) const {
    return sim::Draws{seed, trial_}.exponential(purpose, entity, sample);
  }
  [[nodiscard]] bool only_first(sim::Purpose purpose, std::uint32_t chosen, std::uint32_t from,
                                std::uint32_t to) const {
    const double first = draw(purpose, chosen, 1);
    for (std::uint32_t slot = from; slot < to; ++slot) {
      for (std::uint32_t incarnation = 1; incarnation <= 3; ++incarnation) {
        const bool is_first = slot == chosen && incarnation == 1;
        if (!is_first && draw(purpose, slot, incarnation) < quiet * first) return false;
      }
    }
    return true;
  }
  [[nodiscard]] std::uint32_t first_slot(std::size_t pool) const {
    int slot = 0;
    for (std::size_t i = 0; i < pool; ++i) slot += plan_.pools[i].nodes;
    return static_cast<std::uint32_t>(slot);
  }
  [[nodiscard]] bool suits() const {
    for (const auto& [pool, at] : reclaims_) {
      const auto slot = first_slot(pool), end = first_slot(pool + 1);
      if (!only_first(sim::Purpose::lifetime, slot, slot, end)) return false;
    }
    const auto nodes = static_cast<std::uint32_t>(plan_.nodes);
    if (failure_ && !only_first(sim::Purpose::failure_time, failure_->first, 0, nodes)) return false;
    const auto software = [this](std::uint32_t number) { return draw(sim::Purpose::software_failure, 0, number); };
    return !software_s_ || (software(1) > quiet * software(0) && software(2) > quiet * software(0));
  }
  void find_trial() {
    for (trial_ = 0; !suits(); ++trial_) REQUIRE(trial_ < 5'000'000);
    for (const auto& [pool, at] : reclaims_) {
      plan_.pools[pool].lifetime =
          Exponential{(at - steady_boot_s) / draw(sim::Purpose::lifetime, first_slot(pool), 1)};
    }
    for (sim::CausePlan& cause : plan_.causes) {
      if (failure_ && cause.node_rate > 0.0) {
        cause.node_rate = draw(sim::Purpose::failure_time, failure_->first, 1) / (failure_->second - steady_boot_s);
      }
      if (software_s_ && cause.gang_rate > 0.0) {
        cause.gang_rate = draw(sim::Purpose::software_failure, 0, 0) / *software_s_;
      }
    }
  }

  Plan plan_;
  std::uint32_t trial_ = 0;
  std::vector<std::pair<std::size_t, double>> reclaims_;
  std::optional<std::pair<std::uint32_t, double>> failure_;
  std::optional<double> software_s_;
};

inline double booked(const Outcome& outcome, Account account) {
  return outcome.account_gpu_s[static_cast<std::size_t>(account)];
}

/// The accounts of a story, GPU-seconds; those not named are zero.
inline void check_accounts(const Outcome& outcome, const std::vector<std::pair<Account, double>>& expected) {
  double sum = 0.0;
  std::array<double, sim::account_count> all{};
  for (const auto& [account, value] : expected) all[static_cast<std::size_t>(account)] = value;
  for (std::size_t i = 0; i < sim::account_count; ++i) {
    CAPTURE(sim::account_names[i]);
    CHECK(outcome.account_gpu_s[i] == doctest::Approx(all[i]).epsilon(1e-11));
    sum += all[i];
  }
  CHECK(outcome.held_gpu_s == doctest::Approx(sum).epsilon(1e-11));
}

}  // namespace fleetcast::tests
