#pragma once
// The fleet of a scenario: pools, how their nodes come and go, what they cost, how they are asked for.
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/grade.hpp"
#include "models/hardware.hpp"
#include "models/market.hpp"
#include "models/price_law.hpp"
#include "models/provider.hpp"
#include "models/random/distribution.hpp"
#include "models/recording.hpp"
#include "models/units.hpp"

namespace fleetcast::scenarios {

using models::Bytes;
using models::Distribution;
using models::Seconds;

enum class Market { on_demand, spot, owned };

/// Size of a reclaim that takes several nodes at once.
struct Bulk {
  enum class Size { uniform, geometric, all };
  double single = 1.0;  ///< share of reclaims that take one node, [0, 1]
  Size size = Size::uniform;
};

/// Capacity of the pool's zone by the market model.
struct SpotModel {
  models::LayeredMarket market;  ///< thresholds of the pool's nodes; climate of all that is unknown
  models::Grade grade = models::Grade::assumed;
  bool guessed = false;  ///< of a whole class: neither the zone's availability nor a calibration is given
};

/// A stretch of the market with laws of its own (those of the pool where it has none); pools go from one to a neighbour
/// in the list.
struct Regime {
  std::string name;
  Distribution stay = models::Constant{1.0};
  Distribution lifetime = models::Never{};
  Distribution wait = models::Constant{};
  int capacity = 0;  ///< nodes that can be held
};

/// Recorded capacity that says when nodes are there, instead of lifetime, bulk and wait.
struct Replay {
  enum class AtEnd { repeat, stop, hold };
  std::shared_ptr<const models::Recording> recording;  ///< nodes that could be held
  std::optional<Seconds> window;                       ///< where in the recording the run starts; nothing: random
  AtEnd at_end = AtEnd::repeat;
};

struct Pool {
  std::string name;
  models::InstanceSpec instance;
  models::GpuSpec gpu;
  int nodes = 0;
  std::string region, zone;
  Market market = Market::on_demand;
  double price_per_node_h = 0.0;  ///< USD; 0 for owned
  bool price_given = false;
  double price_low = 0.0, price_high = 0.0;  ///< range over zones if looked up
  std::string price_source;                  ///< "given", or date and source of the catalog entry
  std::shared_ptr<const models::Recording>
      recorded_price;  ///< USD per node-hour over time; else price_per_node_h holds
  models::Billing billing;
  std::optional<models::PriceLaw> price_law;   ///< the same, drawn
  std::optional<double> price_cap;             ///< USD per node-hour; nothing: no cap
  std::optional<SpotModel> spot_model;         ///< spot nodes without lifetime, bulk, regimes and replay
  Distribution lifetime = models::Never{};     ///< from running to reclaim; never unless spot
  std::optional<Distribution> early_lifetime;  ///< of nodes that come within an hour after a reclaim in the pool
  std::optional<Seconds> max_life;             ///< age limit
  double daily = 0.0;                          ///< swing of the hazard of lives over the day, [0, 1)
  Bulk bulk;
  std::vector<Regime> regimes;
  double launch_failure = 0.0;             ///< chance of each attempt, [0, 1)
  Distribution notice = models::None{};    ///< usable warning before a reclaim
  Distribution wait = models::Constant{};  ///< from request to a node that boots
  Distribution boot = models::Constant{};  ///< provider's default; used unless recovery.restart says otherwise
  Distribution image = models::Constant{};
  std::optional<Replay> replay;
};

/// `sourcing.retry`: pauses between launches that fail.
struct Retry {
  double first_s = 60.0, factor = 2.0, longest_s = 3600.0;
};

/// `sourcing.brake`: replacement pauses while more than this share of the gang is missing at once.
struct Brake {
  double above = 1.0;
  Seconds pause;
};

}  // namespace fleetcast::scenarios
