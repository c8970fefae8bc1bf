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

}  // namespace

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
  const auto found =
      std::find_if(peaks.begin(), peaks.end(), [&](const Peak& peak) { return peak.precision == precision; });
  if (found == peaks.end()) return std::nullopt;
  return found->dense;
}

}  // namespace fleetcast::models
