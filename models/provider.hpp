#pragma once
// How each provider sells, warns and takes machines away.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/grade.hpp"
#include "models/market.hpp"
#include "models/random/distribution.hpp"
#include "models/units.hpp"

namespace fleetcast::models {

/// Rounding per machine life.
struct Billing {
  Seconds increment{1.0};        ///< each life is rounded up to a multiple of it; > 0
  Seconds minimum{0.0};          ///< least billed per life
  bool boot = true;              ///< boot time is billed
  bool first_hour_free = false;  ///< spot: nothing is due for a life that the provider ends within its first hour
};

/// A default with its evidence.
struct GradedTime {
  Distribution law;
  Grade grade = Grade::assumed;
  std::string source;
};

/// Spot market of one class of machine, where the zone is not known better.
struct SpotMarketClass {
  std::vector<std::string> gpus;             ///< ids; empty: any other
  double none = 0.0, some = 0.0, all = 1.0;  ///< shares of time in which a gang can hold none, some, all of its nodes
  LayeredMarket market;                      ///< without thresholds; its climate is that between periods of one zone
  double zone_sd = 0.0;                      ///< sd between zones of the class, in normal units
  Grade grade = Grade::assumed;
  std::string source;
};

struct ProviderSpec {
  std::string id;  ///< "aws"
  std::string title;
  Billing billing_on_demand;
  Billing billing_spot;
  std::string billing_source;
  bool sells_spot = true;
  GradedTime notice;
  GradedTime wait_on_demand;
  GradedTime wait_spot;                     ///< of nodes whose lives are given; the market model has its own outages
  std::optional<Seconds> announced_notice;  ///< what the provider promises
  std::vector<SpotMarketClass> markets;
  GradedTime boot;            ///< of a node, from start to log-in
  GradedTime image;           ///< container image after that
  std::string default_store;  ///< id of a StoreSpec

  /// The entry for that GPU, or the one for any other; null if there is none.
  [[nodiscard]] const SpotMarketClass* market_of(std::string_view gpu) const;
};

/// Where bytes live.
struct StoreSpec {
  std::string id;            ///< "aws/s3"
  std::string provider;      ///< empty: any
  std::string kind;          ///< "object", "file", "local"
  BytesPerSecond node_rate;  ///< effective, one node writing or reading
  BytesPerSecond aggregate;  ///< of all nodes together; 0: no known limit
  Seconds fixed;             ///< per save or load, before bytes flow
  Usd per_gb_month;          ///< dollars per 10^9 bytes and month of 730 h
  Usd per_1k_writes;
  Grade grade = Grade::assumed;
  std::string source;
};

/// One cause of the `typical` failure mix.
struct TypicalCause {
  std::string name;
  PerSecond per_gpu;  ///< rate per GPU while held (needs_node) or while stepping
  bool needs_node = true;
  Distribution detect;
  Distribution repair;
};

/// The default failures of a class of GPU, with what is unknown about the rate as a whole.
struct TypicalFailures {
  std::vector<std::string> gpus;  ///< ids; empty: any other
  std::vector<TypicalCause> causes;
  double rate_sigma = 0.0;  ///< log-sd of the common rate factor, drawn once a trial
  Grade grade = Grade::assumed;
  std::string source;
};

}  // namespace fleetcast::models
