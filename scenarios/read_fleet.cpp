#include <algorithm>

#include "scenarios/context.hpp"
#include "scenarios/layout.hpp"
#include "scenarios/read_pool.hpp"

namespace fleetcast::scenarios {
namespace {

constexpr std::uint64_t most_nodes = 1'000'000;
/// Of the whole gang: products with micro-batch and accumulation stay within 64 bits.
constexpr std::int64_t most_gpus = 10'000'000;

bool read_instance(const Object& object, Context& context, Pool& pool) {
  const auto field = object.need("instance", "the id of an instance, or an object that describes one");
  const std::optional<models::InstanceSpec> instance = field ? context.library.instance(*field) : std::nullopt;
  if (!instance) return false;
  const models::GpuSpec* gpu = context.library.catalog().gpu(instance->gpu);
  if (gpu == nullptr) {
    field->fault({"the catalog does not describe the GPU " + in_quotes(instance->gpu), "", ""});
    return false;
  }
  pool.instance = *instance;
  pool.gpu = *gpu;
  return true;
}

bool read_market(const Object& object, Context& context, Pool& pool) {
  const std::vector<Choice<Market>> choices{{"on-demand", Market::on_demand},
                                            {"spot", Market::spot},
                                            {"owned", Market::owned},
                                            {"reserved", std::nullopt},
                                            {"queued", std::nullopt}};
  if (const auto field = object.find("market")) {
    const std::optional<Market> market = read_choice(*field, choices);
    if (market) pool.market = *market;
    return market.has_value();
  }
  context.assume_default(object.pointer("market"), "on-demand");
  return true;
}

void read_place(const Object& object, Pool& pool) {
  if (const auto region = object.find("region")) pool.region = read_text(*region, "the name of a region").value_or("");
  const auto zone = object.find("zone");
  if (!zone) return;
  pool.zone = read_text(*zone, "the name of a zone").value_or("");
  if (!object.find("region")) object.need("region", "the region of the zone");
}

Pool read_pool(const std::string& name, const Field& field, Context& context) {
  const Object object{field, known::pool};
  Pool pool;
  pool.name = name;
  const bool has_instance = read_instance(object, context, pool);
  if (const auto nodes = object.find("nodes")) pool.nodes = read_int(*nodes, {0, most_nodes}).value_or(0);
  read_place(object, pool);
  const bool has_market = read_market(object, context, pool);
  if (has_instance && has_market) {
    read_price(object, context, pool);
    read_mechanics(object, context, pool);
  }
  return pool;
}

void warn_of_idle_pools(Context& context) {
  for (const Pool& pool : context.scenario.fleet) {
    if (pool.nodes == 0) context.warn("pool " + in_quotes(pool.name) + " has no nodes at the start and is never used");
  }
}

}  // namespace

std::vector<const Pool*> gang_of(const Scenario& scenario) {
  std::vector<const Pool*> gang;
  for (const Pool& pool : scenario.fleet) {
    if (pool.nodes > 0) gang.push_back(&pool);
  }
  return gang;
}

void read_fleet(Context& context) {
  const std::optional<Field> field = context.top.need("fleet", "an object of pools by name");
  if (!field) return;
  const std::size_t before = context.report().count();
  for (const auto& [name, pool] : named_members(*field, "an object of pools by name")) {
    context.scenario.fleet.push_back(read_pool(name, pool, context));
  }
  if (context.report().count() > before) return;
  if (context.scenario.fleet.empty()) {
    field->fault({"the fleet has no pools", "at least one pool", ""});
  } else if (gang_of(context.scenario).empty()) {
    field->fault({"no pool has nodes", "nodes of at least 1 in at least one pool", ""});
  } else if (gpus_of_gang(context.scenario) > most_gpus) {
    field->fault({"the gang has " + std::to_string(gpus_of_gang(context.scenario)) + " GPUs",
                  "at most " + std::to_string(most_gpus), ""});
  } else {
    warn_of_idle_pools(context);
  }
}

}  // namespace fleetcast::scenarios
