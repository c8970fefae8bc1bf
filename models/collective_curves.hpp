#pragma once
// How fast the links of a gang really are: measured shares of the nominal rate, by kind of fabric and number of nodes.
#include <optional>
#include <string_view>

#include "models/grade.hpp"
#include "models/links.hpp"

namespace fleetcast::models {

enum class Fabric { pcie, nvlink, nvlink_switch, nvlink_rack, infiniband, infiniband_sharp, efa, ethernet };
std::string_view name_of(Fabric fabric);

/// Seconds of a pipelined transfer of V bytes over h hops: h x hop + (sqrt(fill) + sqrt(V / B))^2. The square is the
/// time of a message cut into the best number of chunks; B = share x nominal rate x (nodes / 2)^-decline.
struct LinkCurve {
  double share = 1;    ///< of the nominal rate, reached by the largest messages on at most two nodes, (0, 1]
  double hop = 0;      ///< s, latency of a hop
  double fill = 0;     ///< s, start and filling of the pipeline, once a collective
  double decline = 0;  ///< exponent of the number of nodes, at least 0
};

/// A kind of fabric: point to point, and through switches that add up values on the way, where it has such.
struct FabricCurves {
  LinkCurve links;
  std::optional<LinkCurve> reducing_switch;
  Grade grade = Grade::assumed;
};

/// Fitted on published all-reduce measurements (sources, rows and errors: models/README.md, "Collectives").
struct CollectiveCalibration {
  /// One report: 8 A100 at half the speed of NVLink (InternLM #22); all GPUs share the host's bridges.
  FabricCurves pcie{{.share = 0.2, .hop = 5e-6, .fill = 25e-6}, {}, Grade::assumed};
  /// 8 A100, 32 KiB to 16 GiB; the share also meets the ring on 8 H200.
  FabricCurves nvlink{{.share = 0.835, .hop = 1.2e-6, .fill = 25e-6}, {}, Grade::fitted};
  /// Reduction: 8 H200, 32 KiB to 16 GiB.
  FabricCurves nvlink_switch{{.share = 0.835, .hop = 1.2e-6, .fill = 25e-6},
                             LinkCurve{.share = 0.634, .hop = 15e-6, .fill = 5.5e-6},
                             Grade::fitted};
  /// Reduction: 72 GB200 of a rack, 128 MiB to 32 GiB; the ring as on A100.
  FabricCurves nvlink_rack{{.share = 0.835, .hop = 1.2e-6, .fill = 44e-6},
                           LinkCurve{.share = 0.545, .hop = 15e-6, .fill = 44e-6},
                           Grade::fitted};
  /// 4 to 64 nodes of 8 B200, 2 to 16 GiB; a hop is assumed.
  FabricCurves infiniband{{.share = 0.93, .hop = 10e-6, .fill = 25e-6, .decline = 0.055}, {}, Grade::fitted};
  FabricCurves infiniband_sharp{{.share = 0.93, .hop = 10e-6, .fill = 25e-6, .decline = 0.055},
                                LinkCurve{.share = 0.70, .hop = 10e-6, .fill = 25e-6},
                                Grade::fitted};
  /// 2 to 4 nodes p4d, 1 GiB (NVIDIA/nccl #527); the decline of InfiniBand, which meets them too; a hop is assumed.
  FabricCurves efa{{.share = 0.655, .hop = 15e-6, .fill = 25e-6, .decline = 0.055}, {}, Grade::fitted};
  /// TCP: no measured row; between EFA and a clean wire.
  FabricCurves ethernet{{.share = 0.7, .hop = 40e-6, .fill = 50e-6, .decline = 0.055}, {}, Grade::assumed};
  /// Rate of a tree over more than two nodes to that of a ring; assumed, after the library's own preference.
  double tree = 0.92;
  /// s for each message that a rank sends in an all-to-all; assumed.
  double message = 1e-6;

  [[nodiscard]] const FabricCurves& curves(Fabric fabric) const;
};

/// The links of a gang with what their fabrics make of them.
struct Interconnect {
  Links links;
  FabricCurves inside, across;
  double tree = 0.92, message = 1e-6;

  /// Bytes per second of a GPU inside.
  [[nodiscard]] double inside_rate() const { return inside.links.share * links.intra; }
  /// Bytes per second of a node to the network when `ranks` GPUs of each of `nodes` nodes use their part of it.
  [[nodiscard]] double across_rate(int ranks, int nodes) const;
  /// Worse of the two grades.
  [[nodiscard]] Grade grade() const { return inside.grade > across.grade ? inside.grade : across.grade; }
};

/// Below 75 GB/s, and where NVLink joins only some GPUs of the node, PCIe; a domain wider than a node is a rack; from
/// 400 GB/s on (Hopper) switches reduce.
Fabric likely_inside(const Links& links);
/// By the rate of a node: from 100 GB/s on a fabric like InfiniBand (RoCE and EFA of the H100 age count as such, for
/// want of rows), from 40 GB/s EFA of the A100 age, below Ethernet. Give the fabric where it is known.
Fabric likely_across(const Links& links);

/// `across`: the network where it is known, else likely_across. Throws ContractError for rates that are not positive;
/// a node of one GPU needs none inside. PCIe counts for 64 GB/s at most.
Interconnect interconnect(const Links& links, std::optional<Fabric> across = {},
                          const CollectiveCalibration& calibration = {});
/// A network of which rate and latency are known themselves: GPUs or islands joined by `rate` (B/s) and `hop` (s).
Interconnect plain_interconnect(double rate, double hop);

}  // namespace fleetcast::models
