#pragma once
// Rates that the parts of a step run at. Used by the step model alone.
#include "models/throughput_parameters.hpp"
#include "models/workpiece.hpp"

namespace fleetcast::models::step {

using P = ThroughputParameters;

constexpr double usable_memory_rate = 0.85;  ///< of the data sheet's, large streams

bool is_fp4(const Workpiece& work);
/// Eight bits or fewer.
bool is_low(const Workpiece& work);
/// FLOP/s of products that low formats leave alone, such as the output layer's: in 16 bits, or in 32 where all is.
double wide_rate(const Workpiece& work, const P& p);
/// FLOP/s of the layers' products, of routed experts' and of attention.
double layer_rate(const Workpiece& work, const P& p);
double routed_rate(const Workpiece& work, const P& p);
double attention_rate(const Workpiece& work, const P& p);
double by_generation(const Workpiece& work, double ampere, double hopper, double blackwell);

}  // namespace fleetcast::models::step
