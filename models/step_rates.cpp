#include "models/step_rates.hpp"

namespace fleetcast::models::step {

namespace {

constexpr double flash2_year = 2024.2;

/// Clocks above those of the ceiling's GPU.
double clock_factor(const Workpiece& work, const P& p) {
  return work.is_gb300 ? p.gb300 : work.is_b300 ? p.b300 : 1.0;
}

double rate8(const Workpiece& work, const P& p) {
  return work.rates.matmul8 * clock_factor(work, p) *
         by_generation(work, p.matmul_ampere, p.matmul8_hopper, p.matmul8_blackwell);
}

/// Large products in the format of the layers.
double format_rate(const Workpiece& work, const P& p) {
  switch (bits_of(work.precision)) {
    case 8:
      return rate8(work, p);
    case 4:
      return work.rates.matmul4 * p.matmul4_blackwell;
    default:
      return wide_rate(work, p);
  }
}

/// Measured ceiling of what low formats leave alone.
double wide_ceiling(const Workpiece& work, const P& p) {
  return bits_of(work.precision) == 32 ? work.rates.matmul32 : work.rates.matmul16 * clock_factor(work, p);
}

/// Small matrices do not fill the GPU; the faster the format, the larger they must be.
double filled(double side, double half, const Workpiece& work) {
  return side / (side + half * 16.0 / bits_of(work.precision));
}

}  // namespace

bool is_fp4(const Workpiece& work) {
  return bits_of(work.precision) == 4;
}

bool is_low(const Workpiece& work) {
  return bits_of(work.precision) < 16;
}

double by_generation(const Workpiece& work, double ampere, double hopper, double blackwell) {
  if (work.generation == Generation::blackwell) return blackwell;
  return work.generation == Generation::hopper ? hopper : ampere;
}

double wide_rate(const Workpiece& work, const P& p) {
  const bool single = bits_of(work.precision) == 32;
  return wide_ceiling(work, p) *
         (single ? p.matmul_ampere : by_generation(work, p.matmul_ampere, p.matmul_hopper, p.matmul_blackwell));
}

double layer_rate(const Workpiece& work, const P& p) {
  return format_rate(work, p) * filled(work.layer_slice, p.matmul_half, work);
}

/// Routed experts gain nothing from FP4 over FP8 in any measured row.
double routed_rate(const Workpiece& work, const P& p) {
  return (is_fp4(work) ? rate8(work, p) : format_rate(work, p)) * p.routed *
         filled(work.expert_slice, p.routed_half, work);
}

double attention_rate(const Workpiece& work, const P& p) {
  double share = by_generation(work, p.attention_ampere, p.attention_hopper, p.attention_blackwell);
  const bool first_flash = work.stack == Stack::pytorch || (work.stack == Stack::early && work.fused_attention);
  if (first_flash && work.year < flash2_year)
    share *= by_generation(work, p.first_flash_ampere, p.first_flash_hopper, 1.0);
  return wide_ceiling(work, p) * share * work.head_width / (work.head_width + p.softmax_width);
}

}  // namespace fleetcast::models::step
