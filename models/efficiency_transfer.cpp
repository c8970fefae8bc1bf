#include "models/efficiency_transfer.hpp"

#include <algorithm>
#include <cmath>

#include "models/random/deterministic_math.hpp"

namespace fleetcast::models {

namespace {

/// Bits of a value on its way to the matrix unit, shared scales included.
double bits(Precision precision) {
  switch (precision) {
    case Precision::fp32:
      return 32.0;
    case Precision::tf32:
      return 19.0;
    case Precision::fp16:
    case Precision::bf16:
      return 16.0;
    case Precision::fp8:
      return 8.0;
    case Precision::mxfp8:
      return 8.25;
    case Precision::nvfp4:
      return 4.5;
    case Precision::mxfp4:
      return 4.25;
  }
  return 16.0;
}

/// Bytes of the values that memory-bound work moves: FP8 and FP4 runs keep norms, attention and residuals in 16 bit.
double bytes_moved(Precision precision) {
  return precision == Precision::fp32 || precision == Precision::tf32 ? 4.0 : 2.0;
}

/// Share of the dense peak that large matrix products reach: measured 0.87 (A100) and 0.80 (H100) in 16 bit, 0.71
/// (H100) and 0.76 (B200) in FP8; FP32 and FP4 without a measurement, taken as 0.9 and as FP8.
double ceiling(Precision precision) {
  if (precision == Precision::fp32) return 0.9;
  return bits(precision) > 9.0 ? 0.87 : 0.75;
}

double ratio_of_peaks(const EfficiencyQuestion& question, const EfficiencyCell& from) {
  return question.gpu.peak(question.precision).value_or(from.peak).value() / from.peak.value();
}

}  // namespace

double precision_distance(Precision a, Precision b) {
  return 0.7 * std::abs(det::log(bits(a) / bits(b))) / det::log(2.0);
}

double gpu_distance(const GpuSpec& gpu, const EfficiencyCell& cell) {
  if (gpu.id == cell.gpu) return 0.0;
  const auto peak = gpu.peak(cell.precision);
  // A GPU without the cell's precision is compared by memory rate alone, and pushed away.
  const double by_peak = peak ? std::abs(det::log(peak->value() / cell.peak.value())) : 1.0;
  // Even twins on paper differ in clocks and links.
  return 0.1 + by_peak + std::abs(det::log(gpu.memory_rate.value() / cell.memory_rate.value()));
}

double transferred_efficiency(const EfficiencyQuestion& question, const EfficiencyCell& from, double efficiency) {
  // A measured step above the ceiling leaves a twentieth for the rest rather than less than nothing.
  const double rest = std::max(1.0 / efficiency - 1.0 / ceiling(from.precision), 0.05);
  const double slower = ratio_of_peaks(question, from) * (from.memory_rate.value() / question.gpu.memory_rate.value()) *
                        (bytes_moved(question.precision) / bytes_moved(from.precision));
  return 1.0 / (1.0 / ceiling(question.precision) + rest * slower);
}

double transfer_spread(const EfficiencyQuestion& question, const EfficiencyCell& from) {
  const double distance = gpu_distance(question.gpu, from) + precision_distance(question.precision, from.precision);
  return 0.12 + 0.12 * distance;
}

}  // namespace fleetcast::models
