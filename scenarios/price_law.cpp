#include "scenarios/price_law.hpp"

#include "models/random/deterministic_math.hpp"
#include "scenarios/document.hpp"

namespace fleetcast::scenarios {
namespace {

constexpr std::string_view list_form = "list-changes(median 14.9 USD/node-h, sigma 0.15, every 30 d)";
constexpr std::string_view wander_form = "mean-reverting(median 1.2 USD/node-h, sigma 0.2, every 8 h, half-life 5 d)";
constexpr double most_sigma = 3.0;

Problem wrong(std::string_view text, const std::string& why, std::string_view form) {
  return {"found " + in_quotes(text) + ": " + why, std::string{form}, ""};
}

Parsed<double> positive_time(std::string_view text, std::string_view whole, std::string_view form) {
  const Parsed<double> time = parse_time(text);
  if (time.value && !(*time.value > 0.0)) return wrong(whole, "a time must be more than 0", form);
  return time;
}

Parsed<models::PriceLaw> parse(std::string_view whole, std::string_view inside, bool reverts, int gpus) {
  const std::string_view form = reverts ? wander_form : list_form;
  const std::vector<std::string_view> arguments = split_at_commas(inside);
  if (arguments.size() != (reverts ? 4 : 3)) return wrong(whole, "its arguments are others", form);
  const auto median = named(arguments[0], "median"), sigma = named(arguments[1], "sigma"),
             every = named(arguments[2], "every");
  const auto half_life = reverts ? named(arguments[3], "half-life") : std::optional<std::string_view>{"0 s"};
  if (!median || !sigma || !every || !half_life) return wrong(whole, "its arguments are others", form);
  const Parsed<Price> price = parse_price(*median);
  if (!price.value) return price.problem;
  if (price.value->per == Price::Per::gigabyte || !(price.value->usd > 0.0))
    return wrong(whole, "the median is no price of a machine", form);
  const std::optional<Decimal> decimal = parse_decimal(*sigma);
  const std::optional<double> spread = decimal ? to_double(*decimal) : std::nullopt;
  if (!spread || *spread < 0.0 || *spread > most_sigma) return wrong(whole, "sigma is from 0 to 3", form);
  const Parsed<double> gap = positive_time(*every, whole, form);
  if (!gap.value) return gap.problem;
  models::PriceLaw law;
  law.median = price.value->usd * (price.value->per == Price::Per::gpu_hour ? gpus : 1);
  law.log_sd = *spread;
  law.mean_gap_s = *gap.value;
  if (!reverts) return law;
  const Parsed<double> half = positive_time(*half_life, whole, form);
  if (!half.value) return half.problem;
  law.memory = models::det::exp(-0.6931471805599453 * law.mean_gap_s / *half.value);
  return law;
}

}  // namespace

std::optional<Parsed<models::PriceLaw>> parse_price_law(std::string_view text, int gpus_per_node) {
  text = trimmed(text);
  for (const auto& [name, reverts] :
       {std::pair{std::string_view{"list-changes("}, false}, std::pair{std::string_view{"mean-reverting("}, true}}) {
    if (!text.starts_with(name)) continue;
    if (!text.ends_with(')')) return wrong(text, "the bracket is not closed", reverts ? wander_form : list_form);
    return parse(text, text.substr(name.size(), text.size() - name.size() - 1), reverts, gpus_per_node);
  }
  return std::nullopt;
}

}  // namespace fleetcast::scenarios
