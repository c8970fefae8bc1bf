// Fields of training about memory, communication and software.
#include <array>

#include "scenarios/context.hpp"
#include "scenarios/nearest_name.hpp"

namespace fleetcast::scenarios {
namespace {

constexpr double largest_factor = 1000.0;
constexpr CountRange software_years{2017, 2050};
constexpr std::string_view software_forms = "a year such as 2025, or megatron, pytorch or jax with or without a year";

void read_gradient_sync(const Object& object, Training& training) {
  if (const auto field = object.find("gradient_sync"))
    training.gradient_sync = read_choice<GradientSync>(*field, {{"once", GradientSync::once},
                                                                {"reduce-scatter", GradientSync::reduce_scatter},
                                                                {"every", GradientSync::every}});
}

void read_offload(const Object& object, Context& context) {
  const auto field = object.find("offload");
  if (!field) return;
  const auto offload =
      read_choice<Offload>(*field, {{"none", Offload::none}, {"optimizer", Offload::optimizer}, {"all", Offload::all}});
  if (!offload) return;
  context.scenario.training.offload = *offload;
  if (*offload != Offload::none && !context.scenario.workload.model)
    field->fault({"found " + in_quotes(field->node().text) + ", but the workload has no model that says what is moved",
                  "a workload.model, or \"none\"", ""});
}

void read_imbalance(const Object& object, Context& context) {
  const auto& model = context.scenario.workload.model;
  const bool has_experts = model && model->experts > 0;
  if (const auto field = object.find("imbalance")) {
    context.scenario.training.imbalance = read_number(*field, 1.0, largest_factor).value_or(1.1);
    if (model && !has_experts) context.warn("training.imbalance has no effect: the model has no experts");
  } else if (has_experts) {
    context.assume_default(object.pointer("imbalance"), "1.1");
  }
}

void read_memory(const Object& object, Training& training) {
  if (const auto field = object.find("activation_compression"))
    training.activation_compression = read_number(*field, 1.0, largest_factor).value_or(1.0);
  if (const auto field = object.find("memory_limit")) {
    const auto limit = read_bytes(*field, Zero::refused);
    if (limit) training.memory_limit = Bytes{*limit};
  }
}

void warn_of_memory_limit(Context& context) {
  const auto& limit = context.scenario.training.memory_limit;
  if (!limit) return;
  for (const Pool* pool : gang_of(context.scenario)) {
    const double memory = pool->gpu.memory.value();
    if (memory <= 0.0 || limit->value() <= memory) continue;
    context.warn("training.memory_limit of " + format_rounded(limit->value() / 1e9, 4) + " GB is above the " +
                 format_rounded(memory / 1e9, 4) + " GB of the " + pool->gpu.id + " of pool " + in_quotes(pool->name));
  }
}

/// "megatron 2025" as its two words; the second may be empty.
std::pair<std::string_view, std::string_view> kind_and_year(std::string_view text) {
  text = trimmed(text);
  const std::size_t blank = text.find(' ');
  if (blank == std::string_view::npos) return {text, {}};
  return {text.substr(0, blank), trimmed(text.substr(blank))};
}

std::optional<Software::Kind> software_kind(std::string_view word) {
  if (word == "megatron") return Software::Kind::tuned;
  if (word == "pytorch") return Software::Kind::pytorch;
  if (word == "jax") return Software::Kind::jax;
  return std::nullopt;
}

std::optional<int> software_year(std::string_view digits) {
  const auto year = parse_count(digits);
  if (!year.value || *year.value < software_years.low || *year.value > software_years.high) return std::nullopt;
  return static_cast<int>(*year.value);
}

void read_software_text(const Field& field, Software& software) {
  const auto [word, digits] = kind_and_year(field.node().text);
  const auto kind = software_kind(word);
  software.year = software_year(digits);
  if (!kind) {
    field.fault({"found " + in_quotes(field.node().text), std::string{software_forms},
                 nearest_name(word, {"megatron", "pytorch", "jax"})});
  } else if (!digits.empty() && !software.year) {
    field.fault({"found the year " + in_quotes(digits),
                 std::to_string(software_years.low) + " to " + std::to_string(software_years.high), ""});
  } else {
    software.kind = *kind;
  }
}

void read_software(const Object& object, Context& context) {
  const auto field = object.find("software");
  const Training& training = context.scenario.training;
  if (!field) {
    if (context.scenario.workload.model && training.speed.kind == Speed::Kind::model)
      context.assume_default(object.pointer("software"), "of unknown kind, newest calibrated year");
  } else if (field->is_text() && !number_length(trimmed(field->node().text))) {
    read_software_text(*field, context.scenario.training.software);
  } else {
    context.scenario.training.software.year = read_int(*field, software_years);
  }
}

std::optional<models::Precision> read_exchange_precision(const Field& field) {
  std::vector<Choice<models::Precision>> choices;
  for (const models::Precision precision : models::all_precisions()) choices.push_back({name_of(precision), precision});
  choices.push_back({"int8", models::Precision::fp8});
  return read_choice(field, choices);
}

/// Something must be exchanged: a model's gradients, or measured ones.
void check_gradients(const Field& field, const Workload& workload) {
  const auto& measured = workload.measured;
  if (workload.model || (measured && (measured->exchange || measured->gradients.value() > 0.0))) return;
  field.fault({"local steps without gradients that are exchanged",
               "a workload.model, or workload.measured with "
               "exchange or gradients",
               ""});
}

void read_local_steps(const Object& object, Context& context) {
  const auto field = object.find("exchange");
  if (!field) return;
  const Object exchange{*field, known::local_steps};
  LocalSteps local;
  const auto every = exchange.need("every", "a span such as \"100 steps\" or \"5 min\"");
  const auto span = every ? read_with_unit<StepsOrSeconds>(*every, "a span", "100 steps", parse_span)
                          : std::optional<StepsOrSeconds>{};
  if (span) local.every = Span{span->in_steps, span->value};
  if (const auto precision = exchange.find("precision")) local.precision = read_exchange_precision(*precision);
  check_gradients(*field, context.scenario.workload);
  context.scenario.training.exchange = local;
}

}  // namespace

void read_levers(const Object& training, Context& context) {
  read_gradient_sync(training, context.scenario.training);
  if (const auto field = training.find("overlap")) context.scenario.training.overlap = read_fraction(*field);
  read_imbalance(training, context);
  read_offload(training, context);
  read_memory(training, context.scenario.training);
  warn_of_memory_limit(context);
  read_software(training, context);
  read_local_steps(training, context);
}

}  // namespace fleetcast::scenarios
