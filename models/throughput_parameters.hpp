#pragma once
// The fitted constants of the step model, each with a prior from data sheets and measured kernels.
#include <span>
#include <string_view>

namespace fleetcast::models {

struct ThroughputParameters {
  // Share of the measured matrix-product ceiling that the layers' products reach.
  double matmul_ampere = 0.85, matmul_hopper = 0.85, matmul_blackwell = 0.85;
  double matmul8_hopper = 0.90, matmul8_blackwell = 0.85, matmul4_blackwell = 0.85;
  double gb300 = 1.17, b300 = 1.10;
  double routed = 0.90, routed_half = 300.0;
  double matmul_half = 300.0;
  double immature = 0.1;
  // Attention: share of the 16-bit ceiling, and the softmax as if heads were wider.
  double attention_ampere = 0.60, attention_hopper = 0.65, attention_blackwell = 0.60;
  double first_flash_hopper = 0.60, first_flash_ampere = 0.80;
  double softmax_width = 40.0;
  // Memory-bound work: passes over all inputs and outputs of matrix products.
  double passes = 1.0, passes_unfused = 1.5;
  double casts8 = 1.0, casts_mx = 1.5, casts4 = 2.0;
  double weight_bytes = 8.0;
  double score_passes = 6.0, score_passes_early = 20.0;
  double scan_passes = 6.0;
  double permute_passes = 30.0, routed_passes = 1.2;
  // Launch floor per layer and micro-batch, seconds, and how it joins the GPU's own time.
  double launch_tuned = 0.6e-3, launch_pytorch = 0.8e-3, launch_early = 2e-3;
  double launch_low = 1.5;
  double launch_norm = 2.5;
  double launch_experts = 4e-3, launch_experts_power = 0.3;
  // Communication: traffic in multiples of the ideal that is not hidden.
  double tensor_exposed = 0.5, context_exposed = 0.4, expert_exposed = 0.7, pipeline_exposed = 0.25;
  double hop_early = 20e-6;
  double overlap_norm = 2.0;
  double ring_hop = 10e-6;
  // Once per step.
  double step_constant = 30e-3;
  double scaling_loss = 0.004, layer_jitter = 5e-6;
  // Software.
  double yearly_gain = 0.03;
  double jax = 0.0;
  double permute_gain_2026 = 0.3;
};

/// How a constant is fitted.
struct ParameterInfo {
  std::string_view name;
  double ThroughputParameters::*value;
  double prior;      ///< prior median
  double spread;     ///< prior sd, of the logarithm if `logarithmic`; 0: not fitted
  bool logarithmic;  ///< positive by nature
  std::string_view unit;
  std::string_view about;
};

/// All of them, in the order of the struct.
std::span<const ParameterInfo> parameter_list();

}  // namespace fleetcast::models
