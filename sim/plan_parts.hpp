#pragma once
// The parts of make_plan: each fills its piece of the plan and says in the facts what it assumed.
#include <optional>
#include <span>
#include <string>

#include "models/catalog.hpp"
#include "scenarios/scenario.hpp"
#include "sim/plan.hpp"

namespace fleetcast::sim {

/// Pools, prices, disruptions of nodes. Boot and image come from the scenario's restart parts if given there.
void plan_pools(const scenarios::Scenario& scenario, Plan& plan);
/// The time that all recordings of these scenarios which state their calendar have in common. Nothing if there are
/// none, or if they have nothing in common.
std::optional<Calendar> common_calendar(std::span<const scenarios::Scenario> scenarios);
/// Recorded capacity and prices. Needs the pools and the calendar.
void plan_replay(const scenarios::Scenario& scenario, Plan& plan);
/// Batch, number of steps, step time and its parts. Needs the pools.
void plan_steps(const scenarios::Scenario& scenario, const models::Catalog& catalog, Plan& plan);
/// Failure causes and restart parts. Needs the pools.
void plan_failures(const scenarios::Scenario& scenario, Plan& plan);
void plan_restart(const scenarios::Scenario& scenario, Plan& plan);
/// Size, rates and interval of saves. Needs all of the above.
void plan_saves(const scenarios::Scenario& scenario, Plan& plan);
/// Horizon, expectation, hopelessness. Needs everything.
void plan_limits(const scenarios::Scenario& scenario, Plan& plan);

/// Mean rates per second.
struct StopRates {
  double node_losses = 0.0;  ///< reclaims and failures that take nodes, while all nodes are held
  double software = 0.0;     ///< failures that take none, while stepping
  double planned = 0.0;      ///< of both, those that wait for a save
  [[nodiscard]] double running() const { return node_losses + software; }
  /// Stops that lose work.
  [[nodiscard]] double unplanned() const { return running() - planned; }
};
StopRates stop_rates(const Plan& plan);
/// Losses of a pool that it does not hold whole after them, per second in which it is whole.
double rate_of_losses(const PoolPlan& pool);

/// Mean seconds of a restart after the stop, in the order of the phases.
struct RestartMeans {
  double detection = 0.0;  ///< detect and decide
  double node = 0.0;       ///< wait, boot and image of the slowest kind of node
  double start_up = 0.0;   ///< set-up, compile, load, skip, fill
};
RestartMeans restart_means(const Plan& plan);
/// The same for the first start: no detection, load and skip.
RestartMeans first_start_means(const Plan& plan);

/// Mean seconds from the end of detection until all nodes are there (repair or wait, boot, image), after any stop and
/// after one that takes nodes.
struct NodeMeans {
  double any = 0.0, lost = 0.0;
};
NodeMeans node_means(const Plan& plan);

/// Adds a default to the facts.
void assume(Plan& plan, std::string pointer, std::string value, std::string source,
            models::Grade grade = models::Grade::assumed);

/// "12 s", "3.4 min" ...: three digits in the unit that reads best.
std::string in_words(double seconds);

}  // namespace fleetcast::sim
