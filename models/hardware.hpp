#pragma once
// GPUs and the machines that hold them, as the catalog gives them.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/units.hpp"

namespace fleetcast::models {

/// Number format of the matrix products.
enum class Precision { fp32, tf32, fp16, bf16, fp8, mxfp8, mxfp4, nvfp4 };
std::string_view name_of(Precision precision);
/// Bits of a value in matrix products: 32, 16, 8 or 4 (TF32 moves 32).
int bits_of(Precision precision);
std::optional<Precision> precision_from(std::string_view name);
const std::vector<Precision>& all_precisions();

/// Where a catalog figure comes from.
struct Provenance {
  std::string source;
  std::string date;   ///< of the source, as it gives it
  std::string check;  ///< checked, part, recalled ...: how far the figure was verified
};

struct Peak {
  Precision precision = Precision::bf16;
  FlopsPerSecond dense;  ///< dense tensor-core rate of the data sheet (FP32: the plain rate)
};

/// Kernels are written for a generation: what the calibration knows is by generation, scaled by each GPU's own rates.
enum class Generation { volta, ampere, hopper, blackwell };

struct GpuSpec {
  std::string id;                    ///< "H100"
  std::vector<std::string> aliases;  ///< other spellings in catalogs and measurements, e.g. "H100-SXM"
  std::vector<Peak> peaks;           ///< what it can do natively; MX formats have their own entry
  std::vector<Peak> ceilings;        ///< measured rate of large matrix products, where somebody measured it
  Generation generation = Generation::ampere;
  Bytes memory;
  BytesPerSecond memory_rate;
  BytesPerSecond nvlink;  ///< both directions together; 0 where there is none
  double power_w = 0.0;
  Provenance provenance;

  /// Dense peak of that precision, or nothing if the GPU does not have it.
  [[nodiscard]] std::optional<FlopsPerSecond> peak(Precision precision) const;
  /// Rate that large matrix products reach: measured, or a usual share of the peak (0.80 in 16 bit, 0.72 in 8 and
  /// 4 bit, 0.87 in FP32 and TF32). Nothing if the GPU does not have the precision.
  [[nodiscard]] std::optional<FlopsPerSecond> ceiling(Precision precision) const;
};

/// One dated price of one place. An absent price is unknown, never zero.
struct PriceEntry {
  std::string region;
  std::string zone;  ///< empty: the whole region
  std::optional<UsdPerNodeHour> on_demand;
  std::optional<UsdPerNodeHour> spot;
  bool spot_gives_discount = true;  ///< false where spot equals on-demand: mostly no capacity
  std::string date;
  std::string source;
  std::string note;
};

struct InstanceSpec {
  std::string id;        ///< "aws/p5.48xlarge"
  std::string provider;  ///< "aws"; empty for an instance described in the scenario
  std::string gpu;       ///< id of a GpuSpec
  int gpus = 8;          ///< per node, at least 1
  int domain = 8;        ///< GPUs that share NVLink (72 for a GB200 rack)
  double vcpus = 0.0;
  Bytes host_memory;
  BytesPerSecond intra;  ///< per GPU inside the node, both directions
  BytesPerSecond inter;  ///< per node to the network, one direction
  Bytes nvme;            ///< local disk, 0 where there is none
  BytesPerSecond nvme_rate;
  std::vector<PriceEntry> prices;
  Provenance provenance;
};

}  // namespace fleetcast::models
