// providers.json, stores.json and failures.json.
#include <cmath>

#include "scenarios/catalog_entry.hpp"
#include "scenarios/catalog_files.hpp"
#include "scenarios/catalog_lists.hpp"
#include "scenarios/catalog_values.hpp"

namespace fleetcast::scenarios::catalog {

namespace {

/// Figures with a grade instead of a check.
std::string read_source(Entry& entry) {
  const std::string source = entry.text("source"), date = entry.text("date");
  if (source.empty() || date.empty()) entry.fault("", "a figure needs a source and a date");
  return source + " (" + date + ")";
}

models::GradedTime read_graded(Entry& entry) {
  models::GradedTime time;
  time.law = entry.value("law", parse_law);
  time.grade = entry.grade("grade");
  time.source = read_source(entry);
  return time;
}

models::GradedTime graded_object(Entry& parent, const std::string& key) {
  Entry entry = parent.object(key);
  models::GradedTime time = read_graded(entry);
  entry.close();
  return time;
}

models::Billing read_billing(Entry& parent, const std::string& key) {
  Entry entry = parent.object(key);
  models::Billing billing;
  billing.increment = models::Seconds{entry.value("increment", parse_time)};
  billing.minimum = models::Seconds{entry.value("minimum", parse_time)};
  billing.boot = entry.flag_or("boot", true);
  billing.first_hour_free = entry.flag_or("first_hour_free", false);
  if (billing.increment.value() <= 0.0) entry.fault("increment", "must be above 0");
  entry.close();
  return billing;
}

void read_billings(Entry& parent, models::ProviderSpec& provider) {
  Entry entry = parent.object("billing");
  provider.billing_on_demand = read_billing(entry, "on_demand");
  provider.billing_spot = read_billing(entry, "spot");
  const models::Provenance provenance = entry.provenance();
  provider.billing_source = provenance.source + " (" + provenance.date + ", " + provenance.check + ")";
  entry.close();
}

double share_of(Entry& entry, const std::string& key) {
  const double share = entry.number(key);
  if (share < 0.0 || share > 1.0) entry.fault(key, "must be a share, 0 to 1");
  return share;
}

double at_least_zero(Entry& entry, const std::string& key) {
  const double value = entry.number(key);
  if (value < 0.0) entry.fault(key, "must be at least 0");
  return value;
}

void read_layers(Entry& entry, models::LayeredMarket& market) {
  std::size_t count = 0;
  double sum = 0.0;
  for (Entry& layer : entry.list("layers")) {
    const models::MarketLayer read{share_of(layer, "weight"), layer.value("mean_gap", parse_time)};
    if (read.mean_gap_s <= 0.0) layer.fault("mean_gap", "must be above 0");
    if (count < models::market_layer_count) market.layers[count] = read;
    sum += read.weight;
    ++count;
    layer.close();
  }
  if (count != models::market_layer_count) entry.fault("layers", "must be four, the fast ones first");
  if (market.layers[0].weight <= 0.0) entry.fault("layers", "the first needs some weight");
  if (std::abs(sum - 1.0) > 1e-9) entry.fault("layers", "the weights do not sum to 1");
}

models::SpotMarketClass read_market(Entry& entry) {
  models::SpotMarketClass market;
  market.gpus = entry.texts("gpus");
  market.none = share_of(entry, "none");
  market.some = share_of(entry, "some");
  market.all = share_of(entry, "all");
  if (market.none <= 0.0 || market.all <= 0.0 || std::abs(market.none + market.some + market.all - 1.0) > 1e-9)
    entry.fault("", "none, some and all must sum to 1, none and all above 0");
  market.market = models::pooled_market();
  if (entry.has("layers")) read_layers(entry, market.market);
  market.market.lone_loss_per_s = at_least_zero(entry, "lone_loss_per_h") / models::seconds_per_hour;
  market.market.lone_return_s = entry.value("lone_return", parse_time);
  if (market.market.lone_return_s <= 0.0) entry.fault("lone_return", "must be above 0");
  market.market.climate = at_least_zero(entry, "climate");
  market.zone_sd = at_least_zero(entry, "zone_sd");
  market.market.regional = share_of(entry, "regional");
  market.grade = entry.grade("grade");
  market.source = read_source(entry);
  entry.close();
  return market;
}

/// What people should know and no field says: read only to be sure that it is whole.
void check_notes(Entry& parent) {
  if (!parent.has("notes")) return;
  for (Entry& entry : parent.list("notes")) {
    if (entry.text("text").empty()) entry.fault("text", "is empty");
    entry.provenance();
    entry.close();
  }
}

models::ProviderSpec read_provider(Entry& entry) {
  models::ProviderSpec provider;
  provider.id = entry.text("id");
  provider.title = entry.text("title");
  read_billings(entry, provider);
  provider.sells_spot = entry.flag_or("sells_spot", true);
  provider.notice = graded_object(entry, "notice");
  Entry wait = entry.object("wait");
  provider.wait_on_demand = graded_object(wait, "on_demand");
  provider.wait_spot = graded_object(wait, "spot");
  wait.close();
  for (Entry& market : entry.list("markets")) provider.markets.push_back(read_market(market));
  if (entry.has("announced_notice"))
    provider.announced_notice = models::Seconds{entry.value("announced_notice", parse_time)};
  provider.boot = graded_object(entry, "boot");
  provider.image = graded_object(entry, "image");
  provider.default_store = entry.text("default_store");
  check_notes(entry);
  return provider;
}

models::StoreSpec read_store(Entry& entry) {
  models::StoreSpec store;
  store.id = entry.text("id");
  store.provider = entry.text("provider");
  store.kind = entry.text("kind");
  if (store.kind != "object" && store.kind != "file" && store.kind != "local")
    entry.fault("kind", "is \"" + store.kind + "\"", "object, file, local");
  store.node_rate = models::BytesPerSecond{entry.value("node_rate", parse_byte_rate)};
  if (store.node_rate.value() <= 0.0) entry.fault("node_rate", "must be above 0");
  store.aggregate = models::BytesPerSecond{entry.optional_value("aggregate", parse_byte_rate).value_or(0.0)};
  store.fixed = models::Seconds{entry.value("fixed", parse_time)};
  store.per_gb_month = models::Usd{entry.value("per_gb_month", parse_gb_price)};
  store.per_1k_writes = models::Usd{entry.value("per_1k_writes", parse_usd)};
  store.grade = entry.grade("grade");
  const models::Provenance provenance = entry.provenance();
  store.source = provenance.source + " (" + provenance.date + ", " + provenance.check + ")";
  return store;
}

models::TypicalCause read_cause(Entry& entry, double total_rate, double& share_sum) {
  models::TypicalCause cause;
  cause.name = entry.text("name");
  const double share = entry.number("share");
  share_sum += share;
  cause.per_gpu = models::PerSecond{share * total_rate};
  cause.needs_node = entry.flag_or("needs_node", true);
  cause.detect = entry.value("detect", parse_law);
  cause.repair = entry.value("repair", parse_law);
  entry.close();
  return cause;
}

models::TypicalFailures read_mix(Entry& entry) {
  models::TypicalFailures mix;
  mix.gpus = entry.texts("gpus");
  const double rate = entry.value("rate", parse_gpu_rate);
  double share_sum = 0.0;
  for (Entry& cause : entry.list("causes")) mix.causes.push_back(read_cause(cause, rate, share_sum));
  if (std::abs(share_sum - 1.0) > 1e-9) entry.fault("causes", "the shares do not sum to 1");
  mix.rate_sigma = entry.number("rate_sigma");
  mix.grade = entry.grade("grade");
  const models::Provenance provenance = entry.provenance();
  mix.source = provenance.source + " (" + provenance.date + ", " + provenance.check + ")";
  return mix;
}

}  // namespace

std::vector<models::ProviderSpec> read_providers(const File& file, Faults& faults) {
  return read_entries<models::ProviderSpec>(file, faults, read_provider);
}

std::vector<models::StoreSpec> read_stores(const File& file, Faults& faults) {
  return read_entries<models::StoreSpec>(file, faults, read_store);
}

std::vector<models::TypicalFailures> read_failures(const File& file, Faults& faults) {
  return read_entries<models::TypicalFailures>(file, faults, read_mix);
}

}  // namespace fleetcast::scenarios::catalog
