#pragma once
// What joins the GPUs of a gang.
namespace fleetcast::models {

/// Nominal rates in bytes per second and direction, for each GPU.
struct Links {
  int gpus_per_node = 8;
  int domain = 8;        ///< GPUs that share the fast link (NVLink); 72 in a GB200 rack
  double intra = 450e9;  ///< inside the domain (half of what data sheets print, which is both directions)
  double inter = 50e9;   ///< to the network: rate of the node / GPUs of the node
};

}  // namespace fleetcast::models
