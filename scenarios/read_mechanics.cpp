// How the nodes of a pool are sold, waited for and taken away.
#include <algorithm>

#include "scenarios/read_pool.hpp"

namespace fleetcast::scenarios {
namespace {

using models::Distribution;
using models::GradedTime;
using models::ProviderSpec;

/// "/fleet/main/wait" with its law and evidence.
models::Assumption graded(std::string pointer, const GradedTime& time) {
  return {std::move(pointer), models::describe_time(time.law), time.grade, time.source};
}

std::string flag_text(bool value) {
  return value ? "true" : "false";
}

std::string time_text(models::Seconds time) {
  return '"' + models::describe_time(models::Constant{time.value()}) + '"';
}

/// The fields that `given` does not have, as the scenario would write them.
std::string billing_text(const models::Billing& billing, const std::optional<Object>& given) {
  const std::vector<std::pair<std::string, std::string>> parts{{"increment", time_text(billing.increment)},
                                                               {"minimum", time_text(billing.minimum)},
                                                               {"boot", flag_text(billing.boot)},
                                                               {"first_hour_free", flag_text(billing.first_hour_free)}};
  std::string text;
  for (const auto& [name, value] : parts) {
    if (given && given->find(name)) continue;
    text += (text.empty() ? "{ \"" : ", \"") + name + "\": " + value;
  }
  return text.empty() ? text : text + " }";
}

void take_given_billing(const Object& object, models::Billing& billing) {
  if (const auto increment = object.find("increment")) {
    billing.increment = models::Seconds{read_time(*increment, Zero::refused).value_or(1.0)};
  }
  if (const auto minimum = object.find("minimum")) {
    billing.minimum = models::Seconds{read_time(*minimum, Zero::allowed).value_or(0.0)};
  }
  if (const auto boot = object.find("boot")) billing.boot = read_flag(*boot).value_or(true);
  if (const auto free = object.find("first_hour_free")) billing.first_hour_free = read_flag(*free).value_or(false);
}

void read_billing(const Object& object, Context& context, const ProviderSpec* provider, Pool& pool) {
  if (provider != nullptr) {
    pool.billing = pool.market == Market::spot ? provider->billing_spot : provider->billing_on_demand;
  }
  const std::optional<Field> field = object.find("billing");
  std::optional<Object> given;
  if (field) given.emplace(*field, known::billing);
  if (given) take_given_billing(*given, pool.billing);
  const std::string assumed = billing_text(pool.billing, given);
  if (pool.market == Market::owned || assumed.empty()) return;
  if (provider == nullptr) {
    context.assume_default(object.pointer("billing"), assumed);
  } else {
    context.assume({object.pointer("billing"), assumed, models::Grade::measured, provider->billing_source});
  }
}

void read_lifetime(const Object& object, Pool& pool) {
  const std::optional<Field> field = object.find("lifetime");
  const bool spot = pool.market == Market::spot;
  if (field) {
    const auto law = read_random_time(*field, {false, true, false});
    if (!spot)
      field->fault({"a lifetime is given, but only spot nodes are reclaimed", "market \"spot\", or no lifetime", ""});
    if (law) pool.lifetime = *law;
  } else if (spot && !object.find("regimes")) {
    object.need("lifetime", "a random time such as \"exponential(mean 30 h)\" beside bulk or early_lifetime");
  }
}

void read_bulk(const Object& object, Context& context, Pool& pool) {
  const std::optional<Field> field = object.find("bulk");
  if (!field) {
    if (pool.market == Market::spot) context.assume_default(pointer_below(object.pointer("bulk"), "single"), "1");
    return;
  }
  const Object bulk{*field, known::bulk};
  if (const auto single = bulk.find("single")) pool.bulk.single = read_fraction(*single).value_or(1.0);
  if (const auto size = bulk.find("size")) {
    const std::vector<Choice<Bulk::Size>> choices{
        {"uniform", Bulk::Size::uniform}, {"geometric", Bulk::Size::geometric}, {"all", Bulk::Size::all}};
    pool.bulk.size = read_choice(*size, choices).value_or(Bulk::Size::uniform);
  } else if (pool.bulk.single < 1.0) {
    context.assume_default(bulk.pointer("size"), "uniform");
  }
  if (pool.market != Market::spot)
    context.warn("pool " + in_quotes(pool.name) + ": bulk has no effect, only spot nodes are reclaimed");
}

void read_wait(const Object& object, Context& context, const ProviderSpec* provider, Pool& pool) {
  if (const auto field = object.find("wait")) {
    const auto law = read_random_time(*field, {});
    if (law) pool.wait = *law;
  } else if (pool.market == Market::spot && !lives_are_given(object)) {
    context.assume({object.pointer("wait"), "0 s", models::Grade::assumed,
                    "the market model says when nodes can be had; boot and image come on top"});
  } else if (provider != nullptr && pool.market != Market::owned) {
    const GradedTime& time = pool.market == Market::spot ? provider->wait_spot : provider->wait_on_demand;
    pool.wait = time.law;
    context.assume(graded(object.pointer("wait"), time));
  } else {
    context.assume_default(object.pointer("wait"), "0 s");
  }
}

void check_that_spot_is_sold(const Object& object, const ProviderSpec* provider, const Pool& pool) {
  if (pool.market != Market::spot || provider == nullptr || provider->sells_spot) return;
  object.find("market")->fault({provider->title + " sells no spot nodes", "on-demand, owned", ""});
}

void read_lives(const Object& object, Context& context, const ProviderSpec* provider, Pool& pool) {
  if (pool.market != Market::spot) {
    refuse_spot_fields(object);
    read_lifetime(object, pool);
    read_bulk(object, context, pool);
    return;
  }
  if (lives_are_given(object)) {
    read_lifetime(object, pool);
    read_bulk(object, context, pool);
  }
  read_market(object, context, provider, pool);
}

GradedTime assumed_constant(double seconds) {
  return {models::Constant{seconds}, models::Grade::assumed, "default"};
}

}  // namespace

GradedTime boot_time(const ProviderSpec* provider) {
  return provider != nullptr ? provider->boot : assumed_constant(120.0);
}

GradedTime image_time(const ProviderSpec* provider) {
  return provider != nullptr ? provider->image : assumed_constant(60.0);
}

void read_mechanics(const Object& object, Context& context, Pool& pool) {
  const ProviderSpec* provider = context.library.catalog().provider(pool.instance.provider);
  check_that_spot_is_sold(object, provider, pool);
  read_billing(object, context, provider, pool);
  read_notice(object, context, provider, pool);
  read_age_and_launches(object, pool);
  if (object.find("replay")) {
    read_replay(object, context, pool);
  } else {
    read_wait(object, context, provider, pool);
    read_lives(object, context, provider, pool);
  }
  pool.boot = boot_time(provider).law;
  pool.image = image_time(provider).law;
}

}  // namespace fleetcast::scenarios
