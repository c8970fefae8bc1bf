// When spot nodes can be held: by the market model, or by lives, bulk and regimes that the user writes.
#include <algorithm>
#include <cmath>

#include "models/daily_hazard.hpp"
#include "models/errors.hpp"
#include "models/random/deterministic_math.hpp"
#include "scenarios/data_files.hpp"
#include "scenarios/read_pool.hpp"

namespace fleetcast::scenarios {
namespace {

using models::LayeredMarket;
using models::ProviderSpec;
using models::SpotMarketClass;

constexpr std::size_t most_regimes = 16;
/// Shares of time of a market have a normal quantile only inside of this.
constexpr double least_share = 1e-6;
/// A daily swing of lives never stops losses altogether.
constexpr double most_swing = 0.99;

std::string percent(double share) {
  return format_rounded(100.0 * share, 3) + " %";
}

/// Shares of time with none, some and all of the pool's nodes.
struct Shares {
  double none = 0.0, some = 0.0, all = 1.0;
};

double inside(double share) {
  return std::clamp(share, least_share, 1.0 - least_share);
}

/// `availability`: the share of the recent time with all nodes, or { some, all }; what is left is divided as usual.
std::optional<Shares> read_availability(const Object& pool, const Shares& usual) {
  const auto field = pool.find("availability");
  if (!field) return std::nullopt;
  if (!field->is_object()) {
    const auto share = read_fraction(*field);
    if (!share) return std::nullopt;
    const double all = inside(*share), less = usual.none + usual.some;
    return Shares{(1.0 - all) * usual.none / less, (1.0 - all) * usual.some / less, all};
  }
  const Object object{*field, known::availability};
  const auto all_field = object.need("all", "the share of time with all nodes of the pool");
  const auto some_field = object.need("some", "the share of time with at least one node");
  if (!all_field || !some_field) return std::nullopt;
  const auto all = read_fraction(*all_field), some = read_fraction(*some_field);
  if (!all || !some) return std::nullopt;
  if (*some < *all) {
    some_field->fault(
        {"at least one node is there less often than all of them", "at least " + format_number(*all), ""});
    return std::nullopt;
  }
  const double held = inside(*some);
  return Shares{1.0 - held, std::max(0.0, held - inside(*all)), inside(*all)};
}

/// Normal quantile of the mean share of capacity.
double level_of(const Shares& shares) {
  return models::det::normal_quantile(inside(shares.all + 0.5 * shares.some));
}

/// Level and spread over all traces, where the provider has no class. The shares are those of that level.
const SpotMarketClass& any_class() {
  static const SpotMarketClass any = [] {
    SpotMarketClass result;
    result.none = 0.28;
    result.some = 0.13;
    result.all = 0.59;
    result.market = models::pooled_market();
    result.market.climate = models::spread_between_periods;
    result.zone_sd = models::spread_between_zones;
    result.source = "level and course of capacity as pooled over all traces";
    return result;
  }();
  return any;
}

void set_level(const Shares& shares, int nodes, LayeredMarket& market) {
  market.thresholds = models::thresholds_of_shares(std::max(1, nodes), shares.none, shares.some, shares.all);
}

/// What was seen lately, drawn towards other zones as far as a short past deserves.
void expect(const Shares& seen, const models::LevelForecast& forecast, LayeredMarket& market) {
  for (double& threshold : market.thresholds) threshold += level_of(seen) - forecast.level;
  market.climate = forecast.climate;
}

models::LevelForecast forecast_of(const Shares& seen, const SpotMarketClass& like) {
  return models::forecast_level(level_of(seen), level_of({like.none, like.some, like.all}), like.zone_sd,
                                like.market.climate);
}

std::string in_words(const Shares& shares, const LayeredMarket& market) {
  return "all nodes " + percent(shares.all) + ", none " + percent(shares.none) + " of the time; a trial differs by " +
         format_rounded(market.climate, 2) + " sd";
}

std::optional<SpotModel> from_file(const Field& field, Context& context, const Pool& pool) {
  const std::optional<std::string> name = read_text(field, "a file of fleetcast calibrate market");
  if (!name) return std::nullopt;
  try {
    const std::shared_ptr<const MarketFile> file = context.report().files().market(*name);
    SpotModel model{file->market, models::Grade::fitted, false};
    const int known = static_cast<int>(file->market.thresholds.size());
    if (pool.nodes > known) {
      model.grade = models::Grade::extrapolated;
      context.warn("pool " + in_quotes(pool.name) + ": " + *name + " was calibrated on " + std::to_string(known) +
                   " nodes, the pool has " + std::to_string(pool.nodes) + ": the same shares of them are assumed");
    }
    if (file->kind == "probe")
      context.warn("pool " + in_quotes(pool.name) + ": " + *name +
                   " was calibrated on launch probes, the least that kept nodes can expect");
    model.market.thresholds = models::thresholds_for(file->market.thresholds, std::max(1, pool.nodes));
    context.assume({field.pointer(), "market model", model.grade, *name + ": " + file->about});
    return model;
  } catch (const models::InputError& error) {
    for (const models::Fault& fault : error.faults()) {
      const models::Fault place{fault.file, fault.line, 0, fault.pointer, fault.problem, "", ""};
      field.fault({models::describe(place), fault.allowed, fault.nearest});
    }
    return std::nullopt;
  }
}

/// The provider's class of that GPU, the zone's own level if it is known.
std::optional<SpotModel> from_class(const Object& object, Context& context, const ProviderSpec* provider,
                                    const Pool& pool) {
  const SpotMarketClass* known = provider != nullptr ? provider->market_of(pool.gpu.id) : nullptr;
  const SpotMarketClass& like = known != nullptr ? *known : any_class();
  const Shares usual{like.none, like.some, like.all};
  const std::optional<Shares> given = read_availability(object, usual);
  if (!given && object.find("availability")) return std::nullopt;
  if (!given && known == nullptr) {
    object.need("lifetime",
                "availability, a calibration as capacity, or a random time such as \"exponential(mean 30 "
                "h)\": no market is known for spot nodes of " +
                    pool.instance.id);
    return std::nullopt;
  }
  SpotModel model;
  model.market = like.market;
  model.grade = like.grade;
  model.guessed = !given;
  const Shares shares = given.value_or(usual);
  set_level(shares, pool.nodes, model.market);
  if (given)
    expect(*given, forecast_of(*given, like), model.market);
  else
    model.market.climate = std::hypot(like.market.climate, like.zone_sd);
  context.assume({object.pointer("capacity"), in_words(shares, model.market), model.grade, like.source});
  return model;
}

/// A level that was seen lately replaces that of the file.
void override_level(const Object& object, const Pool& pool, SpotModel& model) {
  const int all_nodes = std::max(1, pool.nodes);
  LayeredMarket still = model.market;
  still.climate = 0.0;
  const double some = models::share_at_least(still, 1), all = models::share_at_least(still, all_nodes);
  const auto seen = read_availability(object, {inside(1.0 - some), some - all, inside(all)});
  if (!seen) return;
  set_level(*seen, pool.nodes, model.market);
  expect(*seen, models::forecast_of_any_zone(level_of(*seen)), model.market);
}

void read_swing_and_coupling(const Object& object, Context& context, Pool& pool) {
  LayeredMarket& market = pool.spot_model->market;
  if (const auto daily = object.find("daily")) {
    market.daily_swing = read_fraction(*daily).value_or(0.0);
    market.daily_peak_h = std::fmod(models::scarcest_hour_utc + 12.0, 24.0);
  }
  if (const auto coupling = object.find("coupling")) {
    market.regional = read_fraction(*coupling).value_or(0.0);
  } else {
    context.assume_default(object.pointer("coupling"), format_number(market.regional));
  }
}

void read_spot_model(const Object& object, Context& context, const ProviderSpec* provider, Pool& pool) {
  if (const auto file = object.find("capacity")) {
    pool.spot_model = from_file(*file, context, pool);
    if (pool.spot_model) override_level(object, pool, *pool.spot_model);
  } else {
    pool.spot_model = from_class(object, context, provider, pool);
  }
  if (pool.spot_model) read_swing_and_coupling(object, context, pool);
}

Regime read_regime(const Field& field, const Pool& pool) {
  const Object object{field, known::regime};
  Regime regime;
  regime.capacity = pool.nodes;
  regime.lifetime = pool.lifetime;
  regime.wait = pool.wait;
  if (const auto name = object.need("name", "a text")) regime.name = read_text(*name, "a text").value_or("");
  if (const auto stay = object.need("stay", "a random time such as \"exponential(mean 5 h)\"")) {
    const auto law = read_random_time(*stay, {false, false, false});
    if (law) regime.stay = *law;
  }
  if (const auto lifetime = object.find("lifetime")) {
    const auto law = read_random_time(*lifetime, {false, true, false});
    if (law) regime.lifetime = *law;
  }
  if (const auto wait = object.find("wait")) {
    const auto law = read_random_time(*wait, {});
    if (law) regime.wait = *law;
  }
  if (const auto capacity = object.find("capacity")) {
    const auto share = read_fraction(*capacity);
    if (share) regime.capacity = static_cast<int>(std::floor(*share * pool.nodes + 1e-9));
  }
  return regime;
}

void read_regimes(const Object& object, Pool& pool) {
  const auto field = object.find("regimes");
  if (!field) return;
  if (field->node().kind != Node::Kind::list) return field->wrong_kind("a list of regimes, from ample to out");
  const std::size_t count = field->node().items.size();
  if (count < 2 || count > most_regimes)
    return field->fault({"there are " + std::to_string(count) + " regimes", "2 to 16", ""});
  for (std::size_t i = 0; i < count; ++i) pool.regimes.push_back(read_regime(field->item(i), pool));
}

void read_early_lifetime(const Object& object, Pool& pool) {
  const auto field = object.find("early_lifetime");
  if (!field) return;
  const auto law = read_random_time(*field, {false, true, false});
  if (law) pool.early_lifetime = *law;
}

void read_daily_hazard(const Object& object, Pool& pool) {
  const auto field = object.find("daily");
  if (!field) return;
  const auto swing = read_fraction(*field);
  if (swing) pool.daily = std::min(*swing, most_swing);
  if (const auto coupling = object.find("coupling"))
    coupling->fault({"coupling is that of the market model's zones", "no lifetime, bulk and regimes beside it", ""});
}

void refuse_model_beside_lives(const Object& object) {
  for (const char* name : {"capacity", "availability"})
    if (const auto field = object.find(name))
      field->fault({"lives are given, which the market model would set",
                    "no lifetime, bulk, early_lifetime and regimes beside " + std::string{name}, ""});
}

}  // namespace

bool lives_are_given(const Object& object) {
  for (const char* name : {"lifetime", "bulk", "regimes", "early_lifetime"})
    if (object.find(name)) return true;
  return false;
}

void refuse_spot_fields(const Object& object) {
  for (const char* name : {"capacity", "availability", "regimes", "early_lifetime", "daily", "coupling", "price_cap"})
    if (const auto field = object.find(name))
      field->fault({"only spot nodes come and go with the market", "market \"spot\", or no " + std::string{name}, ""});
}

void read_age_and_launches(const Object& object, Pool& pool) {
  if (const auto field = object.find("max_life")) {
    const auto time = read_time(*field, Zero::refused);
    if (time) pool.max_life = Seconds{*time};
  }
  if (const auto field = object.find("launch_failure")) {
    const auto chance = read_fraction(*field);
    if (chance && *chance >= 1.0) field->fault({"every launch fails", "less than 1", ""});
    pool.launch_failure = chance.value_or(0.0);
  }
}

void read_market(const Object& object, Context& context, const ProviderSpec* provider, Pool& pool) {
  if (!lives_are_given(object)) return read_spot_model(object, context, provider, pool);
  refuse_model_beside_lives(object);
  read_regimes(object, pool);
  read_early_lifetime(object, pool);
  read_daily_hazard(object, pool);
}

}  // namespace fleetcast::scenarios
