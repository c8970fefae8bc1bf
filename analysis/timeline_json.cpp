#include "analysis/timeline_json.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "analysis/timeline_tracks.hpp"
#include "analysis/version.hpp"
#include "models/errors.hpp"

namespace fleetcast::analysis {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t piece_bytes = std::size_t{1} << 20;

/// As a JSON string; bytes that are not UTF-8 become the replacement character.
std::string quoted(const std::string& text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string hexadecimal(std::uint64_t value) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
  return text;
}

/// Collects events into pieces of a sensible size.
class Writer {
 public:
  explicit Writer(const TextSink& sink) : sink_{sink} {}

  void raw(std::string_view text) {
    text_ += text;
    if (text_.size() >= piece_bytes) flush();
  }
  void flush() {
    sink_(text_);
    text_.clear();
  }
  void event(const std::string& text) {
    raw(first_ ? "\n" : ",\n");
    first_ = false;
    raw(text);
  }

 private:
  const TextSink& sink_;
  std::string text_;
  bool first_ = true;
};

std::string place(std::uint32_t process, std::uint32_t thread) {
  return "\"pid\":" + std::to_string(process) + ",\"tid\":" + std::to_string(thread);
}

void name_thing(Writer& writer, const char* what, std::uint32_t process, std::uint32_t thread, const std::string& name,
                std::uint32_t order) {
  const std::string begin = "{\"ph\":\"M\"," + place(process, thread) + ",\"name\":\"" + what;
  writer.event(begin + "_name\",\"args\":{\"name\":" + quoted(name) + "}}");
  writer.event(begin + "_sort_index\",\"args\":{\"sort_index\":" + std::to_string(order) + "}}");
}

void name_processes(Writer& writer, const sim::Plan& plan) {
  name_thing(writer, "process", job_process, 0, "job: " + plan.name, 0);
  for (std::uint32_t pool = 0; pool < plan.pools.size(); ++pool) {
    name_thing(writer, "process", job_process + 1 + pool, 0, "pool: " + plan.pools[pool].name, 1 + pool);
  }
}

void write_event(Writer& writer, const TraceTrack& track, const TraceEvent& event) {
  std::string text = "{\"ph\":\"";
  text += event.phase;
  text += "\"," + place(track.process, track.thread) + ",\"ts\":" + std::to_string(event.at_us);
  if (event.phase == 'X') text += ",\"dur\":" + std::to_string(event.length_us);
  if (event.phase == 'i') text += track.process == job_process ? ",\"s\":\"p\"" : ",\"s\":\"t\"";
  if (event.phase == 'b' || event.phase == 'e') text += ",\"id\":\"" + hexadecimal(event.id) + "\"";
  if (!event.category.empty()) text += ",\"cat\":\"" + event.category + "\"";
  text += ",\"name\":" + quoted(event.name);
  if (!event.arguments.empty()) text += ",\"args\":" + event.arguments;
  writer.event(text + "}");
}

void write_track(Writer& writer, const TraceTrack& track) {
  name_thing(writer, "thread", track.process, track.thread, track.name, track.thread);
  for (const TraceEvent& event : track.events) write_event(writer, track, event);
}

Json accounts_of(const sim::Outcome& outcome) {
  Json accounts = Json::object();
  for (std::size_t i = 0; i < sim::account_count; ++i) {
    accounts[std::string{sim::account_names[i]}] = outcome.account_gpu_s[i];
  }
  return accounts;
}

/// What the file is of. No clock: the same trial gives the same file.
std::string head_of(const Timeline& timeline, const sim::Plan& plan, const TimelineSource& source,
                    const sim::Outcome& outcome) {
  const bool has_window = timeline.options.from < timeline.options.to;
  const Json window = has_window ? Json{timeline.options.from.seconds(), timeline.options.to.seconds()} : Json{};
  const Json head = {{"program", "fleetcast " + program_version() + " " + program_commit()},
                     {"scenario", source.scenario},
                     {"strategy", plan.name},
                     {"seed", source.seed},
                     {"trial", source.trial},
                     {"grain", scenarios::name_of(plan.grain)},
                     {"window_s", window},
                     {"nodes", plan.nodes},
                     {"nodes_shown", std::min<std::int64_t>(plan.nodes, timeline.options.nodes)},
                     {"status", name_of(outcome.status)},
                     {"time_s", outcome.time_s},
                     {"cost_usd", outcome.cost_usd},
                     {"accounts_gpu_s", accounts_of(outcome)},
                     {"fingerprint", hexadecimal(outcome.fingerprint)}};
  return head.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

void write_timeline(const Timeline& timeline, const sim::Plan& plan, const TimelineSource& source,
                    const sim::Outcome& outcome, const TextSink& sink) {
  models::require(timeline.fits(), "a timeline that is not complete cannot be written");
  Writer writer{sink};
  writer.raw("{\"displayTimeUnit\":\"ms\",\"otherData\":" + head_of(timeline, plan, source, outcome) +
             ",\"traceEvents\":[");
  name_processes(writer, plan);
  const TrackSink tracks = [&writer](const TraceTrack& track) { write_track(writer, track); };
  job_tracks(timeline, plan, tracks);
  pool_tracks(timeline, plan, tracks);
  node_tracks(timeline, plan, tracks);
  writer.raw("\n]}\n");
  writer.flush();
}

}  // namespace fleetcast::analysis
