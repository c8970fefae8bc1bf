// The fields of the entries that a scenario describes itself.
#include <cmath>

#include "models/units.hpp"
#include "scenarios/library.hpp"

namespace fleetcast::scenarios {
namespace {

void set_count(const Object& object, std::string_view name, CountRange range, std::int64_t& target) {
  const std::optional<Field> field = object.find(name);
  const std::optional<std::uint64_t> value = field ? read_count(*field, range) : std::nullopt;
  if (value) target = static_cast<std::int64_t>(*value);
}

void set_rate(const Object& object, std::string_view name, models::BytesPerSecond& target) {
  const std::optional<Field> field = object.find(name);
  const std::optional<double> value = field ? read_byte_rate(*field) : std::nullopt;
  if (value) target = models::BytesPerSecond{*value};
}

void set_flag(const Object& object, std::string_view name, bool& target) {
  const std::optional<Field> field = object.find(name);
  const std::optional<bool> value = field ? read_flag(*field) : std::nullopt;
  if (value) target = *value;
}

/// Prices of `like` are those of its whole node.
void forget_prices_of_another_machine(const models::InstanceSpec& before, models::InstanceSpec& spec) {
  if (before.gpu == spec.gpu && before.gpus == spec.gpus) return;
  spec.prices.clear();
}

void read_gpu(const Object& object, const Library& library, bool inherits, models::InstanceSpec& spec) {
  const std::optional<Field> field = inherits ? object.find("gpu") : object.need("gpu", "the id of a GPU");
  const models::GpuSpec* gpu = field ? library.gpu(*field) : nullptr;
  if (gpu == nullptr) return;
  if (spec.gpu != gpu->id) spec.intra = gpu->nvlink;
  spec.gpu = gpu->id;
}

/// GPUs per node and how many of them share NVLink: all, unless said otherwise.
void read_gpu_numbers(const Object& object, models::InstanceSpec& spec) {
  if (const auto field = object.find("gpus")) {
    spec.gpus = read_int(*field, {1, 1024}).value_or(spec.gpus);
    spec.domain = spec.gpus;
  }
  if (const auto field = object.find("domain")) spec.domain = read_int(*field, {1, 4096}).value_or(spec.domain);
}

void read_host(const Object& object, models::InstanceSpec& spec) {
  if (const auto field = object.find("vcpus")) {
    const auto vcpus = read_count(*field, {1, 100'000});
    if (vcpus) spec.vcpus = static_cast<double>(*vcpus);
  }
  if (const auto field = object.find("memory")) {
    const auto memory = read_bytes(*field, Zero::refused);
    if (memory) spec.host_memory = models::Bytes{*memory};
  }
}

constexpr CountRange size_range{1, 10'000'000};

void need_size(const Object& object, std::string_view name, bool inherits, std::int64_t& target) {
  if (inherits || object.need(name, "a whole number of at least 1")) set_count(object, name, size_range, target);
}

void read_experts(const Object& object, models::TransformerShape& shape) {
  set_count(object, "experts", {0, 1'000'000}, shape.experts);
  set_count(object, "experts_active", size_range, shape.experts_active);
  set_count(object, "expert_ffn", size_range, shape.expert_ffn);
  set_count(object, "shared_experts", {0, 1'000'000}, shape.shared_experts);
  if (shape.experts == 0) return;
  const bool complete = shape.experts_active > 0 && shape.expert_ffn > 0;
  if (!complete) {
    object.field().fault({"a mixture of experts needs experts_active and expert_ffn",
                          "experts, experts_active and expert_ffn together", ""});
  } else if (shape.experts_active > shape.experts) {
    object.field().fault(
        {std::to_string(shape.experts_active) + " experts are active of only " + std::to_string(shape.experts),
         "at most all of them", ""});
  }
}

/// Heads must share the width evenly, and key-value heads the heads.
void check_heads(const Object& object, const models::TransformerShape& shape) {
  if (shape.heads < 1 || shape.kv_heads < 1 || shape.hidden < 1) return;
  if (shape.head_dim == 0 && shape.hidden % shape.heads != 0) {
    object.field().fault(
        {"hidden " + std::to_string(shape.hidden) + " / heads " + std::to_string(shape.heads) + " is not whole",
         "a width that the heads divide", ""});
  }
  if (shape.heads % shape.kv_heads != 0) {
    object.field().fault(
        {"heads " + std::to_string(shape.heads) + " / kv_heads " + std::to_string(shape.kv_heads) + " is not whole",
         "kv_heads that divide the heads", ""});
  }
}

/// `like` may leave a rest that does not fit what was changed.
void check_layers(const Object& object, const models::TransformerShape& shape) {
  const std::int64_t plain = mlp_layers(shape) - mixture_layers(shape);
  if (mlp_layers(shape) < 0 || plain < 0 || mixture_layers(shape) < 0) {
    object.field().fault({std::to_string(shape.layers) + " layers are fewer than those with attention, state spaces or "
                                                         "a plain MLP in the model that it is like",
                          "a whole model, or more layers", ""});
  } else if (plain > 0 && shape.ffn < 1) {
    object.field().fault({"some layers have a plain MLP, and ffn is missing", "a whole number of at least 1", ""});
  }
}

/// Nominal sizes are rounded ("7B" is 6.74B); a wrong shape is off by far more than this.
constexpr double size_tolerance = 0.10;

void check_parameters(const Object& object, const models::TransformerShape& shape) {
  const std::optional<Field> field = object.find("parameters");
  const auto said = field ? read_count(*field, {1, largest_exact_count}) : std::nullopt;
  if (!said) return;
  const double computed = models::parameters(shape);
  if (std::abs(static_cast<double>(*said) / computed - 1.0) <= size_tolerance) return;
  field->fault({"the shape has " + format_rounded(computed / 1e9, 4) + "B parameters, not " + field->node().text,
                "within 10 % of the shape (is the MLP gated, the embedding tied?)", ""});
}

}  // namespace

void read_fields(const Object& object, const Library& library, bool inherits, models::InstanceSpec& spec) {
  const models::InstanceSpec before = spec;
  read_gpu(object, library, inherits, spec);
  read_gpu_numbers(object, spec);
  set_rate(object, "intra", spec.intra);
  set_rate(object, "inter", spec.inter);
  read_host(object, spec);
  if (inherits) {
    forget_prices_of_another_machine(before, spec);
  } else {
    spec.id = std::to_string(spec.gpus) + " x " + spec.gpu;
  }
}

void read_fields(const Object& object, const Library&, bool inherits, models::TransformerShape& shape) {
  const std::size_t before = object.field().report().count();
  const bool other_heads = object.find("hidden") || object.find("heads");
  if (other_heads) shape.head_dim = 0;
  need_size(object, "layers", inherits, shape.layers);
  need_size(object, "hidden", inherits, shape.hidden);
  need_size(object, "heads", inherits, shape.heads);
  need_size(object, "ffn", inherits, shape.ffn);
  need_size(object, "vocab", inherits, shape.vocab);
  if (!inherits) shape.kv_heads = shape.heads;
  set_count(object, "kv_heads", size_range, shape.kv_heads);
  set_flag(object, "gated", shape.gated);
  set_flag(object, "tied", shape.tied);
  read_experts(object, shape);
  shape.id.clear();
  if (object.field().report().count() > before) return;
  check_heads(object, shape);
  check_layers(object, shape);
  check_parameters(object, shape);
}

void read_fields(const Object& object, const Library&, bool inherits, models::StoreSpec& store) {
  if (const auto kind = object.find("kind")) {
    const std::vector<Choice<std::string>> kinds{{"object", "object"}, {"file", "file"}, {"local", "local"}};
    store.kind = read_choice<std::string>(*kind, kinds).value_or("");
  } else if (!inherits) {
    store.kind = "file";
  }
  if (inherits || object.need("node_rate", "a rate such as \"2 GB/s\"")) set_rate(object, "node_rate", store.node_rate);
  set_rate(object, "aggregate", store.aggregate);
  if (const auto fixed = object.find("fixed")) {
    store.fixed = models::Seconds{read_time(*fixed, Zero::allowed).value_or(0.0)};
  }
  if (const auto price = object.find("per_gb_month")) {
    const auto value = read_with_unit<Price>(*price, "a price", "0.023 USD/GB", parse_price);
    if (value && value->per != Price::Per::gigabyte)
      price->fault({"found " + in_quotes(price->node().text), "a price per month in USD/GB", ""});
    if (value) store.per_gb_month = models::Usd{value->usd};
  }
  if (const auto price = object.find("per_1k_writes"))
    store.per_1k_writes = models::Usd{read_usd(*price).value_or(0.0)};
  if (!inherits) store.source = "given";
}

}  // namespace fleetcast::scenarios
