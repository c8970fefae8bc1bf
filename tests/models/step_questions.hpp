#pragma once
// Questions to the step model with round figures.
#include "models/step_question.hpp"

namespace fleetcast::models::test {

inline GpuSpec h100() {
  GpuSpec gpu;
  gpu.id = "H100";
  gpu.generation = Generation::hopper;
  for (const Precision p : {Precision::bf16, Precision::fp16}) gpu.peaks.push_back({p, FlopsPerSecond{1000e12}});
  for (const Precision p : {Precision::fp8, Precision::mxfp8}) gpu.peaks.push_back({p, FlopsPerSecond{2000e12}});
  gpu.peaks.push_back({Precision::tf32, FlopsPerSecond{500e12}});
  gpu.ceilings = {{Precision::bf16, FlopsPerSecond{800e12}}, {Precision::fp8, FlopsPerSecond{1400e12}}};
  gpu.memory = Bytes{80.0 * (1 << 30)};
  gpu.memory_rate = BytesPerSecond{3.35e12};
  gpu.nvlink = BytesPerSecond{900e9};
  return gpu;
}

inline TransformerShape shape(std::int64_t layers, std::int64_t hidden) {
  TransformerShape made;
  made.layers = layers;
  made.hidden = hidden;
  made.heads = hidden / 128;
  made.kv_heads = made.heads;
  made.ffn = 4 * hidden;
  made.vocab = 32000;
  made.gated = false;
  return made;
}

/// A 7B model on 64 H100 of tuned software: tensor 2, pipeline 2, data 16, four micro-batches.
inline StepQuestion question() {
  StepQuestion asked;
  asked.shape = shape(32, 4096);
  asked.gpu = h100();
  asked.links = {8, 8, 450e9, 50e9};
  asked.layout.tensor = 2;
  asked.layout.pipeline = 2;
  asked.layout.data = 16;
  asked.layout.micro_batches = 4;
  asked.sequence_length = 4096;
  asked.software = {Stack::tuned, 2025.5};
  asked.imbalance = 1.0;
  return asked;
}

}  // namespace fleetcast::models::test
