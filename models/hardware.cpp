#include "models/hardware.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace fleetcast::models {

namespace {

constexpr std::array<std::pair<Precision, std::string_view>, 8> precision_names{{
    {Precision::fp32, "fp32"},
    {Precision::tf32, "tf32"},
    {Precision::fp16, "fp16"},
    {Precision::bf16, "bf16"},
    {Precision::fp8, "fp8"},
    {Precision::mxfp8, "mxfp8"},
    {Precision::mxfp4, "mxfp4"},
    {Precision::nvfp4, "nvfp4"},
}};

std::optional<FlopsPerSecond> rate_in(const std::vector<Peak>& rates, Precision precision) {
  const auto found = std::ranges::find(rates, precision, &Peak::precision);
  if (found == rates.end()) return std::nullopt;
  return found->dense;
}

/// Of large matrix products in the peak: A100 271 of 312 and H100 795 of 989 TFLOP/s in 16 bit, H100 1403 of 1979,
/// B200 3433 of 4500 in FP8 (stas00/ml-engineering).
double usual_share(Precision precision) {
  const int bits = bits_of(precision);
  return bits == 32 ? 0.87 : bits == 16 ? 0.80 : 0.72;
}

}  // namespace

int bits_of(Precision precision) {
  switch (precision) {
    case Precision::fp32:
    case Precision::tf32:
      return 32;
    case Precision::fp16:
    case Precision::bf16:
      return 16;
    case Precision::fp8:
    case Precision::mxfp8:
      return 8;
    case Precision::mxfp4:
    case Precision::nvfp4:
      return 4;
  }
  return 16;
}

std::string_view name_of(Precision precision) {
  for (const auto& [value, name] : precision_names)
    if (value == precision) return name;
  return "bf16";
}

std::optional<Precision> precision_from(std::string_view name) {
  for (const auto& [value, text] : precision_names)
    if (text == name) return value;
  return std::nullopt;
}

const std::vector<Precision>& all_precisions() {
  static const std::vector<Precision> all = [] {
    std::vector<Precision> values;
    for (const auto& [value, name] : precision_names) values.push_back(value);
    return values;
  }();
  return all;
}

std::optional<FlopsPerSecond> GpuSpec::peak(Precision precision) const {
  return rate_in(peaks, precision);
}

std::optional<FlopsPerSecond> GpuSpec::ceiling(Precision precision) const {
  if (const auto measured = rate_in(ceilings, precision)) return measured;
  const auto dense = peak(precision);
  if (!dense) return std::nullopt;
  return FlopsPerSecond{usual_share(precision) * dense->value()};
}

}  // namespace fleetcast::models
