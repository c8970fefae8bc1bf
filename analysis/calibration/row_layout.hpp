#pragma once
// The layout of a measured row: what it says, and usual values where it is silent.
#include <optional>
#include <string_view>

#include "analysis/calibration/csv_table.hpp"
#include "models/step_question.hpp"

namespace fleetcast::analysis {

/// "float8" is FP8, "fp8-mx" MXFP8; unknown names are nothing.
std::optional<models::Precision> precision_in(std::string_view name);

/// Attention with learned sinks (GPT-OSS) had no fused kernel in tuned software before spring 2026; early Megatron had
/// none at all.
bool has_fused_attention(const models::StepQuestion& question);

/// Fills question.layout and question.recomputed_share. Where the row is silent: micro-batch 1 for large models, long
/// sequences and pipelines, else 8,192 tokens (65,536 below 1B); batch of 4 micro-batches, 8 per pipeline stage; 5
/// virtual stages in tuned pipelines; experts over up to 64 GPUs under FSDP; PyTorch recomputes where activations and
/// states exceed 92 % of the memory, tuned FSDP recipes the part that does not fit.
void fill_layout(const CsvLine& line, models::StepQuestion& question);

}  // namespace fleetcast::analysis
