#include "models/measured_speed_law.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "models/random/deterministic_math.hpp"

namespace fleetcast::models {

namespace {

using Of = SpeedFactor::Of;

constexpr double reference_matrix_rate = 312e12;    // dense peak of an A100 in 16 bit
constexpr double reference_memory_rate = 2.039e12;  // A100-80GB

std::optional<Of> width_of(Precision precision) {
  if (precision == Precision::fp32) return Of::fp32;
  if (precision == Precision::tf32) return Of::tf32;
  return bits_of(precision) == 16 ? std::optional{Of::half} : std::nullopt;
}

double factor_of(const SpeedCase& conditions, std::span<const SpeedFactor> factors) {
  for (const SpeedFactor& each : factors)
    if (concerns(each, conditions)) return each.factor.value;
  return 1.0;
}

int count_class(const SpeedCase& each) {
  if (each.at.gpus <= 1) return 0;
  return each.nodes <= 1 ? 1 : 2;
}

double square(double x) {
  return x * x;
}

bool is_half(const SpeedCase& each) {
  return each.width == Of::half;
}

}  // namespace

const GpuSpec* gpu_named(std::string_view name, std::span<const GpuSpec> gpus) {
  const auto found = std::ranges::find_if(gpus, [&](const GpuSpec& gpu) {
    return gpu.id == name || std::ranges::find(gpu.aliases, name) != gpu.aliases.end();
  });
  return found == gpus.end() ? nullptr : &*found;
}

bool concerns(const SpeedFactor& factor, const SpeedCase& conditions) {
  return factor.of == conditions.width && (factor.of == Of::fp32 || factor.generation == conditions.generation);
}

std::optional<SpeedCase> speed_case(const SpeedConditions& at, std::span<const GpuSpec> gpus) {
  const GpuSpec* gpu = gpu_named(at.gpu, gpus);
  const auto width = width_of(at.precision);
  if (!gpu || !width || !gpu->peak(at.precision)) return std::nullopt;
  SpeedCase made;
  made.at = at;
  made.generation = gpu->generation;
  made.width = *width;
  made.at.gpu = gpu->id;
  made.matrix_rate = gpu->peak(at.precision)->value() / reference_matrix_rate;
  made.memory_rate = gpu->memory_rate.value() / reference_memory_rate;
  made.nodes = std::max(1.0, at.gpus / at.gpus_per_node);
  made.batch = at.batch_per_gpu * (at.sequence > 0 ? at.sequence : 1.0);
  return made;
}

std::array<double, 6> parts_of(const SpeedCase& conditions, const SpeedWork& work,
                               std::span<const SpeedFactor> factors) {
  const double kernels = factor_of(conditions, factors);
  const double bytes = is_half(conditions) ? 1.0 : 2.0;
  const bool known = conditions.batch > 0 && work.reference_batch > 0;
  const double steps = known ? work.reference_batch / conditions.batch : 1.0;
  const bool several = conditions.at.gpus > 1;
  return {work.matrix.value / (conditions.matrix_rate * kernels),
          work.memory.value * bytes / conditions.memory_rate,
          work.host.value,
          work.step.value * steps,
          several ? work.several.value : 0.0,
          work.nodes.value * det::log(conditions.nodes) / det::log(2.0)};
}

double log_seconds(const SpeedCase& conditions, const SpeedWork& work, std::span<const SpeedFactor> factors) {
  const auto parts = parts_of(conditions, work, factors);
  return work.level + det::log(std::accumulate(parts.begin(), parts.end(), 0.0));
}

double log_measured(const MeasuredSpeedEntry& row) {
  return -det::log(row.samples_per_s_per_gpu * (row.at.sequence > 0 ? row.at.sequence : 1.0));
}

double shared_variance(const SpeedCase& a, const SpeedCase& b, const SpeedSpread& spread) {
  const bool source = !a.at.source.empty() && a.at.source == b.at.source;
  const bool setup = source && a.at.task == b.at.task && a.at.sequence == b.at.sequence;
  const bool gpu = a.at.gpu == b.at.gpu, width = is_half(a) == is_half(b);
  const bool count = count_class(a) == count_class(b);
  double total = 0.0;
  if (setup) total += square(spread.setup);
  if (gpu) total += square(spread.gpu);
  if (gpu && source) total += square(spread.gpu_source);
  if (width && source) total += square(spread.width_source);
  if (gpu && width) total += square(spread.gpu_width);
  if (setup && width && count) total += square(spread.count);
  if (setup && width && count && gpu) total += square(spread.cell);
  return total;
}

}  // namespace fleetcast::models
