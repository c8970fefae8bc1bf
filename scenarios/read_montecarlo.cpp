#include <algorithm>

#include "scenarios/context.hpp"

namespace fleetcast::scenarios {
namespace {

constexpr std::uint64_t most_replicates = 1'000'000'000;
constexpr std::int64_t default_growth = 64;  // six doublings: an interval an eighth as wide

void read_half_width(const Object& object, Until& until) {
  const std::string_view allowed = "a fraction above 0, such as 0.01";
  const auto field = object.need("half_width", allowed);
  const auto value = field ? read_fraction(*field) : std::nullopt;
  if (!value) return;
  if (*value > 0.0) {
    until.half_width = *value;
  } else {
    field->fault(
        {"found " + field->node().text + ": no number of trials is enough for that", std::string{allowed}, ""});
  }
}

void read_at_most(const Object& object, std::int64_t replicates, Until& until) {
  const auto most = static_cast<std::int64_t>(most_replicates);
  until.at_most = std::min(default_growth * replicates, most);
  const auto field = object.find("at_most");
  until.at_most_assumed = !field;
  const auto value = field ? read_count(*field, {1, most_replicates}) : std::nullopt;
  if (!value) return;
  until.at_most = static_cast<std::int64_t>(*value);
  if (until.at_most >= replicates) return;
  const std::string first = std::to_string(replicates);
  field->fault({"found " + field->node().text + ", but the first look is at " + first + " replicates",
                "a whole number of at least " + first + ", or fewer replicates", ""});
}

std::optional<Until> read_until(const Object& montecarlo, std::int64_t replicates) {
  const auto field = montecarlo.find("until");
  if (!field) return std::nullopt;
  const Object object{*field, known::until};
  std::vector<Choice<RuleFigure>> choices;
  for (const RuleFigure each : {RuleFigure::cost_usd, RuleFigure::time_s, RuleFigure::gpu_hours}) {
    choices.push_back({name_of(each), each});
  }
  Until until;
  if (const auto figure = object.need("figure", "cost_usd, time_s, gpu_hours")) {
    until.figure = read_choice(*figure, choices).value_or(until.figure);
  }
  read_half_width(object, until);
  read_at_most(object, replicates, until);
  return until;
}

}  // namespace

MonteCarlo read_montecarlo(const Object& top) {
  MonteCarlo result;
  const auto field = top.find("montecarlo");
  if (!field) return result;
  const Object object{*field, known::montecarlo};
  if (const auto replicates = object.find("replicates")) {
    result.replicates = static_cast<std::int64_t>(read_count(*replicates, {1, most_replicates}).value_or(1000));
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
  result.until = read_until(object, result.replicates);
  return result;
}

}  // namespace fleetcast::scenarios
