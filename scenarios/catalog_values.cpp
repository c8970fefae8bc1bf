#include "scenarios/catalog_values.hpp"

#include "scenarios/document.hpp"

namespace fleetcast::scenarios::catalog {

namespace {

Parsed<double> price_per(std::string_view text, Price::Per per, const char* allowed) {
  const Parsed<Price> price = parse_price(text);
  if (!price.value) return price.problem;
  if (price.value->per != per) return Problem{"found " + in_quotes(text), allowed, {}};
  return price.value->usd;
}

}  // namespace

Parsed<double> parse_node_price(std::string_view text) {
  return price_per(text, Price::Per::node_hour, "a price per node, such as \"32.77 USD/node-h\"");
}

Parsed<double> parse_gb_price(std::string_view text) {
  return price_per(text, Price::Per::gigabyte, "a price per amount, such as \"0.023 USD/GB\"");
}

Parsed<double> parse_gpu_rate(std::string_view text) {
  const Parsed<EventRate> rate = parse_event_rate(text);
  if (!rate.value) return rate.problem;
  if (rate.value->per != EventRate::Per::gpu)
    return Problem{"found " + in_quotes(text), "a rate per GPU, such as \"2e-5 /GPU-h\"", {}};
  return rate.value->per_second;
}

Parsed<models::Distribution> parse_law(std::string_view text) {
  return parse_random_time(text, {.zero = true, .never = true, .none = true});
}

}  // namespace fleetcast::scenarios::catalog
