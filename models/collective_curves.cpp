#include "models/collective_curves.hpp"

#include <algorithm>

#include "models/errors.hpp"
#include "models/random/deterministic_math.hpp"

namespace fleetcast::models {

std::string_view name_of(Fabric fabric) {
  constexpr std::string_view names[] = {
      "PCIe", "NVLink", "NVLink with switches", "NVLink rack", "InfiniBand", "InfiniBand SHARP", "EFA", "Ethernet"};
  return names[static_cast<int>(fabric)];
}

const FabricCurves& CollectiveCalibration::curves(Fabric fabric) const {
  const FabricCurves* const all[] = {&pcie,       &nvlink,           &nvlink_switch, &nvlink_rack,
                                     &infiniband, &infiniband_sharp, &efa,           &ethernet};
  return *all[static_cast<int>(fabric)];
}

double Interconnect::across_rate(int ranks, int nodes) const {
  const double decline = det::pow(std::max(nodes, 2) / 2.0, -across.links.decline);
  return across.links.share * decline * links.inter * ranks;
}

Fabric likely_inside(const Links& links) {
  if (links.intra < 75e9 || links.domain < links.gpus_per_node) return Fabric::pcie;
  if (links.domain > links.gpus_per_node) return Fabric::nvlink_rack;
  return links.intra < 400e9 ? Fabric::nvlink : Fabric::nvlink_switch;
}

Fabric likely_across(const Links& links) {
  const double node = links.inter * links.gpus_per_node;
  if (node >= 100e9) return Fabric::infiniband;
  return node >= 40e9 ? Fabric::efa : Fabric::ethernet;
}

Interconnect interconnect(const Links& links, std::optional<Fabric> across, const CollectiveCalibration& calibration) {
  const bool alone = links.gpus_per_node == 1 && links.domain == 1;
  require(links.gpus_per_node > 0 && links.domain > 0, "a node has GPUs");
  require((links.intra > 0 || alone) && links.inter > 0, "links have rates");
  const Fabric inside = likely_inside(links);
  Links usable = links;
  if (inside == Fabric::pcie) usable.intra = std::min(links.intra, 64e9);
  return {usable, calibration.curves(inside), calibration.curves(across.value_or(likely_across(links))),
          calibration.tree, calibration.message};
}

Interconnect plain_interconnect(double rate, double hop) {
  require(rate > 0 && hop >= 0, "links have rates");
  const FabricCurves curves{{.share = 1, .hop = hop}, {}, Grade::measured};
  return {{.gpus_per_node = 1, .domain = 1, .intra = rate, .inter = rate}, curves, curves, 1, 0};
}

}  // namespace fleetcast::models
