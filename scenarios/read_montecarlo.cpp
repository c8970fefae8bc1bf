#include "scenarios/context.hpp"

namespace fleetcast::scenarios {

MonteCarlo read_montecarlo(const Object& top) {
  MonteCarlo result;
  const auto field = top.find("montecarlo");
  if (!field) return result;
  const Object object{*field, known::montecarlo};
  if (const auto replicates = object.find("replicates")) {
    result.replicates = static_cast<std::int64_t>(read_count(*replicates, {1, 1'000'000'000}).value_or(1000));
  }
  if (const auto seed = object.find("seed")) {
    result.seed = read_count(*seed, {0, std::numeric_limits<std::uint64_t>::max()}).value_or(1);
  }
  if (const auto grain = object.find("grain")) {
    const std::vector<Choice<Grain>> choices{{"span", Grain::span}, {"node", Grain::node}, {"step", Grain::step}};
    result.grain = read_choice(*grain, choices).value_or(Grain::span);
  }
  if (const auto calibration = object.find("calibration")) {
    const std::vector<Choice<bool>> choices{{"sampled", true}, {"fixed", false}};
    result.sample_calibration = read_choice(*calibration, choices).value_or(true);
  }
  return result;
}

}  // namespace fleetcast::scenarios
