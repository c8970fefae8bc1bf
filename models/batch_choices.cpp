#include "models/batch_choices.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace fleetcast::models {

std::vector<BatchChoice> batch_choices(double replicas, double target, double tolerance, double largest_micro_batch) {
  constexpr double rounding = 1e-9;
  const double least = std::ceil((1.0 - tolerance) * target / replicas - rounding);
  const double most = std::floor((1.0 + tolerance) * target / replicas + rounding);
  std::vector<BatchChoice> choices;
  for (double each = std::max(1.0, least); each <= most; ++each)
    for (double micro = 1; micro <= std::min(each, largest_micro_batch); ++micro)
      if (std::fmod(each, micro) == 0.0) choices.push_back({micro, each / micro, replicas * each});
  std::ranges::sort(choices, {}, [&](const BatchChoice& choice) {
    return std::tuple{std::abs(choice.batch - target), -choice.micro_batch, choice.batch};
  });
  return choices;
}

}  // namespace fleetcast::models
