#include "analysis/market/market_trace.hpp"

#include <algorithm>
#include <cmath>

#include "models/errors.hpp"
#include "scenarios/recording_file.hpp"

namespace fleetcast::analysis {

namespace {

constexpr double seconds_per_hour = 3600.0, hours_per_day = 24.0;
/// Collectors that ask more often than this see one event as several: their samples are thinned.
constexpr double finest_interval_s = 90.0;
/// Of recordings of events.
constexpr double default_interval_s = 60.0;
constexpr std::size_t fewest_samples = 48;

TraceKind kind_of_trace(const std::string& text) {
  if (text.starts_with("held")) return TraceKind::held;
  return text.starts_with("probe") ? TraceKind::probe : TraceKind::not_stated;
}

double grid_interval_s(const scenarios::RecordingHead& head) {
  const double stated = head.interval_s.value_or(default_interval_s);
  constexpr double rounding = 1e-9;
  return stated * std::max(1.0, std::ceil(finest_interval_s / stated - rounding));
}

[[noreturn]] void refuse(const std::string& path, const std::string& problem, const std::string& allowed) {
  throw models::InputError{{{path, 0, 0, "", problem, allowed, ""}}};
}

int nodes_of(const scenarios::RecordingFile& file, const std::string& path) {
  double most = file.head.max_capacity.value_or(0.0);
  if (!(most > 0.0))
    for (const models::RecordedChange& change : file.recording.changes) most = std::max(most, change.value);
  constexpr double most_nodes = 4096.0;
  if (!(most >= 1.0) || most > most_nodes)
    refuse(path, "the largest capacity is " + std::to_string(static_cast<int>(most)), "1 to 4096 nodes");
  return static_cast<int>(most);
}

std::vector<std::int16_t> sampled(const models::Recording& recording, double interval_s, int nodes) {
  std::vector<std::int16_t> values;
  std::size_t at = 0;
  constexpr double just_after_s = 1e-6 * seconds_per_hour;
  for (double time = 0.0; time < recording.length_s - interval_s / 2.0;
       time = interval_s * static_cast<double>(values.size())) {
    while (at + 1 < recording.changes.size() && recording.changes[at + 1].at_s <= time + just_after_s) ++at;
    values.push_back(static_cast<std::int16_t>(std::min<double>(recording.changes[at].value, nodes)));
  }
  return values;
}

std::size_t changes_of(const CapacitySeries& series) {
  std::size_t changes = 0;
  for (std::size_t i = 1; i < series.capacity.size(); ++i)
    changes += series.capacity[i] != series.capacity[i - 1] ? 1U : 0U;
  return changes;
}

}  // namespace

std::string name_of(TraceKind kind) {
  switch (kind) {
    case TraceKind::held:
      return "held";
    case TraceKind::probe:
      return "probe";
    case TraceKind::not_stated:
      break;
  }
  return "not stated";
}

MarketTrace read_market_trace(const std::string& path) {
  const scenarios::RecordingFile file =
      scenarios::read_recording(path, scenarios::capacity_form(scenarios::Gaps::unchanged));
  const scenarios::RecordingHead& head = file.head;
  const double interval_s = grid_interval_s(head);
  const int nodes = nodes_of(file, path);
  MarketTrace trace{path,
                    path.substr(path.find_last_of('/') + 1),
                    head.provider,
                    head.zone,
                    head.instance,
                    head.source,
                    head.start,
                    kind_of_trace(head.kind),
                    0.0,
                    file.recording.start_utc_s.has_value(),
                    {nodes, interval_s / seconds_per_hour, sampled(file.recording, interval_s, nodes)},
                    file.notes};
  if (trace.has_calendar) trace.start_utc_h = std::fmod(*file.recording.start_utc_s / seconds_per_hour, hours_per_day);
  if (trace.series.capacity.size() < fewest_samples)
    refuse(path, "it has " + std::to_string(trace.series.capacity.size()) + " samples",
           "at least " + std::to_string(fewest_samples) + " to fit a market");
  return trace;
}

std::string group_of(const MarketTrace& trace) {
  constexpr std::size_t letters_of_a_date = 10;
  return trace.provider + " " + trace.instance.substr(0, trace.instance.find(',')) + " x" +
         std::to_string(trace.series.nodes) + ", " + trace.start.substr(0, letters_of_a_date) + ", " +
         name_of(trace.kind);
}

std::string region_of(const std::string& zone) {
  if (zone.size() < 2 || zone.back() < 'a' || zone.back() > 'z') return zone;
  const char before = zone[zone.size() - 2];
  if (before == '-') return zone.substr(0, zone.size() - 2);
  return before >= '0' && before <= '9' ? zone.substr(0, zone.size() - 1) : zone;
}

std::string why_too_little(const CapacitySeries& series) {
  constexpr double fewest_days = 5.0;
  constexpr std::size_t fewest_changes = 8;
  if (series.hours() < fewest_days * hours_per_day) return "shorter than 5 days";
  const std::size_t fewer = std::min(changes_of(first_half(series)), changes_of(later_half(series)));
  return fewer < fewest_changes ? "fewer than 8 changes in one half" : "";
}

}  // namespace fleetcast::analysis
