#pragma once
// A recorded trace of spot capacity, on the grid of its sampling interval.
#include <string>
#include <vector>

#include "analysis/market/capacity_series.hpp"

namespace fleetcast::analysis {

/// Held: machines that were kept; probe: launches that were tried and given back, which says nothing about the life of
/// a kept machine.
enum class TraceKind { held, probe, not_stated };
std::string name_of(TraceKind kind);

struct MarketTrace {
  std::string path, file;                               ///< as given, and without its folder
  std::string provider, zone, instance, source, start;  ///< as its head says; may be empty
  TraceKind kind = TraceKind::not_stated;
  double start_utc_h = 0.0;  ///< hour of the day of the first sample; 0 where no calendar is stated
  bool has_calendar = false;
  CapacitySeries series;
  std::vector<std::string> notes;  ///< what is odd about it
};

/// Reads a file in the form of `scenarios::read_recording` with a column `capacity`. The grid is the stated interval,
/// 60 s where none is stated, in multiples of at least 90 s. Throws InputError, also where capacity never exceeds 0 and
/// no `max_capacity` is stated, and for less than 48 samples.
MarketTrace read_market_trace(const std::string& path);

/// Traces that may forecast each other: of one provider, machine, size and day of start.
std::string group_of(const MarketTrace& trace);
/// "us-east-1" of "us-east-1c", "us-central1" of "us-central1-b".
std::string region_of(const std::string& zone);

/// Why the halves of a series cannot be fitted and judged: shorter than 5 days, or fewer than 8 changes in one of
/// them. "" if they can.
std::string why_too_little(const CapacitySeries& series);

}  // namespace fleetcast::analysis
