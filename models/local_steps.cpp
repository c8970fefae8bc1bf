#include "models/local_steps.hpp"

#include <algorithm>
#include <cmath>

#include "models/errors.hpp"

namespace fleetcast::models {

GradientExchange local_steps_exchange(const LocalSteps& local, const Interconnect& between) {
  require(local.every >= 1 && local.islands >= 1 && local.parameters >= 0, "islands exchange a model");
  const Collective whole = best_all_reduce(local.parameters * local.bytes_per_value, {local.islands, 1}, between);
  const double seconds = whole.seconds / local.every;
  return {whole.bus_bandwidth * seconds,    seconds, 0, seconds, local.islands > 1 ? 1 : 0,
          std::string{name_of(whole.bound)}};
}

double compute_share(double step, double exchange, int every) {
  require(step > 0 && exchange >= 0 && every >= 1, "steps take time");
  return every * step / (every * step + exchange);
}

int smallest_period(double step, double exchange, double share) {
  require(step > 0 && exchange >= 0 && share >= 0 && share <= 1, "steps take time");
  if (exchange == 0) return 1;
  if (share == 1) throw InfeasibleError{"an exchange that takes time leaves less than all of it for computing"};
  const double needed = std::ceil(share * exchange / ((1 - share) * step) * (1 - 1e-12));
  if (needed > 1e9) throw InfeasibleError{"no period below a billion steps leaves that share for computing"};
  return std::max(1, static_cast<int>(needed));
}

}  // namespace fleetcast::models
