#pragma once
// All that the step time of a transformer depends on.
#include <optional>

#include "models/hardware.hpp"
#include "models/layout.hpp"
#include "models/links.hpp"
#include "models/transformer.hpp"

namespace fleetcast::models {

/// Kind of training software, as far as measurements tell kinds apart: vendor-tuned (Megatron, NeMo, Transformer Engine
/// recipes), ordinary PyTorch (FSDP, DeepSpeed), JAX, and Megatron before fused attention (2021-2022).
enum class Stack { tuned, pytorch, jax, early };

struct Software {
  Stack stack = Stack::tuned;
  double year = 2050;  ///< when the code was current, with the month as a fraction; the newest calibrated is the latest
  bool known = true;   ///< else `stack` says nothing
};

/// LoRA trains adapters: the weights need no gradient. Packed samples see only their own tokens.
enum class TrainingTask { pretrain, finetune, lora };

struct StepQuestion {
  TransformerShape shape;
  GpuSpec gpu;
  Links links;
  Precision precision = Precision::bf16;
  Layout layout;
  double sequence_length = 4096;
  Software software;
  TrainingTask task = TrainingTask::pretrain;
  bool packed = false;             ///< short samples packed into sequences: a fifth of the attention
  double recomputed_share = -1.0;  ///< of the layers, [0, 1]; below 0: as layout.recompute says
  bool fused_attention = true;     ///< scores never reach memory
  std::optional<double> overlap;   ///< part of the gradient traffic that can hide, [0, 1]; nothing: calibrated
  double imbalance = 1.1;          ///< busiest expert to mean, at least 1; measured tables force 1
};

}  // namespace fleetcast::models
