// Limits, the closed-form expectation, and whether there is hope.
#include <algorithm>

#include "sim/plan_parts.hpp"
#include "sim/young_daly.hpp"

namespace fleetcast::sim {
namespace {

using scenarios::Checkpoint;
using scenarios::Scenario;

constexpr double shortest_default_horizon_s = 30.0 * models::seconds_per_day;
/// Simulated time ends after 292 years.
constexpr double longest_horizon_s = 290.0 * 365.25 * models::seconds_per_day;
/// exp(12): a stretch that succeeds once in 160,000 tries is no progress.
constexpr double hopeless_exponent = 12.0;

/// One stretch between saves, and how many there are.
struct Stretches {
  double seconds = 0.0, count = 1.0;
};

Stretches stretches_of(const Plan& plan) {
  const PlanFacts& facts = plan.facts;
  const double work = facts.steps * facts.step_time_s;
  if (plan.save.mode == Checkpoint::Mode::off) return {work, 1.0};
  const bool sync = plan.save.mode == Checkpoint::Mode::sync;
  const double save = facts.save_blocked_s + (sync ? facts.save_persist_s : 0.0);
  const double count = std::max(1.0, facts.steps / facts.interval_steps);
  return {work / count + save, count};
}

double total_of(const RestartMeans& means) {
  return means.detection + means.node + means.start_up;
}

/// Why a cause does not fit into stops that throw the gang back to its newest save; empty if it does.
std::string why_not_renewal(const CausePlan& cause, const Plan& plan) {
  using scenarios::FailureKind;
  const auto& [share, factor] = plan.bad_nodes;
  if (cause.is(FailureKind::planned)) return "planned stops";
  if (cause.is(FailureKind::silent)) return "silent errors: the loss depends on when they are found";
  if (cause.is(FailureKind::coordinator) && cause.repair) return "a coordinator with a recovery of its own";
  if (cause.returns < 1.0) return "a disaster of which not all nodes come back";
  if (share > 0.0 && factor != 1.0 && cause.is_of_node()) return "bad nodes: the rate depends on which are in the gang";
  return {};
}

/// Why the closed form does not describe this plan; empty if it does.
std::string why_no_closed_form(const Plan& plan) {
  for (const PoolPlan& pool : plan.pools) {
    if (pool.capacity) return "pool " + pool.name + " replays a recording";
    if (pool.market) return "pool " + pool.name + " follows the spot market model";
    if (!pool.regimes.empty()) return "pool " + pool.name + " has regimes";
    if (pool.early_lifetime || pool.daily > 0.0 || pool.max_life < Duration::forever())
      return "lives in pool " + pool.name + " depend on more than one rate";
    if (pool.launch_failure > 0.0) return "launches in pool " + pool.name + " may fail";
    if (pool.price_cap < std::numeric_limits<double>::infinity() && !pool.price_is_constant())
      return "the price of pool " + pool.name + " may rise above its cap";
    const bool memoryless = std::holds_alternative<models::Never>(pool.lifetime) ||
                            std::holds_alternative<models::Exponential>(pool.lifetime);
    if (!memoryless) return "lifetimes in pool " + pool.name + " are not exponential";
    const bool saves_on_notice = plan.save.mode != Checkpoint::Mode::off && plan.save.on_notice;
    if (pool.spot && saves_on_notice && models::upper_bound(pool.notice) > 0.0) return "saves on notice";
  }
  for (const CausePlan& cause : plan.causes) {
    const std::string why = why_not_renewal(cause, plan);
    if (!why.empty()) return why;
  }
  if (plan.restart.resume_failure > 0.0 && plan.save.mode != Checkpoint::Mode::off &&
      stop_rates(plan).running() > 0.0) {
    return "restarts may fall back behind the newest save";
  }
  if (plan.save.mode == Checkpoint::Mode::async && stop_rates(plan).running() > 0.0) {
    return "asynchronous saves: the loss depends on what is in flight";
  }
  return {};
}

bool rates_are_uncertain(const Plan& plan) {
  if (!plan.sample_calibration) return false;
  const auto uncertain_rate = [](const CausePlan& cause) { return cause.gamma_shape > 0.0 || cause.rate_sigma > 0.0; };
  return std::any_of(plan.causes.begin(), plan.causes.end(), uncertain_rate);
}

double expected_time_s(const Plan& plan) {
  const StopRates rates = stop_rates(plan);
  const RestartMeans first = first_start_means(plan), again = restart_means(plan);
  const double start = restart_with_losses_s(first.node, first.start_up, rates.node_losses);
  const NodeMeans nodes = node_means(plan);
  // The first pass waits for what stopped the gang, the others for nodes that are lost during start-up.
  const double restart =
      restart_with_losses_s(again.detection + nodes.lost, again.start_up, rates.node_losses) + nodes.any - nodes.lost;
  const Stretches stretches = stretches_of(plan);
  return start + expected_run_s(stretches.count, stretches.seconds, rates.running(), restart);
}

void fill_expectation(Plan& plan) {
  PlanFacts& facts = plan.facts;
  facts.expectation.why = why_no_closed_form(plan);
  if (!facts.expectation.why.empty()) return;
  const bool stops = stop_rates(plan).running() > 0.0;
  facts.expectation.time_s = expected_time_s(plan);
  facts.expectation.cost_usd = *facts.expectation.time_s / models::seconds_per_hour * facts.fleet_usd_per_hour;
  facts.expectation.form =
      stops
          ? "exponential stops (Young/Daly): losses during start-up are included, those while waiting for nodes are not"
          : "nothing stops the gang";
  if (stops && rates_are_uncertain(plan)) facts.expectation.form += ", at the median of the uncertain rates";
  facts.expectation.form += "; cost at the price of the whole fleet";
}

/// "a stop every 10 min, sooner than a restart of 12 min ends"
std::string pace_of_stops(double rate, double restart_s) {
  std::string text = "a stop every " + in_words(1.0 / rate);
  text += 1.0 / rate < restart_s ? ", sooner than a restart of " + in_words(restart_s) + " ends"
                                 : ", restarts of " + in_words(restart_s);
  return text;
}

/// Why recorded capacity lets the gang get nowhere; empty if it does.
std::string no_hope_in_recording(const PoolPlan& pool, const Plan& plan) {
  const models::Recording& recording = pool.capacity->recording();
  const std::string what = "recording " + recording.name;
  if (models::share_at_least(recording, pool.nodes) == 0.0) {
    return what + " never holds the " + std::to_string(pool.nodes) + " nodes of pool " + pool.name +
           " at once. What would help: fewer nodes, another zone";
  }
  const double start = total_of(first_start_means(plan)), needed = start + stretches_of(plan).seconds;
  const double longest = models::longest_at_least(recording, pool.nodes);
  if (longest < needed) {
    return what + " holds all " + std::to_string(pool.nodes) + " nodes for at most " + in_words(longest) +
           "; a start and the first save need " + in_words(needed) +
           ". What would help: fewer nodes, a shorter restart, a shorter checkpoint interval";
  }
  if (pool.capacity->at_end() == RecordedCourse::AtEnd::stop && recording.length_s < plan.facts.undisturbed_s) {
    return what + " lasts " + in_words(recording.length_s) + ", the undisturbed run " +
           in_words(plan.facts.undisturbed_s) +
           ". What would help: a longer recording, or \"at_end\": \"repeat\" or \"hold\"";
  }
  return {};
}

/// True if a recording decides, hopeless or not.
bool recordings_decide(Plan& plan) {
  bool any = false;
  for (const PoolPlan& pool : plan.pools) {
    if (!pool.capacity) continue;
    any = true;
    if (plan.facts.hopeless.empty()) plan.facts.hopeless = no_hope_in_recording(pool, plan);
  }
  return any;
}

/// Losses that come in clusters leave more time between them than their mean rate says.
bool losses_come_in_clusters(const Plan& plan) {
  return std::any_of(plan.pools.begin(), plan.pools.end(),
                     [](const PoolPlan& pool) { return pool.market || !pool.regimes.empty(); });
}

void look_for_hope(Plan& plan) {
  if (recordings_decide(plan) || losses_come_in_clusters(plan)) return;
  PlanFacts& facts = plan.facts;
  const StopRates rates = stop_rates(plan);
  if (rates.running() <= 0.0) return;
  const RestartMeans again = restart_means(plan);
  const Stretches stretches = stretches_of(plan);
  const std::string pace = pace_of_stops(rates.running(), total_of(again));
  const std::string interval =
      plan.save.mode == Checkpoint::Mode::off ? "checkpoints" : "a shorter checkpoint interval";
  if (rates.node_losses * again.start_up > hopeless_exponent) {
    facts.hopeless = pace + ": no progress is possible. What would help: a shorter restart, fewer nodes, longer lives";
  } else if (rates.running() * stretches.seconds > hopeless_exponent) {
    facts.hopeless = pace + ", and " + in_words(stretches.seconds) +
                     " of undisturbed stepping needed before anything is saved: no progress is possible. "
                     "What would help: " +
                     interval + ", fewer nodes, longer lives";
  } else if (expected_time_s(plan) > facts.horizon_s) {
    facts.hopeless = pace + ", " + in_words(stretches.seconds) + " of stepping between saves: about " +
                     in_words(expected_time_s(plan)) + " expected, beyond the horizon of " + in_words(facts.horizon_s) +
                     ". What would help: a shorter restart, " + interval +
                     ", fewer nodes, longer lives, or a later limits.horizon";
  }
}

void fill_limits(const Scenario& scenario, Plan& plan) {
  PlanFacts& facts = plan.facts;
  const auto& limits = scenario.limits;
  facts.undisturbed_s = total_of(first_start_means(plan)) + stretches_of(plan).seconds * stretches_of(plan).count;
  plan.horizon_s =
      limits.horizon ? limits.horizon->value() : std::max(shortest_default_horizon_s, 20.0 * facts.undisturbed_s);
  plan.horizon_s = std::min(plan.horizon_s, longest_horizon_s);
  facts.horizon_s = plan.horizon_s;
  if (limits.deadline) facts.deadline_s = limits.deadline->value();
  if (limits.budget) facts.budget_usd = limits.budget->value();
  facts.stop_at_deadline = limits.stop_at_deadline;
  facts.stop_at_budget = limits.stop_at_budget;
  if (limits.stop_at_deadline) plan.stop_time_s = *facts.deadline_s;
  if (limits.stop_at_budget) plan.stop_usd = *facts.budget_usd;
}

/// The wait for nodes that a restart contains, without outages of the market.
double longest_request_s(const Plan& plan) {
  double longest = 0.0;
  for (const PoolPlan& pool : plan.pools) longest = std::max(longest, models::mean(pool.wait));
  return longest;
}

}  // namespace

void plan_limits(const Scenario& scenario, Plan& plan) {
  PlanFacts& facts = plan.facts;
  const RestartMeans again = restart_means(plan);
  facts.restart_s = total_of(again) - longest_request_s(plan);
  facts.stops_per_hour = stop_rates(plan).running() * models::seconds_per_hour;
  fill_limits(scenario, plan);
  fill_expectation(plan);
  look_for_hope(plan);
}

}  // namespace fleetcast::sim
