#pragma once
// Weights, gradients and optimiser state of a pipeline stage, and the buffers that sharding them needs.
#include "models/memory.hpp"

namespace fleetcast::models {

/// Parameters of one GPU before data-parallel sharding: after tensor, pipeline and expert parallelism.
struct StageParameters {
  double dense = 0;         ///< all but routed experts; embedding and output layer where the stage has them
  double experts = 0;       ///< routed ones
  double quantised = 0;     ///< of both, those in matrix products of 8 or 4 bits: no embedding, no output layer
  double largest_unit = 0;  ///< of a layer, or of the embedding: what sharded weights are gathered by
};

/// Layers of a stage. Where they do not divide, the first and the last stage have one less (if that makes it even) or
/// those after the first one more.
double layers_of_stage(const TransformerShape& shape, int pipeline, int stage);
StageParameters stage_parameters(const MemoryQuestion& question, int stage);

/// Bytes of an activation or a weight in memory: 4 in FP32 and TF32, else 2.
double element_bytes(Precision precision);

struct StateBytes {
  double weights = 0, gradients = 0, master_weights = 0, optimizer = 0;  ///< on the GPU
  double communication_buffers = 0;
  double update = 0;  ///< temporaries of the optimiser's step
  double host = 0;
};
StateBytes state_bytes(const MemoryQuestion& question, int stage);

}  // namespace fleetcast::models
