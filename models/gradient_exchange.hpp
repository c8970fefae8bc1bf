#pragma once
// What data-parallel replicas exchange in an optimiser step, and how much of it the computation hides.
#include <optional>
#include <string>

#include "models/collective.hpp"
#include "models/layout.hpp"

namespace fleetcast::models {

/// What one GPU holds of the model and how its values travel.
struct ExchangeVolume {
  double parameters = 0;         ///< shared by all replicas: model / (tensor x pipeline) without routed experts
  double expert_parameters = 0;  ///< routed experts': of the model / (tensor x pipeline x expert)
  double gradient_bytes = 2;     ///< per value: 2 in BF16, 4 in FP32
  double weight_bytes = 2;       ///< per value, where weights are gathered
  int buckets = 32;  ///< pieces that a sweep over the model is cut into (layers, gradient buckets), at least 1
};

/// The computation that an exchange can hide behind.
struct OverlapWindow {
  double compute = 0;  ///< s of computing in a step, all micro-batches; two thirds are the backward pass
  std::optional<double> fraction = {};  ///< of the exchange that can hide, [0, 1]; absent: the fitted joining law
};

struct GradientExchange {
  double bytes_per_step = 0;       ///< that a GPU sends
  double seconds_per_step = 0;     ///< all of it, alone on the links
  double hidden = 0, exposed = 0;  ///< of these seconds
  int collectives = 0;             ///< calls of the communication library in a step
  std::string bound;               ///< what the larger part of the time hangs on (name_of(Bound))
};

/// Gradients (and weights, ZeRO and FSDP) of one optimiser step among layout.data x layout.context replicas, under
/// accumulation of layout.micro_batches as layout.gradient_sync says. Which collectives these are: models/README.md,
/// "Collectives". Throws ContractError for sizes below zero, no buckets and a fraction outside [0, 1].
GradientExchange gradient_exchange(const ExchangeVolume& volume, const Layout& layout, const Interconnect& net,
                                   const OverlapWindow& window);

/// Seconds of `exchange` that stick out of `window` seconds of computing. With a fraction f:
/// max((1 - f) x exchange, exchange - window). Without: (exchange^q + window^q)^(1/q) - window with q = 1.62 (90 %
/// interval 1.42 to 1.85), fitted on published throughputs of sharded training: links and kernels disturb each other,
/// the first gather and the last scatter have nothing to hide behind.
double exposed_seconds(double exchange, double window, std::optional<double> fraction = {});

/// Bytes of gradients that a GPU keeps between micro-batches: whole under GradientSync::once and wherever gradients
/// are not sharded, else the share of one rank (of a node's ranks with HSDP).
double kept_gradient_bytes(const ExchangeVolume& volume, const Layout& layout, const Interconnect& net);

/// Replicas that hold the same weights, and those of routed experts; tensor ranks are the nearest neighbours, then
/// (expert, ) context and data.
Group replica_group(const Layout& layout, const Links& links);
Group expert_replica_group(const Layout& layout, const Links& links);

}  // namespace fleetcast::models
