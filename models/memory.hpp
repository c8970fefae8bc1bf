#pragma once
// What a training step needs of a GPU's memory, part by part, and whether it fits. Formulas, sources and what they were
// checked with: README.md, "Memory".
#include <string>
#include <vector>

#include "models/hardware.hpp"
#include "models/layout.hpp"
#include "models/transformer.hpp"
#include "models/units.hpp"

namespace fleetcast::models {

struct MemoryQuestion {
  TransformerShape shape;
  Layout layout;
  Precision precision = Precision::bf16;
  double sequence_length = 4096;  ///< tokens, at least 1
  bool flash_attention = true;    ///< fused attention keeps no score matrix
  bool dropout = false;           ///< its masks are kept for the backward pass
  bool fine_tune_lora = false;    ///< weights are frozen, adapters of 0.6 % are trained
  double gradient_bytes = 0;      ///< a parameter; 0: 4 (accumulated in FP32) up to ZeRO-1, else that of the weights
  /// A token and word: 8 with scores and gradient in 16 bit and FP32 probabilities between them; 4 with a fused loss
  /// that works in place; next to 0 where the loss goes through the tokens in pieces.
  double logit_bytes = 8;
  double expert_imbalance = 1.2;  ///< tokens of the fullest expert rank over the mean, at least 1
  int gpus_per_node = 8;          ///< HSDP divides inside a node
};

/// Bytes of one GPU at the fullest moment of a step.
struct MemoryParts {
  double weights = 0;  ///< as the matrix products read them, with the copies of 8- and 4-bit formats
  double gradients = 0;
  double master_weights = 0;         ///< FP32, where the weights have 16 bits
  double optimizer = 0;              ///< moments
  double activations = 0;            ///< kept from forward to backward, of all micro-batches in flight
  double logits = 0;                 ///< last stage: input of the output layer, scores and their gradient
  double communication_buffers = 0;  ///< gathered layers, gradient buckets, what stages and ranks pass on
  double workspace = 0;              ///< there for a moment: a layer in its backward pass, temporaries of the update
  double runtime = 0;                ///< driver, context, libraries, communicators: 1.5 GiB + 0.25 GiB a group
  double fragmentation = 0;          ///< 5 % of all but the runtime: holes of the allocator and parts not known
  [[nodiscard]] double total() const;
};

/// "weights 16.4 GiB, gradients 32.9 GiB, ...", parts above 0.05 GiB.
std::string describe(const MemoryParts& parts);

/// Of pipeline stage 0 (with the embedding) to pipeline - 1 (with the output layer). Throws ContractError for others.
MemoryParts memory_of_stage(const MemoryQuestion& question, int stage);

struct MemoryEstimate {
  /// at_risk: total within 2 % of what is there, on either side. Estimates are no better, nor are runs alike.
  enum class Verdict { fits, at_risk, does_not_fit };
  MemoryParts parts;  ///< of the fullest stage
  int stage = 0;
  double total = 0, available = 0;  ///< bytes
  double margin = 0;                ///< share of the memory that stays free, negative if none
  Verdict verdict = Verdict::fits;
  double shortfall = 0;  ///< bytes, 0 if total is below available
  std::vector<MemoryParts> stages;
  double host_bytes = 0;  ///< in host memory, per GPU of the fullest stage: what was offloaded or paged out
};

/// `available`: the GPU's memory as its sheet gives it (what the driver keeps is part of the runtime). Paged AdamW
/// moves moments to the host as far as needed.
MemoryEstimate estimate_memory(const MemoryQuestion& question, Bytes available);
/// The same without `stages`, looking only at stages that can be the fullest: for searches.
MemoryEstimate quick_memory(const MemoryQuestion& question, Bytes available);

}  // namespace fleetcast::models
