#include <algorithm>

#include "models/errors.hpp"
#include "models/normal90.hpp"
#include "models/price.hpp"
#include "models/random/deterministic_math.hpp"
#include "scenarios/nearest_name.hpp"
#include "scenarios/price_law.hpp"
#include "scenarios/read_pool.hpp"

namespace fleetcast::scenarios {
namespace {

std::string_view market_name(Market market) {
  return market == Market::spot ? "spot" : "on-demand";
}

std::vector<std::string> distinct(std::vector<std::string> names) {
  std::vector<std::string> result;
  for (std::string& name : names) {
    if (!name.empty() && std::find(result.begin(), result.end(), name) == result.end())
      result.push_back(std::move(name));
  }
  return result;
}

std::vector<std::string> regions_of(const models::InstanceSpec& instance) {
  std::vector<std::string> names;
  for (const models::PriceEntry& entry : instance.prices) names.push_back(entry.region);
  return distinct(std::move(names));
}

std::vector<std::string> zones_of(const models::InstanceSpec& instance, const std::string& region) {
  std::vector<std::string> names;
  for (const models::PriceEntry& entry : instance.prices) {
    if (entry.region == region) names.push_back(entry.zone);
  }
  return distinct(std::move(names));
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// "no spot price is known for aws/p5.48xlarge in us-east-1, zone use1-az4"
std::string unknown_price(const Pool& pool) {
  std::string text = "no " + std::string{market_name(pool.market)} + " price is known for " + pool.instance.id;
  if (!pool.region.empty()) text += " in " + pool.region;
  if (!pool.zone.empty()) text += ", zone " + pool.zone;
  return text;
}

void missing_price(const Object& object, const Pool& pool, const std::string& why) {
  object.field().report().fault(object.field().node(), object.pointer("price"),
                                {unknown_price(pool) + why, "a price such as \"2.50 USD/GPU-h\"", ""});
}

/// Says what stands in the way of a look-up. True if nothing does.
bool place_is_known(const Object& object, const Pool& pool) {
  const std::vector<std::string> regions = regions_of(pool.instance);
  if (regions.empty()) {
    missing_price(object, pool, "");
    return false;
  }
  if (pool.region.empty()) {
    if (!object.find("zone")) object.need("region", nearest_first("", regions) + " (or give a price)");
    return false;
  }
  if (!contains(regions, pool.region)) {
    object.find("region")->fault({"no price is known for " + pool.instance.id + " in region " + in_quotes(pool.region),
                                  nearest_first(pool.region, regions), nearest_name(pool.region, regions)});
    return false;
  }
  const std::vector<std::string> zones = zones_of(pool.instance, pool.region);
  if (pool.market != Market::spot || pool.zone.empty() || zones.empty() || contains(zones, pool.zone)) return true;
  object.find("zone")->fault({"no price is known for " + pool.instance.id + " in zone " + in_quotes(pool.zone),
                              nearest_first(pool.zone, zones), nearest_name(pool.zone, zones)});
  return false;
}

std::string in_usd(double price) {
  return format_rounded(price, 6) + " USD/node-h";
}

std::string dated(const models::PriceQuote& quote) {
  return quote.source + (quote.date.empty() ? "" : ", " + quote.date);
}

void note_looked_up_price(const Object& object, Context& context, Pool& pool, const models::PriceQuote& quote) {
  pool.price_source = dated(quote);
  const bool is_median = pool.zone.empty() && quote.low < quote.high;
  models::Assumption assumption{object.pointer("price"), in_usd(pool.price_per_node_h),
                                is_median ? models::Grade::assumed : models::Grade::measured, pool.price_source};
  if (is_median) {
    assumption.source = "median of " + std::to_string(quote.zones) + " zones, " + in_usd(quote.low) + " to " +
                        in_usd(quote.high) + "; " + pool.price_source;
  }
  context.assume(std::move(assumption));
}

void look_up_price(const Object& object, Context& context, Pool& pool) {
  if (!place_is_known(object, pool)) return;
  const std::optional<models::PriceQuote> quote = pool.market == Market::spot
                                                      ? models::spot_price(pool.instance, pool.region, pool.zone)
                                                      : models::on_demand_price(pool.instance, pool.region, pool.zone);
  if (!quote) {
    missing_price(object, pool,
                  pool.market == Market::spot && pool.zone.empty() ? " (of a zone that gives a discount)" : "");
    return;
  }
  pool.price_per_node_h = quote->price.value();
  pool.price_low = quote->low;
  pool.price_high = quote->high;
  note_looked_up_price(object, context, pool, *quote);
}

/// What a price in this column is multiplied with to be that of a node.
std::optional<int> factor_of_column(const std::string& column, const Pool& pool) {
  if (column == "usd_per_hour" || column == "usd_per_node_hour") return 1;
  if (column == "usd_per_gpu_hour") return pool.instance.gpus;
  return std::nullopt;
}

/// "data(prices.csv, usd_per_hour)": what a node costs changes over time.
void take_recorded_price(const Field& field, const Parsed<std::pair<std::string, std::string>>& reference,
                         Context& context, Pool& pool) {
  if (!reference.value) return field.fault(reference.problem);
  const auto& [file, column] = *reference.value;
  const std::optional<int> factor = factor_of_column(column, pool);
  if (!factor) {
    return field.fault({"the column " + in_quotes(column) + " does not say what a price is for",
                        "usd_per_hour or usd_per_node_hour (a node), or usd_per_gpu_hour", ""});
  }
  try {
    const DataFiles::Recorded read = context.report().files().recording(file, price_form(column));
    models::Recording price = *read.recording;
    for (models::RecordedChange& change : price.changes) change.value *= *factor;
    pool.price_per_node_h = models::mean_value(price);
    pool.recorded_price = std::make_shared<const models::Recording>(std::move(price));
    for (const std::string& note : read.notes) context.warn("recording " + in_quotes(file) + ": " + note);
  } catch (const models::InputError& error) {
    return field.fault(data_problem(error.faults().front()));
  }
  pool.price_given = true;
  const auto by_value = [](const auto& a, const auto& b) { return a.value < b.value; };
  const auto& changes = pool.recorded_price->changes;
  pool.price_low = std::min_element(changes.begin(), changes.end(), by_value)->value;
  pool.price_high = std::max_element(changes.begin(), changes.end(), by_value)->value;
  pool.price_source = file;
}

/// A price that changes by itself; in the long run it costs its mean, which the closed forms use.
void take_price_law(const Field& field, const Parsed<models::PriceLaw>& law, Pool& pool) {
  if (!law.value) return field.fault(law.problem);
  pool.price_law = *law.value;
  pool.price_given = true;
  pool.price_source = "given";
  const double spread = models::det::exp(models::normal90 * law.value->log_sd);
  pool.price_low = law.value->median / spread;
  pool.price_high = law.value->median * spread;
  pool.price_per_node_h = models::mean_price(*law.value);
}

void take_given_price(const Field& field, Context& context, Pool& pool) {
  if (field.is_text()) {
    if (const auto law = parse_price_law(field.node().text, pool.instance.gpus))
      return take_price_law(field, *law, pool);
    if (const auto reference = parse_data_reference(field.node().text)) {
      take_recorded_price(field, *reference, context, pool);
      return;
    }
  }
  const auto price = read_with_unit<Price>(field, "a price", "1.22 USD/GPU-h", parse_price);
  if (!price) return;
  if (price->per == Price::Per::gigabyte) {
    field.fault({"found " + in_quotes(field.node().text), "a price per USD/GPU-h or USD/node-h", ""});
    return;
  }
  pool.price_per_node_h = price->usd * (price->per == Price::Per::gpu_hour ? pool.instance.gpus : 1);
  pool.price_given = true;
  pool.price_low = pool.price_high = pool.price_per_node_h;
  pool.price_source = "given";
}

/// Nobody rents plainer GPUs for less, nor faster ones for more: outside, per node and per GPU were mixed up.
constexpr double lowest_plausible = 0.1, highest_plausible = 30.0;
/// Price lists give the same price with different numbers of digits: less than 0.1 % is no discount.
constexpr double discounted = 0.999;

void warn_of_odd_prices(Context& context, const Pool& pool) {
  const double per_gpu = pool.price_per_node_h / pool.instance.gpus;
  if (per_gpu > 0.0 && (per_gpu < lowest_plausible || per_gpu > highest_plausible)) {
    context.warn("pool " + in_quotes(pool.name) + ": " + format_rounded(per_gpu, 4) +
                 " USD per GPU-hour is outside the usual 0.1 to 30 (per GPU or per node?)");
  }
  if (pool.market != Market::spot || pool.region.empty()) return;
  const auto on_demand = models::on_demand_price(pool.instance, pool.region, pool.zone);
  if (!on_demand || pool.price_per_node_h < discounted * on_demand->price.value()) return;
  context.warn("pool " + in_quotes(pool.name) + ": the spot price " + in_usd(pool.price_per_node_h) +
               " is not below the on-demand price " + in_usd(on_demand->price.value()));
}

/// Above this price the nodes are gone: given, else the on-demand price where it is known.
void read_price_cap(const Object& object, Context& context, Pool& pool) {
  const bool moves = pool.recorded_price || pool.price_law;
  if (const auto field = object.find("price_cap")) {
    const auto cap = read_with_unit<Price>(*field, "a price", "2.50 USD/GPU-h", parse_price);
    if (!cap) return;
    if (cap->per == Price::Per::gigabyte)
      return field->fault({"found " + in_quotes(field->node().text), "a price per USD/GPU-h or USD/node-h", ""});
    pool.price_cap = cap->usd * (cap->per == Price::Per::gpu_hour ? pool.instance.gpus : 1);
    if (!moves && pool.price_per_node_h > *pool.price_cap)
      field->fault({"the price never falls to the cap", "at least " + in_usd(pool.price_per_node_h), ""});
  } else if (moves && pool.market == Market::spot) {
    const auto on_demand = models::on_demand_price(pool.instance, pool.region, pool.zone);
    if (!on_demand) return;
    pool.price_cap = on_demand->price.value();
    context.assume({object.pointer("price_cap"), in_usd(*pool.price_cap), models::Grade::assumed,
                    "the on-demand price: " + dated(*on_demand)});
  }
}

}  // namespace

void read_price(const Object& object, Context& context, Pool& pool) {
  const std::optional<Field> given = object.find("price");
  if (pool.market == Market::owned) {
    pool.price_source = "owned";
    if (given) given->fault({"owned nodes cost nothing, but a price is given", "no price, or another market", ""});
    return;
  }
  const std::size_t before = context.report().count();
  if (given) {
    take_given_price(*given, context, pool);
  } else {
    look_up_price(object, context, pool);
  }
  if (context.report().count() == before) read_price_cap(object, context, pool);
  if (context.report().count() == before) warn_of_odd_prices(context, pool);
}

}  // namespace fleetcast::scenarios
