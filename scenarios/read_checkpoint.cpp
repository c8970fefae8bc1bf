#include "scenarios/context.hpp"

namespace fleetcast::scenarios {
namespace {

void read_mode(const Object& object, Context& context) {
  const std::vector<Choice<Checkpoint::Mode>> choices{
      {"sync", Checkpoint::Mode::sync}, {"async", Checkpoint::Mode::async}, {"off", Checkpoint::Mode::off}};
  if (const auto field = object.find("mode")) {
    context.scenario.checkpoint.mode = read_choice(*field, choices).value_or(Checkpoint::Mode::sync);
  } else {
    context.assume_default(object.pointer("mode"), "sync");
  }
}

void read_interval(const Object& object, Context& context) {
  const auto field = object.find("interval");
  if (!field) return;  // by Young/Daly, noted with its value when the plan is made
  if (field->is_text()) {
    const std::string& text = field->node().text;
    if (text == "young-daly") return;
    if (text == "optimal" || text == "adaptive") {
      field->fault({in_quotes(text) + " is not yet supported",
                    "\"young-daly\", or a span such as \"500 steps\" or \"30 min\"", ""});
      return;
    }
  }
  const auto span = read_with_unit<StepsOrSeconds>(*field, "a span", "500 steps", parse_span);
  if (span) context.scenario.checkpoint.interval = Span{span->in_steps, span->value};
}

void read_measured(const Object& object, Checkpoint& checkpoint) {
  const auto field = object.find("measured");
  if (!field) return;
  const Object measured{*field, known::measured_checkpoint};
  MeasuredCheckpoint result;
  if (const auto blocked = measured.need("blocked", "a random time such as \"5 s\"")) {
    result.blocked = read_random_time(*blocked, {}).value_or(models::Constant{});
  }
  if (const auto persist = measured.find("persist")) result.persist = read_random_time(*persist, {});
  if (const auto load = measured.find("load")) result.load = read_random_time(*load, {});
  checkpoint.measured = result;
}

/// Rates of a store stand in for what was not measured.
bool needs_store(const Checkpoint& checkpoint) {
  if (checkpoint.mode == Checkpoint::Mode::off) return false;
  if (!checkpoint.measured || !checkpoint.measured->load) return true;
  return checkpoint.mode == Checkpoint::Mode::async && !checkpoint.measured->persist;
}

std::string provider_of_gang(const Scenario& scenario) {
  const std::vector<const Pool*> gang = gang_of(scenario);
  return gang.empty() ? "" : gang.front()->instance.provider;
}

/// False where the fleet could not be read: then nothing is said about what follows from it.
bool machines_are_known(const Scenario& scenario) {
  const std::vector<const Pool*> gang = gang_of(scenario);
  return !gang.empty() && !gang.front()->instance.id.empty();
}

void default_store(const Object& object, Context& context) {
  Checkpoint& checkpoint = context.scenario.checkpoint;
  const models::Catalog& catalog = context.library.catalog();
  const models::ProviderSpec* provider = catalog.provider(provider_of_gang(context.scenario));
  const models::StoreSpec* store = provider != nullptr ? catalog.store(provider->default_store) : nullptr;
  if (store != nullptr) {
    checkpoint.store = *store;
    context.assume({object.pointer("store"), store->id, store->grade, "the provider's object store; " + store->source});
  } else if (needs_store(checkpoint) && machines_are_known(context.scenario)) {
    object.need("store", "the id of a store, or measured times of saving and loading: the nodes have no provider");
  }
}

void read_store(const Object& object, Context& context) {
  const auto field = object.find("store");
  if (!field) {
    if (context.scenario.checkpoint.mode != Checkpoint::Mode::off) default_store(object, context);
    return;
  }
  const auto store = context.library.store(*field);
  if (!store) return;
  context.scenario.checkpoint.store = *store;
  const std::string provider = provider_of_gang(context.scenario);
  if (!store->provider.empty() && !provider.empty() && store->provider != provider) {
    context.warn("store " + in_quotes(store->id) + " is not at the provider of the nodes: its traffic is not charged");
  }
}

void read_size(const Object& object, Context& context) {
  Checkpoint& checkpoint = context.scenario.checkpoint;
  if (const auto field = object.find("size")) {
    const auto size = read_bytes(*field, Zero::allowed);
    if (size) checkpoint.size = models::Bytes{*size};
    return;
  }
  const Workload& workload = context.scenario.workload;
  const bool known = workload.model || (workload.measured && workload.measured->state.value() > 0.0);
  if (known || !needs_store(checkpoint)) return;
  context.assume_default(object.pointer("size"), "0 B");
}

void read_flags(const Object& object, Context& context) {
  Checkpoint& checkpoint = context.scenario.checkpoint;
  const bool saves = checkpoint.mode != Checkpoint::Mode::off;
  if (const auto field = object.find("on_notice")) {
    checkpoint.on_notice = read_flag(*field).value_or(true);
  } else if (saves) {
    context.assume_default(object.pointer("on_notice"), "true");
  }
  if (const auto field = object.find("final")) {
    checkpoint.final_save = read_flag(*field).value_or(true);
  } else if (saves) {
    context.assume_default(object.pointer("final"), "true");
  }
}

void read_keep(const Object& object, Context& context) {
  Checkpoint& checkpoint = context.scenario.checkpoint;
  const auto field = object.find("keep");
  if (!field) {
    if (checkpoint.mode != Checkpoint::Mode::off) context.assume_default(object.pointer("keep"), "3");
    return;
  }
  if (field->is_text() && field->node().text == "all") {
    checkpoint.keep.reset();
    return;
  }
  if (field->is_text() && number_length(trimmed(field->node().text)) == 0) {
    field->fault({"found " + in_quotes(field->node().text), "a whole number of at least 1, or \"all\"", ""});
    return;
  }
  const auto keep = read_count(*field, {1, 1'000'000'000});
  if (keep) checkpoint.keep = static_cast<std::int64_t>(*keep);
}

}  // namespace

void read_checkpoint(Context& context) {
  const Section section{context, "checkpoint", known::checkpoint};
  const Object& object = section.object;
  read_mode(object, context);
  read_interval(object, context);
  read_measured(object, context.scenario.checkpoint);
  read_store(object, context);
  read_size(object, context);
  read_flags(object, context);
  read_keep(object, context);
}

}  // namespace fleetcast::scenarios
