#pragma once
// Plans drawn at random over all options, small enough for both grains. Plan k is the same on every machine.
#include "sim/plan.hpp"

namespace fleetcast::tests {

class RandomPlans {
 public:
  explicit RandomPlans(std::uint32_t number) : bits_{{99, 0, models::Purpose::test, number, 0}}, number_{number} {}

  sim::Plan make(bool constants_only = false) {
    constants_ = constants_only;
    sim::Plan plan;
    plan.name = "random " + std::to_string(number_);
    plan.cause_names = {"reclaim"};
    const int pools = 1 + below(3);
    for (int i = 0; i < pools; ++i) add_pool(plan);
    plan.steps = 1 + static_cast<std::uint64_t>(below(chance(0.2) ? 5 : 400));
    fill_step(plan);
    fill_saves(plan);
    fill_restart(plan);
    const int causes = constants_only ? 0 : below(4);
    for (int i = 0; i < causes; ++i) add_cause(plan, i);
    if (chance(0.3)) plan.bad_nodes = {uniform(), time(0.2, 8.0)};
    if (chance(0.3)) plan.restart.resume_failure = chance(0.1) ? 1.0 : 0.5 * uniform();
    plan.horizon_s = chance(0.1) ? time(50.0, 400.0) : 20'000.0;
    if (chance(0.1)) plan.stop_time_s = time(100.0, 1000.0);
    if (chance(0.1)) plan.stop_usd = time(1.0, 100.0);
    return plan;
  }

 private:
  double uniform() {
    fresh();
    return models::unit_uniform(bits_);
  }
  /// A stream holds 128 numbers; take the next one well before its end.
  void fresh() {
    if (++used_ % 60 == 0) bits_ = models::Stream{{99, 0, models::Purpose::test, number_, used_ / 60}};
  }
  bool chance(double p) { return uniform() < p; }
  int below(int n) { return static_cast<int>(uniform() * n); }
  double time(double low, double high) { return low + (high - low) * uniform(); }

  models::Distribution law(double mean) {
    if (constants_) return models::Constant{mean};
    switch (below(8)) {
      case 0:
        return models::Exponential{mean};
      case 1:
        return models::Uniform{0.5 * mean, 1.5 * mean};
      case 2:
        return models::LogNormal{0.7 * mean, 0.8};
      case 3:
        return models::Weibull{mean, 0.7};
      case 4:
        return models::PiecewiseHazard{{{0.5 * mean, 0.2 / mean}, {1e300, 1.0 / mean}}};
      case 5:
        return models::Mixture{{{0.3, models::None{}}, {0.7, models::Exponential{mean}}}};
      default:
        return models::Constant{mean};
    }
  }

  void add_pool(sim::Plan& plan) {
    sim::PoolPlan pool;
    pool.name = "pool" + std::to_string(plan.pools.size());
    pool.nodes = 1 + below(4);
    pool.gpus_per_node = 1 << below(4);
    pool.usd_per_node_h = chance(0.2) ? 0.0 : time(1.0, 50.0);
    pool.billing.increment = models::Seconds{chance(0.5) ? 1.0 : 60.0};
    pool.billing.minimum = models::Seconds{chance(0.5) ? 0.0 : 60.0};
    pool.billing.boot = chance(0.5);
    pool.billing.first_hour_free = chance(0.3);
    pool.spot = chance(0.7);
    if (!constants_ && pool.spot) pool.lifetime = law(time(100.0, 4000.0) * (1 + pool.nodes));
    if (!constants_ && pool.spot) add_market(pool);
    if (chance(0.3)) pool.bulk_share = uniform();
    pool.bulk_size = static_cast<scenarios::Bulk::Size>(below(3));
    if (chance(0.7)) pool.notice = law(time(1.0, 60.0));
    if (chance(0.8)) pool.wait = law(time(1.0, 60.0));
    if (chance(0.8)) pool.boot = law(time(1.0, 20.0));
    if (chance(0.5)) pool.image = law(time(1.0, 20.0));
    plan.nodes += pool.nodes;
    plan.gpus += std::int64_t{pool.nodes} * pool.gpus_per_node;
    plan.pools.push_back(pool);
  }

