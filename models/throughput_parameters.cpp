#include "models/throughput_parameters.hpp"

#include <array>

namespace fleetcast::models {

namespace {

using P = ThroughputParameters;

constexpr std::string_view share = "of the measured matrix-product ceiling";

constexpr std::array list{
    ParameterInfo{"matmul_ampere", &P::matmul_ampere, 0.85, 0.12, true, share, "16-bit products on Ampere"},
    ParameterInfo{"matmul_hopper", &P::matmul_hopper, 0.85, 0.12, true, share, "16-bit products on Hopper"},
    ParameterInfo{"matmul_blackwell", &P::matmul_blackwell, 0.85, 0.12, true, share, "16-bit products on Blackwell"},
    ParameterInfo{"matmul8_hopper", &P::matmul8_hopper, 0.90, 0.25, true, share, "FP8 products on Hopper"},
    ParameterInfo{"matmul8_blackwell", &P::matmul8_blackwell, 0.85, 0.25, true, share, "FP8 products on Blackwell"},
    ParameterInfo{"matmul4_blackwell", &P::matmul4_blackwell, 0.85, 0.15, true, "of twice the FP8 ceiling",
                  "FP4 products on Blackwell"},
    ParameterInfo{"gb300", &P::gb300, 1.17, 0.08, true, "factor", "GB300 over GB200: clocks and power"},
    ParameterInfo{"b300", &P::b300, 1.10, 0.08, true, "factor", "B300 over B200: clocks and power"},
    ParameterInfo{"routed", &P::routed, 0.90, 0, true, "factor", "grouped products of routed experts, 16 bit"},
    ParameterInfo{"routed_half", &P::routed_half, 300, 0.8, true, "matrix side",
                  "side of an expert's matrices at which 16-bit grouped products reach half their rate"},
    ParameterInfo{"matmul_half", &P::matmul_half, 300, 0.8, true, "matrix side",
                  "side of a layer's matrices at which 16-bit products reach half their rate"},
    ParameterInfo{"immature", &P::immature, 0.1, 0.1, false, "log factor",
                  "software at the launch of a GPU generation, halving every year"},
    ParameterInfo{"attention_ampere", &P::attention_ampere, 0.60, 0.25, true, share, "fused attention on Ampere"},
    ParameterInfo{"attention_hopper", &P::attention_hopper, 0.65, 0.25, true, share, "fused attention on Hopper"},
    ParameterInfo{"attention_blackwell", &P::attention_blackwell, 0.60, 0.25, true, share,
                  "fused attention on Blackwell"},
    ParameterInfo{"first_flash_hopper", &P::first_flash_hopper, 0.60, 0.30, true, "factor",
                  "first flash attention (before 2024) on Hopper"},
    ParameterInfo{"first_flash_ampere", &P::first_flash_ampere, 0.80, 0.25, true, "factor",
                  "first flash attention (before 2024) on Ampere"},
    ParameterInfo{"softmax_width", &P::softmax_width, 40, 0.5, true, "head widths", "softmax beside the products"},
    ParameterInfo{"passes", &P::passes, 1.0, 0.4, true, "passes", "memory-bound work, fused kernels"},
    ParameterInfo{"passes_unfused", &P::passes_unfused, 1.5, 0.4, true, "passes",
                  "memory-bound work, ordinary PyTorch before 2024 and early Megatron"},
    ParameterInfo{"casts8", &P::casts8, 1.0, 0.6, true, "passes", "casts and scaling of FP8"},
    ParameterInfo{"casts_mx", &P::casts_mx, 1.5, 0.6, true, "passes", "casts and scaling of MXFP8"},
    ParameterInfo{"casts4", &P::casts4, 2.0, 0.4, true, "passes", "casts, scaling and rotation of FP4"},
    ParameterInfo{"weight_bytes", &P::weight_bytes, 8, 0, true, "bytes per weight and micro-batch",
                  "weights read, gradients read and written"},
    ParameterInfo{"score_passes", &P::score_passes, 7, 0, true, "passes over the scores",
                  "attention that is not fused, tuned software"},
    ParameterInfo{"score_passes_early", &P::score_passes_early, 20, 0.5, true, "passes over the scores",
                  "attention that is not fused, early Megatron"},
    ParameterInfo{"scan_passes", &P::scan_passes, 6, 0.8, true, "passes", "state-space blocks"},
    ParameterInfo{"permute_passes", &P::permute_passes, 30, 1.0, true, "passes", "routing and permuting tokens"},
    ParameterInfo{"routed_passes", &P::routed_passes, 1.2, 0, true, "passes", "memory-bound work of routed experts"},
    ParameterInfo{"launch_tuned", &P::launch_tuned, 0.6e-3, 0, true, "s per layer and micro-batch",
                  "launch floor of tuned software"},
    ParameterInfo{"launch_pytorch", &P::launch_pytorch, 0.75e-3, 0, true, "s per layer and micro-batch",
                  "launch floor of PyTorch"},
    ParameterInfo{"launch_early", &P::launch_early, 2e-3, 0.6, true, "s per layer and micro-batch",
                  "launch floor of early Megatron"},
    ParameterInfo{"launch_low", &P::launch_low, 1.5, 0, true, "factor",
                  "launches of FP8 and FP4: casts, scales and transposes are kernels of their own"},
    ParameterInfo{"launch_norm", &P::launch_norm, 2.5, 0.3, true, "exponent",
                  "p-norm of launch floor and the GPU's own time"},
    ParameterInfo{"launch_experts", &P::launch_experts, 4e-3, 0.8, true, "s per layer and micro-batch",
                  "launch floor of a layer with 8 experts on the GPU"},
    ParameterInfo{"launch_experts_power", &P::launch_experts_power, 0.3, 0.3, false, "exponent",
                  "growth of that floor with the experts on the GPU"},
    ParameterInfo{"tensor_exposed", &P::tensor_exposed, 0.5, 0.6, true, "of ideal traffic",
                  "tensor-parallel all-reduce that is not hidden"},
    ParameterInfo{"context_exposed", &P::context_exposed, 0.4, 0, true, "factor",
                  "smaller attention kernels under context parallelism"},
    ParameterInfo{"expert_exposed", &P::expert_exposed, 0.7, 0.6, true, "of ideal traffic",
                  "all-to-all of experts that is not hidden"},
    ParameterInfo{"pipeline_exposed", &P::pipeline_exposed, 0.25, 0, true, "of ideal traffic",
                  "point-to-point between pipeline stages that is not hidden"},
    ParameterInfo{"hop_early", &P::hop_early, 20e-6, 0.5, true, "s",
                  "latency of a tensor-parallel hop, early Megatron"},
    ParameterInfo{"overlap_norm", &P::overlap_norm, 2.0, 0.3, true, "exponent",
                  "p-norm of a micro-batch and the sharding traffic beside it"},
    ParameterInfo{"ring_hop", &P::ring_hop, 10e-6, 0, true, "s per node of a ring and collective",
                  "latency of collectives across nodes, one a layer"},
    ParameterInfo{"step_constant", &P::step_constant, 30e-3, 0.7, true, "s",
                  "once a step: loader, optimiser launch, norms"},
    ParameterInfo{"scaling_loss", &P::scaling_loss, 0.0015, 0, true, "per doubling of nodes",
                  "waiting for the slowest, part of the step"},
    ParameterInfo{"layer_jitter", &P::layer_jitter, 12e-6, 0, true, "s per layer, micro-batch and doubling of nodes",
                  "waiting for the slowest, per collective"},
    ParameterInfo{"yearly_gain", &P::yearly_gain, 0.03, 0.03, false, "per year", "tuned software gets faster"},
    ParameterInfo{"jax", &P::jax, 0.0, 0.1, false, "log factor", "JAX against tuned software"},
    ParameterInfo{"permute_gain_2026", &P::permute_gain_2026, 0.3, 0.3, false, "log factor",
                  "fused permutation and graph capture of experts from mid-2026 on Blackwell"},
};

}  // namespace

std::span<const ParameterInfo> parameter_list() {
  return list;
}

}  // namespace fleetcast::models
