#include "scenarios/context.hpp"

namespace fleetcast::scenarios {
namespace {

constexpr std::string_view forms = "\"typical\", \"none\", or an object with causes";
/// No measurement is known: somebody looks at the loss a few times a day.
constexpr double default_error_found_s = 6.0 * models::seconds_per_hour;
constexpr double largest_factor = 1e6;

void take_rate(const Field& field, FailureCause& cause) {
  const auto rate = read_with_unit<EventRate>(field, "an event rate", "0.0065 /node-d", parse_event_rate);
  if (!rate) return;
  if (rate->per == EventRate::Per::node) cause.rate_per_node = rate->per_second;
  if (rate->per == EventRate::Per::gpu) cause.rate_per_gpu = rate->per_second;
  if (rate->per == EventRate::Per::fleet) cause.rate_of_fleet = rate->per_second;
}

/// Observed events in an exposure: the rate is Gamma(events + 1/2) / exposure (Jeffreys' prior), its mean is noted.
void take_events(const Field& events, const Field& exposure, FailureCause& cause) {
  const auto count = read_count(events, {0, 1'000'000'000});
  const auto time = read_with_unit<double>(exposure, "a time of GPUs", "2.1e7 GPU-h", parse_gpu_time);
  if (time && !(*time > 0.0)) exposure.fault({"found " + in_quotes(exposure.node().text), "more than 0 GPU-h", ""});
  if (!count || !time || !(*time > 0.0)) return;
  cause.events = static_cast<double>(*count);
  cause.exposure_gpu_s = *time;
  cause.rate_per_gpu = (*cause.events + 0.5) / *time;
}

void read_rate(const Object& object, FailureCause& cause) {
  const auto rate = object.find("rate"), events = object.find("events"), exposure = object.find("exposure");
  if (rate && (events || exposure)) {
    rate->fault({"rate contradicts events and exposure", "either a rate, or events with exposure", ""});
  }
  if (rate) {
    take_rate(*rate, cause);
  } else if (events || exposure) {
    object.need("events", "a count");
    object.need("exposure", "a time of GPUs such as \"2.1e7 GPU-h\"");
    if (events && exposure) take_events(*events, *exposure, cause);
  } else {
    object.need("rate", "an event rate such as \"0.0065 /node-d\", or events with exposure");
  }
}

void read_times(const Object& object, FailureCause& cause) {
  if (const auto field = object.find("detect")) {
    const auto law = read_random_time(*field, {});
    if (law) cause.detect = PartTime{*law, 0.0, 0.0};
  }
  if (const auto field = object.find("repair")) {
    const auto law = read_random_time(*field, {});
    if (law) cause.repair = *law;
    cause.repair_given = law.has_value();
  }
}

/// Share of a fleet that is back after the repair.
void read_returns(const Object& object, FailureCause& cause) {
  const auto field = object.find("returns");
  if (!field) return;
  cause.returns = read_fraction(*field).value_or(1.0);
  if (!cause.takes_fleet) {
    field->fault(
        {"returns without takes \"fleet\": it is the share of the fleet that comes back", "takes \"fleet\"", ""});
  } else if (!object.find("repair")) {
    field->fault({"returns without repair: the share comes back after the repair", "a repair", ""});
  }
}

void refuse_fleet_of_one(const Object& object, const FailureCause& cause) {
  if (cause.kind != FailureKind::coordinator || !cause.takes_fleet) return;
  object.find("takes")->fault({"the coordinator is one node", "takes \"node\", or kind \"crash\"", ""});
}

void read_kind(const Object& object, FailureCause& cause) {
  if (const auto field = object.find("takes")) {
    const std::vector<Choice<bool>> choices{{"node", false}, {"fleet", true}};
    cause.takes_fleet = read_choice(*field, choices).value_or(false);
  }
  if (const auto field = object.find("kind")) {
    const std::vector<Choice<FailureKind>> choices{{"crash", FailureKind::crash},
                                                   {"planned", FailureKind::planned},
                                                   {"hang", FailureKind::hang},
                                                   {"silent", FailureKind::silent},
                                                   {"coordinator", FailureKind::coordinator}};
    cause.kind = read_choice(*field, choices).value_or(FailureKind::crash);
  }
  read_returns(object, cause);
  refuse_fleet_of_one(object, cause);
}

/// Who finds what nobody sees at once.
void fill_detection(const Object& object, Context& context, FailureCause& cause) {
  if (object.find("detect")) return;
  if (cause.kind == FailureKind::hang) {
    const double seconds = context.scenario.recovery.hang_timeout.value();
    cause.detect = PartTime{models::Constant{seconds}, 0.0, 0.0};
    context.assume({object.pointer("detect"), models::describe_time(cause.detect->fixed), models::Grade::assumed,
                    "the watchdog, recovery.hang_timeout"});
  }
  if (cause.kind == FailureKind::silent) {
    cause.detect = PartTime{models::Constant{default_error_found_s}, 0.0, 0.0};
    context.assume({object.pointer("detect"), models::describe_time(cause.detect->fixed), models::Grade::assumed,
                    "somebody looks at the loss a few times a day"});
  }
  if (cause.kind == FailureKind::coordinator && !cause.repair_given) {
    context.assume_default(object.pointer("repair"), "0 s");
  }
}

FailureCause read_cause(const std::string& name, const Field& field, Context& context) {
  const Object object{field, known::cause};
  FailureCause cause;
  cause.name = name;
  if (object.field().is_object()) read_rate(object, cause);
  read_times(object, cause);
  if (const auto flag = object.find("needs_node")) cause.needs_node = read_flag(*flag).value_or(true);
  if (const auto share = object.find("host_survives")) cause.host_survives = read_fraction(*share).value_or(0.0);
  read_kind(object, cause);
  if (object.field().is_object()) fill_detection(object, context, cause);
  return cause;
}

FailureCause from_catalog(const models::TypicalCause& typical, double rate_sigma) {
  FailureCause cause;
  cause.name = typical.name;
  cause.rate_per_gpu = typical.per_gpu.value();
  cause.rate_sigma = rate_sigma;
  cause.detect = PartTime{typical.detect, 0.0, 0.0};
  cause.repair = typical.repair;
  // a repair of no time means that the node is replaced, which is the wait of its pool
  cause.repair_given = models::mean(typical.repair) > 0.0;
  cause.needs_node = typical.needs_node;
  return cause;
}

std::string cause_text(const models::TypicalCause& cause) {
  std::string text = "{ \"rate\": \"" + format_rounded(cause.per_gpu.value() * 3600.0, 3) +
                     " /GPU-h\", \"detect\": \"" + models::describe_time(cause.detect) + '"';
  if (models::mean(cause.repair) > 0.0) text += ", \"repair\": \"" + models::describe_time(cause.repair) + '"';
  if (!cause.needs_node) text += ", \"needs_node\": false";
  return text + " }";
}

std::string mix_source(const models::TypicalFailures& mix) {
  if (mix.rate_sigma <= 0.0) return mix.source;
  return mix.source + " (rates are uncertain together: log-sd " + format_number(mix.rate_sigma) +
         ", drawn once a trial)";
}

void take_typical(const Field& where, Context& context) {
  const std::vector<const Pool*> gang = gang_of(context.scenario);
  if (gang.empty() || gang.front()->gpu.id.empty()) return;
  const models::TypicalFailures* mix = context.library.catalog().typical_failures(gang.front()->gpu.id);
  if (mix == nullptr) {
    where.fault(
        {"no typical failures are known for the " + gang.front()->gpu.id, "\"none\", or an object with causes", ""});
    return;
  }
  context.scenario.failures_typical = true;
  const std::string source = mix_source(*mix);
  for (const models::TypicalCause& cause : mix->causes) {
    context.scenario.failures.push_back(from_catalog(cause, mix->rate_sigma));
    context.assume({pointer_below("/failures/causes", cause.name), cause_text(cause), mix->grade, source});
  }
}

void read_bad_nodes(const Field& field, Context& context) {
  const Object object{field, known::bad_nodes};
  if (!object.field().is_object()) return;
  const auto share = object.need("share", "a fraction of the nodes"),
             factor = object.need("factor", "a number above 0");
  BadNodes& bad = context.scenario.bad_nodes;
  if (share) bad.share = read_fraction(*share).value_or(0.0);
  if (factor) bad.factor = read_number(*factor, 0.0, largest_factor, true).value_or(1.0);
}

void read_causes(const Field& field, Context& context) {
  const Object object{field, known::failures};
  if (const auto bad = object.find("bad_nodes")) read_bad_nodes(*bad, context);
  const auto causes = object.need("causes", "an object of causes by name");
  if (!causes) return;
  for (const auto& [name, cause] : named_members(*causes, "an object of causes by name")) {
    context.scenario.failures.push_back(read_cause(name, cause, context));
  }
  if (causes->is_object() && causes->node().members.empty()) {
    causes->fault({"no cause is given", "at least one cause, or failures \"none\"", ""});
  }
}

}  // namespace

void read_failures(Context& context) {
  const auto field = context.top.find("failures");
  if (!field) {
    take_typical(context.top.field(), context);
  } else if (field->is_object()) {
    read_causes(*field, context);
  } else if (field->is_text() && field->node().text == "typical") {
    take_typical(*field, context);
  } else if (!field->is_text()) {
    field->wrong_kind(forms);
  } else if (field->node().text != "none") {
    field->fault({"found " + in_quotes(field->node().text), std::string{forms}, ""});
  }
}

}  // namespace fleetcast::scenarios
