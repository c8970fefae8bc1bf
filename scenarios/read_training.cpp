#include <algorithm>
#include <array>

#include "scenarios/context.hpp"

namespace fleetcast::scenarios {
namespace {

using models::Optimizer;
using models::Precision;

/// Whether matrix products matter: a step time that was measured as a whole does not ask for them.
bool speed_is_computed(const Workload& workload) {
  return workload.model.has_value() || (workload.measured && !workload.measured->rows.empty());
}

std::vector<std::string> precisions_of(const models::GpuSpec& gpu) {
  std::vector<std::string> names;
  for (const Precision p : models::all_precisions()) {
    if (gpu.peak(p)) names.emplace_back(models::name_of(p));
  }
  return names;
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

void check_precision(const Field& field, const Scenario& scenario) {
  for (const Pool* pool : gang_of(scenario)) {
    if (pool->gpu.id.empty() || pool->gpu.peak(scenario.training.precision)) continue;
    field.fault({"the " + pool->gpu.id + " of pool " + in_quotes(pool->name) + " has no " +
                     std::string{models::name_of(scenario.training.precision)},
                 joined(precisions_of(pool->gpu)), ""});
  }
}

/// bf16 where all GPUs of the gang have it, else fp16 (V100).
Precision default_precision(const Scenario& scenario) {
  const std::vector<const Pool*> gang = gang_of(scenario);
  const auto has_bf16 = [](const Pool* pool) { return pool->gpu.id.empty() || pool->gpu.peak(Precision::bf16); };
  return std::all_of(gang.begin(), gang.end(), has_bf16) ? Precision::bf16 : Precision::fp16;
}

void read_precision(const Object& object, Context& context) {
  Scenario& scenario = context.scenario;
  if (const auto field = object.find("precision")) {
    std::vector<Choice<Precision>> choices;
    for (const Precision p : models::all_precisions()) choices.push_back({models::name_of(p), p});
    const std::optional<Precision> precision = read_choice(*field, choices);
    if (!precision) return;
    scenario.training.precision = *precision;
    check_precision(*field, scenario);
    return;
  }
  scenario.training.precision = default_precision(scenario);
  if (!speed_is_computed(scenario.workload)) return;
  context.assume_default(object.pointer("precision"), std::string{models::name_of(scenario.training.precision)});
  check_precision(object.field(), scenario);
}

void read_degree(const Object& object, std::string_view name, std::optional<int>& target) {
  if (const auto field = object.find(name)) target = read_int(*field, {1, 1'000'000});
}

void read_parallelism_object(const Field& field, Context& context) {
  const Object object{field, known::parallelism};
  Parallelism& layout = context.scenario.training.parallelism;
  read_degree(object, "tensor", layout.tensor);
  read_degree(object, "pipeline", layout.pipeline);
  read_degree(object, "virtual", layout.virtual_stages);
  read_degree(object, "context", layout.context);
  read_degree(object, "expert", layout.expert);
  layout.automatic = !layout.tensor && !layout.pipeline && !layout.context && !layout.expert;
  if (const auto flag = object.find("sequence_parallel")) layout.sequence_parallel = read_flag(*flag);
  if (const auto sharding = object.find("sharding")) {
    const std::vector<Choice<Sharding>> choices{{"none", Sharding::none},   {"zero1", Sharding::zero1},
                                                {"zero2", Sharding::zero2}, {"zero3", Sharding::zero3},
                                                {"fsdp", Sharding::zero3},  {"hsdp", Sharding::hsdp}};
    layout.sharding = read_choice(*sharding, choices);
  } else {
    context.assume_default(object.pointer("sharding"), "zero1");
  }
}

bool is_word(const Field& field, std::string_view word) {
  return field.is_text() && field.node().text == word;
}

void read_parallelism(const Object& object, Context& context) {
  const auto field = object.find("parallelism");
  if (!field) {
    if (context.scenario.workload.model) context.assume_default(object.pointer("parallelism"), "auto");
  } else if (field->is_text() && !is_word(*field, "auto")) {
    field->fault({"found " + in_quotes(field->node().text), "\"auto\", or an object such as { \"tensor\": 8 }", ""});
  } else if (!is_word(*field, "auto")) {
    read_parallelism_object(*field, context);
  }
}

void read_batch_parts(const Object& object, Context& context) {
  Training& training = context.scenario.training;
  const auto micro = object.find("micro_batch");
  if (micro && micro->is_text() && !is_word(*micro, "auto") && !number_length(trimmed(micro->node().text))) {
    micro->fault({"found " + in_quotes(micro->node().text), "a count of samples, or \"auto\"", ""});
  } else if (micro && !is_word(*micro, "auto")) {
    training.micro_batch = read_int(*micro, {1, 100'000});
  }
  if (const auto field = object.find("accumulation")) training.accumulation = read_int(*field, {1, 100'000});
  if (!micro && context.scenario.workload.model) context.assume_default(object.pointer("micro_batch"), "auto");
}

void read_recompute(const Object& object, Context& context) {
  const std::vector<Choice<Recompute>> choices{
      {"none", Recompute::none}, {"selective", Recompute::selective}, {"full", Recompute::full}};
  if (const auto field = object.find("recompute")) {
    context.scenario.training.recompute = read_choice(*field, choices);
  } else if (context.scenario.workload.model) {
    context.assume_default(object.pointer("recompute"), "selective");
  }
}

void read_optimizer(const Object& object, Context& context) {
  const std::vector<Choice<Optimizer>> choices{
      {"adamw", Optimizer::adamw},         {"adamw-bf16", Optimizer::adamw_bf16},
      {"adam8bit", Optimizer::adam8bit},   {"paged-adamw", Optimizer::paged_adamw},
      {"adafactor", Optimizer::adafactor}, {"sgd", Optimizer::sgd}};
  if (const auto field = object.find("optimizer")) {
    context.scenario.training.optimizer = read_choice(*field, choices).value_or(Optimizer::adamw);
  } else if (context.scenario.workload.model) {
    context.assume_default(object.pointer("optimizer"), "adamw");
  }
}

constexpr std::string_view speed_example = "21.6 s/step";
constexpr std::string_view speed_forms =
    "\"model\", or a measurement such as \"21.6 s/step\", \"0.40 MFU\", \"0.40 MFU-6ND\", \"3700 tokens/s/GPU\"";

/// A share of the peak is above 0 and at most 1.
void check_utilisation(const Field& field, const Speed& speed, std::string_view unit) {
  if (speed.value > 0.0 && speed.value <= 1.0) return;
  const bool percents = speed.value >= 2.0 && speed.value <= 100.0;
  field.fault({"found " + in_quotes(field.node().text) + (percents ? ", which looks like percent" : ""),
               "a fraction above 0 up to 1",
               percents ? format_fixed(speed.value / 100.0, 2) + ' ' + std::string{unit} : ""});
}

void read_measured_speed(const Field& field, Speed& speed) {
  static const std::vector<std::string_view> units{"s/step", "ms/step", "min/step", "MFU", "MFU-6ND", "tokens/s/GPU"};
  static constexpr std::array<double, 3> seconds{1.0, 1e-3, 60.0};
  const Parsed<NumberOf> parsed = parse_number_of(field.node().text, units, "a speed", speed_example);
  if (!parsed.value) {
    field.fault({parsed.problem.found, std::string{speed_forms}, parsed.problem.nearest});
    return;
  }
  const std::size_t unit = parsed.value->unit;
  speed.value = parsed.value->value;
  if (unit < seconds.size()) {
    speed = {Speed::Kind::step_time, speed.value * seconds[unit]};
  } else if (unit == 5) {
    speed.kind = Speed::Kind::tokens_per_s_per_gpu;
  } else {
    speed.kind = unit == 3 ? Speed::Kind::mfu : Speed::Kind::mfu_6nd;
    check_utilisation(field, speed, units[unit]);
    return;
  }
  if (!(speed.value > 0.0)) field.fault({"found " + in_quotes(field.node().text), "more than 0", ""});
}

/// A speed per token or per FLOP needs to know tokens or FLOPs, and two measurements of one thing contradict.
void check_speed_fits(const Field& field, const Context& context) {
  const Workload& workload = context.scenario.workload;
  const Speed::Kind kind = context.scenario.training.speed.kind;
  const bool of_flops = kind == Speed::Kind::mfu || kind == Speed::Kind::mfu_6nd;
  if (of_flops && !workload.model) {
    field.fault({"found " + in_quotes(field.node().text) + ", but the workload has no model to count FLOPs of",
                 "a workload.model, or a speed in s/step", ""});
  }
  if (deepest(context.top.field(), {"workload", "measured"}).pointer() == "/workload/measured") {
    field.fault({"training.speed and workload.measured both say how fast a step is", "one of them", ""});
  }
  if (kind == Speed::Kind::tokens_per_s_per_gpu && !workload.model && !workload.global_batch) {
    field.fault({"found " + in_quotes(field.node().text) + ", but the tokens of a step are not known",
                 "a workload.global_batch, or a speed in s/step", ""});
  }
}

void read_speed(const Object& object, Context& context) {
  const auto field = object.find("speed");
  if (!field) {
    if (context.scenario.workload.model) context.assume_default(object.pointer("speed"), "model");
    return;
  }
  if (!expect_unit_text(*field, "a speed", speed_example) || is_word(*field, "model")) return;
  const std::size_t before = context.report().count();
  read_measured_speed(*field, context.scenario.training.speed);
  if (context.report().count() == before) check_speed_fits(*field, context);
}

void read_jitter(const Object& object, Context& context) {
  if (const auto field = object.find("jitter")) {
    context.scenario.training.jitter = read_number(*field, 0.0, 2.0).value_or(0.03);
  } else {
    context.assume_default(object.pointer("jitter"), "0.03");
  }
}

}  // namespace

void read_training(Context& context) {
  const Section section{context, "training", known::training};
  const Object& object = section.object;
  read_precision(object, context);
  read_parallelism(object, context);
  read_batch_parts(object, context);
  read_recompute(object, context);
  read_optimizer(object, context);
  read_speed(object, context);
  read_jitter(object, context);
  read_levers(object, context);
}

}  // namespace fleetcast::scenarios
