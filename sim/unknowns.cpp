#include "sim/unknowns.hpp"

#include <algorithm>

#include "models/random/deterministic_math.hpp"

namespace fleetcast::sim {
namespace {

namespace det = models::det;

/// Logarithm of the sum of rates over what it is without the unknown factors.
double log_of_rates(const Plan& plan, const Draws& draws, double CausePlan::*rate) {
  double sum = 0.0, plain = 0.0;
  for (std::size_t i = 0; i < plan.causes.size(); ++i) {
    const bool of_one_node = plan.causes[i].is(scenarios::FailureKind::coordinator) && plan.causes[i].node_rate > 0.0;
    const double weight = plan.causes[i].*rate / (of_one_node ? plan.nodes : 1);
    sum += weight * cause_factor(plan, i, draws);
    plain += weight;
  }
  return sum > 0.0 ? det::log(sum / plain) : 0.0;
}

bool is_unknown(const Plan& plan, double CausePlan::*rate) {
  return std::any_of(plan.causes.begin(), plan.causes.end(), [rate](const CausePlan& cause) {
    return cause.*rate > 0.0 && (cause.gamma_shape > 0.0 || cause.rate_sigma > 0.0);
  });
}

bool step_is_unknown(const StepPlan& step) {
  return step.log_sd_common > 0.0 || step.log_sd_contrast > 0.0;
}

/// Calls visit(name, logarithm) for every unknown; it is only computed where it is asked for.
template <class Visit>
void for_each_unknown(const Plan& plan, Visit visit) {
  if (!plan.sample_calibration) return;
  if (step_is_unknown(plan.step))
    visit("step time", [&](const Draws& draws) { return det::log(step_factor(plan.step, draws)); });
  for (std::uint32_t pool = 0; pool < plan.pools.size(); ++pool) {
    if (!plan.pools[pool].market || plan.pools[pool].market->climate <= 0.0) continue;
    visit("spot market of pool " + plan.pools[pool].name,
          [&plan, pool](const Draws& draws) { return climate_of(plan, pool, draws); });
  }
  if (is_unknown(plan, &CausePlan::node_rate))
    visit("rate of node failures",
          [&](const Draws& draws) { return log_of_rates(plan, draws, &CausePlan::node_rate); });
  if (is_unknown(plan, &CausePlan::gang_rate))
    visit("rate of software failures",
          [&](const Draws& draws) { return log_of_rates(plan, draws, &CausePlan::gang_rate); });
}

}  // namespace

double step_factor(const StepPlan& step, const Draws& draws) {
  if (!step_is_unknown(step)) return 1.0;
  return det::exp(step.log_sd_common * draws.normal(Purpose::calibration, 0, 0) +
                  step.log_sd_contrast * draws.normal(Purpose::calibration, step.contrast_entity, 0));
}

models::MarketKey market_key(const Plan& plan, std::size_t pool, const Draws& draws) {
  return {draws.seed(), draws.trial(), plan.pools[pool].zone, plan.pools[pool].region};
}

double climate_of(const Plan& plan, std::size_t pool, const Draws& draws) {
  if (!plan.sample_calibration) return 0.0;
  const models::LayeredMarket& market = *plan.pools[pool].market;
  return models::MarketPath::climate(market_key(plan, pool, draws), market.climate, market.regional);
}

double start_hour(const Plan& plan, const Draws& draws) {
  return plan.start_hour ? *plan.start_hour : 24.0 * draws.uniform(Purpose::market_hour, 0, 0);
}

double cause_factor(const Plan& plan, std::size_t cause, const Draws& draws) {
  const CausePlan& what = plan.causes[cause];
  if (!plan.sample_calibration) return 1.0;
  if (what.gamma_shape > 0.0) {
    // By the number that all strategies share, so that they share what is unknown about this cause. 0 is the common
    // one.
    const auto entity = static_cast<std::uint32_t>(plan.cause_index[cause]);
    models::Stream bits = draws.stream(Purpose::failure_rate, entity, 0);
    return models::unit_gamma(what.gamma_shape, bits) / what.gamma_shape;
  }
  if (what.rate_sigma > 0.0) return det::exp(what.rate_sigma * draws.normal(Purpose::failure_rate, 0, 0));
  return 1.0;
}

std::vector<std::string> unknown_names(const Plan& plan) {
  std::vector<std::string> names;
  for_each_unknown(plan, [&](std::string name, const auto&) { names.push_back(std::move(name)); });
  return names;
}

std::vector<double> unknown_logs(const Plan& plan, const Draws& draws) {
  std::vector<double> logs;
  for_each_unknown(plan, [&](const std::string&, const auto& in_trial) { logs.push_back(in_trial(draws)); });
  return logs;
}

std::optional<WindowPlace> window_place(const Plan& plan, const Draws& draws) {
  const RecordedCourse* shortest = nullptr;
  for (const PoolPlan& pool : plan.pools) {
    for (const RecordedCourse* course : {pool.capacity.get(), pool.price.get()}) {
      if (course == nullptr || !course->is_random()) continue;
      if (shortest == nullptr || course->recording().length_s < shortest->recording().length_s) shortest = course;
    }
  }
  if (shortest == nullptr) return std::nullopt;
  const double length_s = shortest->recording().length_s;
  return WindowPlace{shortest->window(draws).seconds() / length_s, length_s};
}

}  // namespace fleetcast::sim
