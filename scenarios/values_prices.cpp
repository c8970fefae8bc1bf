#include <algorithm>
#include <array>

#include "scenarios/document.hpp"
#include "scenarios/values.hpp"

namespace fleetcast::scenarios {
namespace {

constexpr std::string_view price_example = "1.22 USD/GPU-h";
constexpr std::string_view rate_example = "0.0065 /node-d";
constexpr std::string_view price_forms = "USD/GPU-h, USD/node-h or USD/GB";

struct PriceUnit {
  std::string_view name;
  Price::Per per;
};
constexpr std::array<PriceUnit, 3> price_units{
    {{"USD/GPU-h", Price::Per::gpu_hour}, {"USD/node-h", Price::Per::node_hour}, {"USD/GB", Price::Per::gigabyte}}};

bool per_hour_of_nothing(std::string_view unit) {
  static constexpr std::array<std::string_view, 6> forms{"USD/h", "$/h", "USD/hr", "USD/hour", "$/hr", "$/hour"};
  return std::find(forms.begin(), forms.end(), unit) != forms.end();
}

Problem unknown_price(const NumberAndRest& parts, std::string_view text) {
  if (per_hour_of_nothing(parts.rest)) {
    return {"found " + in_quotes(text) + ", which does not say whether a GPU or a node costs that",
            std::string{price_forms}, ""};
  }
  if (parts.rest.empty())
    return {"found " + in_quotes(text) + ": the unit is missing", such_as("a price", price_example), ""};
  Problem problem{"found " + in_quotes(text) + ": " + in_quotes(parts.rest) + " is not a price",
                  std::string{price_forms} + ", per hour", ""};
  std::string plain{parts.rest};
  if (plain.starts_with('$')) plain.replace(0, 1, "USD");
  if (plain.ends_with("hr")) plain.erase(plain.size() - 1);
  for (const PriceUnit& unit : price_units) {
    if (plain == unit.name || (unit.per == Price::Per::gpu_hour && (plain == "USD/gpu-h" || plain == "USD/GPUh"))) {
      problem.nearest = parts.written + ' ' + std::string{unit.name};
    }
  }
  return problem;
}

struct TimeUnit {
  std::string_view name;
  double seconds;
};
constexpr std::array<TimeUnit, 4> time_units{{{"s", 1.0}, {"min", 60.0}, {"h", 3600.0}, {"d", 86400.0}}};

/// Takes "node-" or "GPU-" off the front.
EventRate::Per take_scope(std::string_view& unit) {
  if (unit.starts_with("node-")) {
    unit.remove_prefix(5);
    return EventRate::Per::node;
  }
  if (unit.starts_with("GPU-")) {
    unit.remove_prefix(4);
    return EventRate::Per::gpu;
  }
  return EventRate::Per::fleet;
}

}  // namespace

Parsed<Price> parse_price(std::string_view text) {
  const Parsed<NumberAndRest> parts = split_number(text, "a price", price_example);
  if (!parts.value) return parts.problem;
  const auto* unit = std::find_if(price_units.begin(), price_units.end(),
                                  [&](const PriceUnit& candidate) { return candidate.name == parts.value->rest; });
  if (unit == price_units.end()) return unknown_price(*parts.value, text);
  const Parsed<double> usd = to_amount(parts.value->number, text, "a price");
  if (!usd.value) return usd.problem;
  return Price{*usd.value, unit->per};
}

Parsed<EventRate> parse_event_rate(std::string_view text) {
  const Parsed<NumberAndRest> parts = split_number(text, "an event rate", rate_example);
  if (!parts.value) return parts.problem;
  const Problem unknown{"found " + in_quotes(text) + ", which is not a rate of events",
                        "per node, GPU or fleet, such as \"0.0065 /node-d\", \"2e-5 /GPU-h\" or \"2 /d\" (s min h d)",
                        ""};
  std::string_view unit = parts.value->rest;
  if (!unit.starts_with('/')) return unknown;
  unit.remove_prefix(1);
  EventRate rate;
  rate.per = take_scope(unit);
  const auto* time = std::find_if(time_units.begin(), time_units.end(),
                                  [&](const TimeUnit& candidate) { return candidate.name == unit; });
  if (time == time_units.end()) return unknown;
  const Parsed<double> amount = to_amount(parts.value->number, text, "an event rate");
  if (!amount.value) return amount.problem;
  rate.per_second = *amount.value / time->seconds;
  return rate;
}

}  // namespace fleetcast::scenarios