  /// One time in three something else than lives says how many nodes there are; and what goes with any of them.
  void add_market(sim::PoolPlan& pool) {
    if (chance(0.15)) {
      pool.lifetime = models::Never{};
      models::LayeredMarket market = models::pooled_market();
      for (models::MarketLayer& layer : market.layers) layer.mean_gap_s = time(50.0, 5000.0);
      market.lone_loss_per_s = chance(0.5) ? 1e-4 : 0.0;
      market.lone_return_s = time(10.0, 100.0);
      market.daily_swing = chance(0.3) ? 0.5 : 0.0;
      market.thresholds = models::thresholds_of_shares(pool.nodes, 0.05, 0.1, 0.85);
      pool.market = market;
    } else if (chance(0.15)) {
      const int all = pool.nodes;
      pool.regimes = {{"ample", law(time(200.0, 4000.0)), pool.lifetime, law(time(1.0, 20.0)), all},
                      {"tight", law(time(100.0, 900.0)), law(time(100.0, 900.0)), law(time(1.0, 60.0)), all},
                      {"out", law(time(50.0, 500.0)), models::Never{}, law(time(1.0, 60.0)), all / 2}};
    }
    if (chance(0.2)) pool.early_lifetime = law(time(50.0, 500.0));
    if (chance(0.1)) pool.max_life = sim::Duration::from_seconds(time(500.0, 5000.0));
    if (chance(0.2)) pool.daily = 0.5;
    if (chance(0.2)) pool.launch_failure = 0.3;
    if (chance(0.2))
      pool.price_law = models::PriceLaw{time(1.0, 50.0), 0.3, time(50.0, 5000.0), chance(0.5) ? 0.5 : 0.0};
    if (pool.price_law && chance(0.5)) pool.price_cap = 1.2 * pool.price_law->median;
  }

  void fill_step(sim::Plan& plan) {
    sim::StepPlan& step = plan.step;
    step.node_compute_s = time(0.1, 2.0);
    step.jitter = constants_ || chance(0.3) ? 0.0 : time(0.0, 0.2);
    step.slowest = sim::SlowestNode{plan.nodes, step.jitter};
    if (!constants_ && chance(0.2)) step.node_draw = models::LogNormal{0.98, 0.2};
    if (chance(0.7)) step.exchange_s = time(0.0, 0.5);
    if (!constants_ && chance(0.2)) step.exchange = models::Exponential{0.2};
    if (chance(0.3)) step.bubble_s = time(0.0, 0.2);
    if (chance(0.3)) step.batch_interval_s = time(0.1, 3.0);
    if (!constants_ && chance(0.3)) step.log_sd_common = step.log_sd_contrast = 0.1;
    step.contrast_entity = 17;
  }

  void fill_saves(sim::Plan& plan) {
    using Mode = scenarios::Checkpoint::Mode;
    sim::SavePlan& save = plan.save;
    save.mode = static_cast<Mode>(below(3));
    save.interval_steps = chance(0.1) ? 0 : 1 + static_cast<std::uint64_t>(below(60));
    save.blocked = law(time(0.1, 5.0));
    save.persist = chance(0.3) ? models::Distribution{models::Constant{}} : law(time(1.0, 60.0));
    if (chance(0.5))
      save.shortest_interval_s = 0.5 * plan.step.node_compute_s * static_cast<double>(save.interval_steps);
    save.on_notice = chance(0.7);
    save.final_save = chance(0.7);
    save.bytes = 1e9;
    save.keep = below(4) - 1;
    if (save.keep == 0) save.keep = 1;
    save.usd_per_byte_s = 1e-14;
    save.usd_per_save = 0.01;
  }

  sim::GangPart part() { return {law(time(0.0, 20.0)), chance(0.5) ? 0.0 : 2.0}; }
  void fill_restart(sim::Plan& plan) {
    sim::RestartPlan& restart = plan.restart;
    restart.whole = chance(0.2);
    restart.set_up = part();
    if (restart.whole) return;
    restart.detect = part();
    restart.decide = part();
    if (chance(0.5)) restart.compile = part();
    restart.load = part();
    if (chance(0.5)) restart.skip = part();
    if (chance(0.5)) restart.fill = part();
  }

  void add_cause(sim::Plan& plan, int number) {
    sim::CausePlan cause;
    cause.name = "cause" + std::to_string(number);
    (chance(0.5) ? cause.node_rate : cause.gang_rate) = 1.0 / time(300.0, 5000.0) / plan.nodes;
    if (chance(0.3)) cause.gamma_shape = 3.5;
    if (chance(0.3)) cause.rate_sigma = 0.5;
    if (chance(0.3)) cause.detect = law(20.0);
    if (chance(0.5)) cause.repair = law(40.0);
    cause.takes_fleet = chance(0.2);
    if (chance(0.7)) cause.kind = static_cast<scenarios::FailureKind>(below(5));
    if (cause.kind == scenarios::FailureKind::coordinator) cause.takes_fleet = false;
    if (cause.kind == scenarios::FailureKind::silent) cause.detect = law(100.0);
    if (cause.takes_fleet && cause.repair) cause.returns = uniform();
    plan.cause_index.push_back(plan.cause_names.size());
    plan.cause_names.push_back(cause.name);
    plan.causes.push_back(cause);
  }

  models::Stream bits_;
  std::uint32_t number_, used_ = 0;
  bool constants_ = false;
};

}  // namespace fleetcast::tests
