#pragma once
// What a published run says of its layout and software in a few words.
#include <optional>
#include <string>

#include "models/step_question.hpp"

namespace fleetcast::analysis {

/// An empty value is not said. Degrees are at least 1.
struct StatedLayout {
  std::optional<int> tensor, pipeline, context, expert, data;
  std::optional<models::Sharding> sharding;
  std::optional<models::Recompute> recompute;
  std::optional<double> recomputed_share;  ///< of the layers' work, where only a part of each is repeated
  bool interleaved = false;                ///< chunks, or a schedule that does as well: zero bubble, DualPipe
  bool both_ways = false;                  ///< DualPipe: micro-batches from both ends of the pipeline at once

  /// A tensor or pipeline degree above 1.
  [[nodiscard]] bool divides_layers() const { return tensor.value_or(1) > 1 || pipeline.value_or(1) > 1; }
};

/// "TP8 PP16 CP1 DP128 FSDP", "ZeRO-1, activation checkpointing every layer". A text that names one degree, or the
/// sharding alone, means 1 for the other degrees; "TP PP DP" without figures leaves them open.
StatedLayout parse_parallelism(const std::string& text);

/// When the code of a run was current: half a year before publication, the month of the first arXiv number in `text`,
/// else the middle of `year`.
double code_date(const std::string& text, double year);

/// `text`: all words about the run. Megatron, NeMo, GPT-NeoX, or a tensor or pipeline degree: early before 2023, tuned
/// later; DeepSpeed's ZeRO: early, ordinary later; FSDP, DDP, PyTorch: ordinary; nothing said: early before 2023,
/// unknown later.
models::Software run_software(const std::string& text, const StatedLayout& layout, double date);

}  // namespace fleetcast::analysis
