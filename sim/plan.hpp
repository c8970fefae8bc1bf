#pragma once
// A strategy turned into the numbers that a trial needs. Immutable; shared by all threads.
#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/catalog.hpp"
#include "models/market.hpp"
#include "models/price_law.hpp"
#include "models/provider.hpp"
#include "models/random/distribution.hpp"
#include "scenarios/scenario.hpp"
#include "sim/kernel/time.hpp"
#include "sim/plan_facts.hpp"
#include "sim/recorded_course.hpp"
#include "sim/step_law.hpp"

namespace fleetcast::sim {

using kernel::Duration;
using models::Distribution;

struct PoolPlan {
  std::string name;
  int nodes = 0;
  int gpus_per_node = 8;
  double usd_per_node_h = 0.0;
  models::Billing billing;
  bool spot = false;
  Distribution lifetime = models::Never{};     ///< of the clock that starts a reclaim; bulk already allowed for
  std::optional<Distribution> early_lifetime;  ///< of nodes held soon after a reclaim in their pool
  Duration max_life = Duration::forever();
  double daily = 0.0;       ///< swing of the lifetimes' hazard over the day
  double bulk_share = 0.0;  ///< reclaims that take several
  scenarios::Bulk::Size bulk_size = scenarios::Bulk::Size::uniform;
  Distribution notice = models::None{};
  Distribution wait = models::Constant{};
  Distribution boot = models::Constant{};
  Distribution image = models::Constant{};
  std::shared_ptr<const RecordedCourse> capacity;  ///< nodes that can be held; instead of lifetime, bulk and wait
  std::optional<models::LayeredMarket> market;     ///< the same by the market model, thresholds of the pool's nodes
  std::vector<scenarios::Regime> regimes;          ///< the same by turns; lifetimes are those of the clock, as above
  double launch_failure = 0.0;                     ///< chance of each attempt
  std::shared_ptr<const RecordedCourse> price;     ///< USD per node-hour; else usd_per_node_h holds, which is its mean
  std::optional<models::PriceLaw> price_law;       ///< the same, drawn
  double price_cap = std::numeric_limits<double>::infinity();  ///< no node is held above, USD per node-hour
  std::uint32_t zone = 0, region = 0;  ///< numbers of the place and kind of machine, for what its pools have in common

  [[nodiscard]] bool price_is_constant() const { return !price && !price_law; }
};

struct CausePlan {
  std::string name;
  double node_rate = 0.0;    ///< per second and node while held (needs_node); of a coordinator: of the one node
  double gang_rate = 0.0;    ///< per second while stepping (the others)
  double gamma_shape = 0.0;  ///< > 0: the rates are divided by this and multiplied by a Gamma of this shape
  double rate_sigma = 0.0;   ///< > 0: log-sd of the common factor
  std::optional<Distribution> detect;
  double detect_offset = 0.0;          ///< seconds, the part that grows with the gang
  std::optional<Distribution> repair;  ///< replaces the wait (needs_node) or precedes the restart
  bool takes_fleet = false;
  double returns = 1.0;  ///< of a fleet that is taken: share of the nodes that come back after `repair`
  scenarios::FailureKind kind = scenarios::FailureKind::crash;

  [[nodiscard]] bool is(scenarios::FailureKind other) const { return kind == other; }
  /// Mean strikes per second on a gang of so many nodes, all of them held and stepping.
  [[nodiscard]] double gang_strikes(int nodes) const {
    return gang_rate + (is(scenarios::FailureKind::coordinator) ? 1 : nodes) * node_rate;
  }
  /// It is the node that fails, so a bad one fails more often.
  [[nodiscard]] bool is_of_node() const {
    return node_rate > 0.0 && !takes_fleet && !is(scenarios::FailureKind::planned);
  }
};

/// A gang-wide restart part: a draw plus a fixed offset.
struct GangPart {
  Distribution law = models::Constant{};
  double offset_s = 0.0;
};

struct RestartPlan {
  bool whole = false;  ///< `set_up` alone stands for everything, first start included
  GangPart detect, decide;
  GangPart set_up, compile, load, skip, fill;
  double resume_failure = 0.0;  ///< chance of one save further back, again and again
};

/// How long one step takes and how it divides.
struct StepPlan {
  double node_compute_s = 1.0;            ///< median of one node's computing
  double jitter = 0.0;                    ///< log-sd per node and step
  SlowestNode slowest{1, 0.0};            ///< of all nodes of the gang, with that jitter
  std::optional<Distribution> node_draw;  ///< random factor that all nodes of a step share (a random measured step)
  double exchange_s = 0.0;                ///< exchange after the slowest node, unless it is random
  std::optional<Distribution> exchange;   ///< random exchange
  double bubble_s = 0.0;
  double batch_interval_s = 0.0;                      ///< the loader's time per batch; 0: never waits
  double log_sd_common = 0.0, log_sd_contrast = 0.0;  ///< calibration error, drawn once a trial
  std::uint32_t contrast_entity = 0;
};

struct SavePlan {
  scenarios::Checkpoint::Mode mode = scenarios::Checkpoint::Mode::off;
  std::uint64_t interval_steps = 0;  ///< 0: none
  Distribution blocked = models::Constant{};
  Distribution persist = models::Constant{};
  double shortest_interval_s = 0.0;  ///< an interval surely lasts longer (6 sd below its mean)
  bool on_notice = true, final_save = true;
  double bytes = 0.0;
  std::int64_t keep = 3;  ///< -1: all
  double usd_per_byte_s = 0.0;
  double usd_per_save = 0.0;
};

struct Plan {
  std::string name;
  std::vector<PoolPlan> pools;  ///< those with nodes
  int nodes = 0;
  std::int64_t gpus = 0;
  std::uint64_t steps = 1;
  StepPlan step;
  SavePlan save;
  RestartPlan restart;
  std::vector<CausePlan> causes;
  scenarios::BadNodes bad_nodes;
  std::vector<std::string> cause_names;  ///< "reclaim" first, then the causes; the same for all strategies of a file
  std::vector<std::size_t> cause_index;  ///< causes[i] is counted as cause_names[cause_index[i]]
  double horizon_s = std::numeric_limits<double>::infinity();
  double stop_time_s = std::numeric_limits<double>::infinity();  ///< enforced deadline
  double stop_usd = std::numeric_limits<double>::infinity();     ///< enforced budget
  bool sample_calibration = true;
  scenarios::Retry retry;
  double brake_above = 1.0, brake_s = 0.0;  ///< pause before nodes are asked for if more than that share is missing
  std::optional<double> start_hour;         ///< hour of the day (UTC) at submission; drawn per trial if unknown
  std::optional<Calendar> calendar;         ///< that the recordings of all strategies share
  scenarios::Grain grain = scenarios::Grain::span;
  PlanFacts facts;
};

/// Throws InfeasibleError for a plan that cannot work and InputError for one that contradicts itself.
Plan make_plan(const scenarios::Scenario& scenario, const scenarios::MonteCarlo& montecarlo,
               const models::Catalog& catalog);

/// The same among strategies that share a calendar.
Plan make_plan(const scenarios::Scenario& scenario, const scenarios::MonteCarlo& montecarlo,
               const models::Catalog& catalog, const std::optional<Calendar>& calendar);

/// One plan per strategy, with a common calendar and a common list of causes.
std::vector<Plan> make_plans(const scenarios::ScenarioFile& file, const models::Catalog& catalog);

}  // namespace fleetcast::sim
