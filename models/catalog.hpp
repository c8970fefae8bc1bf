#pragma once
// Everything the catalog files say, typed. Read once, then only looked up.
#include <string>
#include <string_view>
#include <vector>

#include "models/compute.hpp"
#include "models/hardware.hpp"
#include "models/measured_speed.hpp"
#include "models/provider.hpp"
#include "models/transformer.hpp"

namespace fleetcast::models {

struct Catalog {
  std::vector<GpuSpec> gpus;
  std::vector<InstanceSpec> instances;
  std::vector<ProviderSpec> providers;
  std::vector<StoreSpec> stores;
  std::vector<TransformerShape> shapes;
  std::vector<TypicalFailures> failures;
  ThroughputCalibration throughput;
  MeasuredSpeedTable measured_speed;

  /// By id (GPUs also by alias); null if there is none.
  [[nodiscard]] const GpuSpec* gpu(std::string_view id) const;
  [[nodiscard]] const InstanceSpec* instance(std::string_view id) const;
  [[nodiscard]] const ProviderSpec* provider(std::string_view id) const;
  [[nodiscard]] const StoreSpec* store(std::string_view id) const;
  [[nodiscard]] const TransformerShape* shape(std::string_view id) const;
  /// The entry for that GPU, or the one for any other.
  [[nodiscard]] const TypicalFailures* typical_failures(std::string_view gpu) const;
};

}  // namespace fleetcast::models
