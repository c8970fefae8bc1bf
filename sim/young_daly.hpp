#pragma once
// The closed forms of checkpointing.
namespace fleetcast::sim {

/// Work time between saves that minimises the expected run time, s: Daly's higher-order form (Future Generation
/// Computer Systems 22, 2006, eq. 37): sqrt(2 delta M) (1 + sqrt(delta / 2M) / 3 + delta / 18M) - delta, and M if
/// delta >= 2M. To first order it is Young's sqrt(2 delta M). save_s = delta >= 0, mean_between_stops_s = M > 0.
double optimal_interval_s(double save_s, double mean_between_stops_s);

/// Expected wall time of `segments` stretches of `segment_s` each (work and its save), every stop throwing the gang
/// back to the start of its stretch: segments (exp(rate segment) - 1) (1 / rate + restart). Exact for exponential
/// stops with rate > 0 per second while running and a mean restart that does not depend on the past; stops during
/// the restart belong into `restart_s` (see restart_with_losses_s).
double expected_run_s(double segments, double segment_s, double rate, double restart_s);

/// Mean time of a restart of which the last part, start_up_s, is thrown back to the beginning by losses at `rate`:
/// exp(rate start_up) (before) + (exp(rate start_up) - 1) / rate. Failures during the restart are included.
double restart_with_losses_s(double before_s, double start_up_s, double rate);

}  // namespace fleetcast::sim
