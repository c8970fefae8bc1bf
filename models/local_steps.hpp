#pragma once
// Islands that compute on their own for several steps and then exchange what they have learnt (local SGD, DiLoCo).
#include "models/gradient_exchange.hpp"

namespace fleetcast::models {

struct LocalSteps {
  int every = 1;               ///< steps between exchanges, at least 1
  double bytes_per_value = 4;  ///< of the exchanged differences: 1 in int8
  double parameters = 0;       ///< of the whole model
  int islands = 1;             ///< that hold a whole model each, at least 1
};

/// One all-reduce among the islands every so many steps, shared out per step, during which all wait. `between`: rate
/// of an island to the others, e.g. plain_interconnect of the slowest pair.
GradientExchange local_steps_exchange(const LocalSteps& local, const Interconnect& between);

/// Part of the time that computes: H step / (H step + exchange) for an exchange of so many seconds every H steps.
double compute_share(double step, double exchange, int every);
/// Smallest H with at least that share. Throws InfeasibleError for a share of 1 with an exchange that takes time, and
/// ContractError for times or shares out of range.
int smallest_period(double step, double exchange, double share);

}  // namespace fleetcast::models
