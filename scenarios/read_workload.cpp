#include <array>

#include "scenarios/context.hpp"

namespace fleetcast::scenarios {
namespace {

constexpr std::string_view amount_list = "exactly one of tokens, samples, steps (counts) or work (a time)";

struct AmountField {
  std::string_view name;
  Amount::Kind kind;
};
constexpr std::array<AmountField, 4> amount_fields{{{"tokens", Amount::Kind::tokens},
                                                    {"samples", Amount::Kind::samples},
                                                    {"steps", Amount::Kind::steps},
                                                    {"work", Amount::Kind::work}}};

void read_one_amount(const AmountField& which, const Field& field, Amount& amount) {
  amount.kind = which.kind;
  if (which.kind == Amount::Kind::work) {
    amount.work = models::Seconds{read_time(field, Zero::refused).value_or(0.0)};
  } else {
    amount.count = static_cast<double>(read_count(field, {1, largest_exact_count}).value_or(0));
  }
}

void read_amount(const Object& object, Amount& amount) {
  std::string first;
  for (const AmountField& which : amount_fields) {
    const std::optional<Field> field = object.find(which.name);
    if (!field) continue;
    if (!first.empty()) {
      field->fault({"several amounts: " + first + " and " + std::string{which.name}, std::string{amount_list}, ""});
      continue;
    }
    first = which.name;
    read_one_amount(which, *field, amount);
  }
  if (first.empty() && object.field().is_object())
    object.field().fault({"no amount of training is given", std::string{amount_list}, ""});
}

MeasuredSpeedRow read_row(const Field& field, const Library& library) {
  const Object object{field, known::measured_row};
  MeasuredSpeedRow row;
  if (const auto gpu = object.need("gpu", "the id of a GPU")) {
    const models::GpuSpec* spec = library.gpu(*gpu);
    if (spec != nullptr) row.gpu = spec->id;
  }
  if (const auto precision = object.need("precision", "the number format of the matrix products")) {
    std::vector<Choice<models::Precision>> choices;
    for (const models::Precision p : models::all_precisions()) choices.push_back({models::name_of(p), p});
    row.precision = read_choice(*precision, choices).value_or(row.precision);
  }
  if (const auto gpus = object.need("gpus", "a count")) row.gpus = read_int(*gpus, {1, 10'000'000}).value_or(0);
  if (const auto speed = object.need("samples_per_s_per_gpu", "a number above 0")) {
    row.samples_per_s_per_gpu = read_number(*speed, 0.0, 1e12, true).value_or(0.0);
  }
  return row;
}

void read_rows(const Field& field, const Library& library, MeasuredWorkload& measured) {
  if (field.node().kind != Node::Kind::list || field.node().items.empty()) {
    field.wrong_kind("a list of at least one object with gpu, precision, gpus and samples_per_s_per_gpu");
    return;
  }
  for (std::size_t i = 0; i < field.node().items.size(); ++i) {
    measured.rows.push_back(read_row(field.item(i), library));
  }
}

constexpr RandomRules above_zero{false, false, false};

void read_step_time(const Object& object, Context& context, MeasuredWorkload& measured) {
  const std::optional<Field> step = object.find("step_time"), exchange = object.find("exchange"),
                             rows = object.find("rows");
  if (step) measured.step_time = read_random_time(*step, above_zero);
  if (exchange) measured.exchange = read_random_time(*exchange, {});
  if (rows) read_rows(*rows, context.library, measured);
  if (rows && (step || exchange)) {
    rows->fault({"rows and " + std::string{step ? "step_time" : "exchange"} + " contradict each other",
                 "either measured rows, or step_time and exchange", ""});
  }
  if (step || rows) return;
  measured.step_time = models::Constant{1.0};
  context.assume_default(object.pointer("step_time"), "1 s");
}

void read_measured_sizes(const Object& object, MeasuredWorkload& measured) {
  if (const auto state = object.find("state"))
    measured.state = models::Bytes{read_bytes(*state, Zero::allowed).value_or(0.0)};
  if (const auto gradients = object.find("gradients")) {
    measured.gradients = models::Bytes{read_bytes(*gradients, Zero::allowed).value_or(0.0)};
  }
}

/// The network model needs the bytes of an exchange, and a step that they are a part of.
void check_network_scaling(const Field& scaling, const Object& object, const MeasuredWorkload& measured) {
  if (!(measured.gradients.value() > 0.0))
    scaling.fault({"\"network\" needs to know what is exchanged", "gradients of more than 0 bytes", ""});
  if (!object.find("step_time") && !object.find("exchange") && measured.rows.empty())
    scaling.fault(
        {"\"network\" needs a measured step_time, exchange or rows", "step_time, exchange, rows, or \"linear\"", ""});
}

void read_measured(const Field& field, Context& context) {
  const Object object{field, known::measured};
  MeasuredWorkload measured;
  read_step_time(object, context, measured);
  read_measured_sizes(object, measured);
  if (const auto scaling = object.find("scaling")) {
    const std::vector<Choice<MeasuredWorkload::Scaling>> choices{{"none", MeasuredWorkload::Scaling::none},
                                                                 {"linear", MeasuredWorkload::Scaling::linear},
                                                                 {"network", MeasuredWorkload::Scaling::network}};
    measured.scaling = read_choice(*scaling, choices).value_or(measured.scaling);
    if (measured.scaling == MeasuredWorkload::Scaling::network) check_network_scaling(*scaling, object, measured);
  } else if (!measured.rows.empty()) {
    context.assume_default(object.pointer("scaling"), "none");
  }
  context.scenario.workload.measured = measured;
}

void read_global_batch(const Field& field, Workload& workload) {
  const auto parse = [](std::string_view text) { return parse_count_of(text, "tokens", "samples"); };
  const auto batch = read_with_unit<CountOf>(field, "a count of tokens or samples", "4Mi tokens", parse);
  if (!batch) return;
  if (batch->count > largest_exact_count) {
    field.fault({"found " + in_quotes(field.node().text), "at most 2^53", ""});
    return;
  }
  workload.global_batch = GlobalBatch{batch->unit == "tokens" ? GlobalBatch::Unit::tokens : GlobalBatch::Unit::samples,
                                      static_cast<double>(batch->count)};
}

void read_sequence_length(const Object& object, Context& context) {
  Workload& workload = context.scenario.workload;
  if (const auto field = object.find("sequence_length")) {
    const auto length = read_count(*field, {1, 1'000'000'000});
    if (length) workload.sequence_length = static_cast<double>(*length);
    return;
  }
  if (!workload.model) return;
  if (workload.model->sequence_length > 0) {
    workload.sequence_length = static_cast<double>(workload.model->sequence_length);
    context.assume({object.pointer("sequence_length"), std::to_string(workload.model->sequence_length),
                    models::Grade::assumed, "the model's pre-training default; " + workload.model->source});
  } else {
    object.need("sequence_length", "tokens per sample: the shape does not say");
  }
}

/// Tokens or samples of something measured become steps only with a batch.
void check_measured_amount(const Object& object, const Workload& workload) {
  if (!workload.measured) return;
  const bool counted = workload.amount.kind == Amount::Kind::tokens || workload.amount.kind == Amount::Kind::samples;
  const bool by_rows = !workload.measured->rows.empty();
  if (!object.find("global_batch") && (counted || by_rows)) {
    object.need("global_batch", by_rows ? "samples per step: measured rows are in samples"
                                        : "tokens or samples per step: the amount is in them");
    return;
  }
  if (!workload.global_batch || object.find("sequence_length")) return;
  const bool batch_in_tokens = workload.global_batch->unit == GlobalBatch::Unit::tokens;
  const bool mixed = (workload.amount.kind == Amount::Kind::tokens && !batch_in_tokens) ||
                     (workload.amount.kind == Amount::Kind::samples && batch_in_tokens) || (by_rows && batch_in_tokens);
  if (mixed) object.need("sequence_length", "tokens per sample: tokens and samples are both used");
}

bool speed_is_given(const Context& context) {
  const Field speed = deepest(context.top.field(), {"training", "speed"});
  return speed.pointer() == "/training/speed" && speed.node().text != "model";
}

void read_what(const Object& object, Context& context) {
  Workload& workload = context.scenario.workload;
  const std::optional<Field> model = object.find("model"), measured = object.find("measured");
  if (model) workload.model = context.library.shape(*model);
  if (measured) read_measured(*measured, context);
  if (model && measured) {
    measured->fault({"model and measured contradict each other", "either a transformer, or what was measured", ""});
  }
  if (model || measured || !object.field().is_object()) return;
  if (object.find("work")) {
    if (speed_is_given(context)) return;
    workload.measured = MeasuredWorkload{};
    workload.measured->step_time = models::Constant{1.0};
    context.assume_default(pointer_below(object.pointer("measured"), "step_time"), "1 s");
  } else {
    object.field().fault({"neither model nor measured is given", "a model, measured, or work (a time)", ""});
  }
}

}  // namespace

void read_workload(Context& context) {
  const std::optional<Field> field = context.top.need("workload", "an object: what to train");
  if (!field) return;
  const Object object{*field, known::workload};
  const std::size_t before = context.report().count();
  read_amount(object, context.scenario.workload.amount);
  read_what(object, context);
  read_sequence_length(object, context);
  if (const auto batch = object.find("global_batch")) read_global_batch(*batch, context.scenario.workload);
  if (context.report().count() == before) check_measured_amount(object, context.scenario.workload);
}

}  // namespace fleetcast::scenarios
