#pragma once
// What one trial of one strategy ends with.
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/account.hpp"

namespace fleetcast::sim {

/// How a trial ended. Everything but finished is censored: its time and cost are lower limits.
enum class Status : std::int32_t {
  finished = 0,
  horizon = 1,
  deadline = 2,
  budget = 3,
  event_limit = 4,
  recording = 5
};
constexpr std::string_view name_of(Status status) {
  constexpr std::string_view names[] = {"finished", "horizon", "deadline", "budget", "event limit", "end of recording"};
  return names[static_cast<std::int32_t>(status)];
}

struct Outcome {
  Status status = Status::finished;
  double time_s = 0.0;    ///< from submission to the durable final save, or to where it was cut off
  double cost_usd = 0.0;  ///< billed machines + storage + egress
  std::array<double, account_count> account_gpu_s{};  ///< sums to held_gpu_s
  double held_gpu_s = 0.0;
  double held_usd = 0.0;      ///< held time at the price, before rounding and forgiving
  double rounding_usd = 0.0;  ///< added by increments and minima
  double forgiven_usd = 0.0;  ///< taken off: unbilled boot, free first hours; <= 0
  double storage_usd = 0.0;
  double egress_usd = 0.0;
  double kept_wall_s = 0.0;  ///< wall time of kept steps without data stall
  double kept_steps = 0.0;
  std::uint32_t stops = 0;  ///< unplanned stops of the stepping gang; a bulk is one
  std::uint32_t planned_stops = 0;
  std::uint32_t losses_during_restart = 0;
  std::vector<std::uint32_t> stops_by_cause;  ///< in the order of Plan::cause_names
  std::uint32_t checkpoints_started = 0, checkpoints_usable = 0;
  double bytes_written = 0.0;
  std::uint64_t events = 0;       ///< kernel events handled
  std::uint64_t fingerprint = 0;  ///< hash of the trajectory (grain-dependent)

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

}  // namespace fleetcast::sim
