#pragma once
// The layout that a published run is taken to have used.
#include <optional>

#include "analysis/calibration/published_runs_rows.hpp"
#include "models/throughput_calibration.hpp"

namespace fleetcast::analysis {

/// Sequences of a step near tokens / sequence length. Batches are published rounded; real ones are multiples of large
/// powers of two and divide over the GPUs. The multiple of the GPUs' odd part, of `data` and of the largest power of
/// two that is within 5 %; else the nearest multiple of `data` (at least one). GPUs
/// and `data` below 1 count as 1.
double sequences_of_step(double step_tokens, double sequence_length, double gpus, int data);

/// The run's question with the fastest layout that fits in memory and has all that the run states; with gradients in
/// 16 bit and a fused loss if nothing else fits. Nothing if no layout divides the GPUs and the batch.
std::optional<models::StepQuestion> with_layout(const PublishedRun& run,
                                                const models::ThroughputCalibration& calibration);

}  // namespace fleetcast::analysis
