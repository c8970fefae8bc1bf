#pragma once
// One replicate of one strategy.
#include <cstdint>

#include "sim/observer.hpp"
#include "sim/outcome.hpp"
#include "sim/plan.hpp"

namespace fleetcast::sim {

/// A pure function of its three arguments. Throws ContractError if the accounts do not sum to the held time.
Outcome run_trial(const Plan& plan, std::uint64_t seed, std::uint32_t trial);
/// The same trial, watched: the outcome is the same, bit by bit.
Outcome run_trial(const Plan& plan, std::uint64_t seed, std::uint32_t trial, Observer& observer);

}  // namespace fleetcast::sim
