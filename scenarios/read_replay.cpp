// Recorded capacity: a pool whose nodes come and go as a trace says.
#include "models/errors.hpp"
#include "scenarios/data_files.hpp"
#include "scenarios/read_pool.hpp"

namespace fleetcast::scenarios {
namespace {

constexpr double hours = models::seconds_per_hour;

void refuse_what_it_replaces(const Object& object, const Pool& pool) {
  for (const std::string_view name :
       {"lifetime", "bulk", "wait", "capacity", "availability", "coupling", "daily", "early_lifetime", "regimes"}) {
    if (const auto field = object.find(name)) {
      field->fault({"a recording is replayed: it says when nodes come and go",
                    "no " + std::string{name} + " beside replay (null in a patch)", ""});
    }
  }
  if (pool.market != Market::spot)
    object.find("replay")->fault({"a recording is replayed, but only spot nodes are reclaimed", "market \"spot\"", ""});
}

Gaps read_gaps(const Object& replay) {
  const std::vector<Choice<Gaps>> choices{{"unchanged", Gaps::unchanged}, {"down", Gaps::down}};
  const auto field = replay.find("gaps");
  return field ? read_choice(*field, choices).value_or(Gaps::unchanged) : Gaps::unchanged;
}

void read_window(const Object& replay, Replay& result) {
  const auto field = replay.find("window");
  if (!field || (field->is_text() && field->node().text == "random")) return;
  const std::optional<double> start = read_time(*field, Zero::allowed);
  if (!start) return;
  result.window = Seconds{*start};
  if (result.recording && *start >= result.recording->length_s) {
    field->fault({"the window starts after the recording ends",
                  "\"random\", or a time below " + format_rounded(result.recording->length_s / hours, 4) + " h", ""});
  }
}

void read_end(const Object& replay, Context& context, Replay& result) {
  const std::vector<Choice<Replay::AtEnd>> choices{
      {"repeat", Replay::AtEnd::repeat}, {"stop", Replay::AtEnd::stop}, {"hold", Replay::AtEnd::hold}};
  if (const auto field = replay.find("at_end")) {
    result.at_end = read_choice(*field, choices).value_or(Replay::AtEnd::repeat);
  } else {
    context.assume_default(replay.pointer("at_end"), "repeat");
  }
}

/// "4 nodes 79.0 % of 17.8 d, lost 113 times"
std::string in_short(const models::Recording& recording, int nodes) {
  return std::to_string(nodes) + " nodes " + format_fixed(100.0 * models::share_at_least(recording, nodes), 1) +
         " % of " + format_rounded(recording.length_s / 86400.0, 3) + " d, fewer after " +
         std::to_string(models::falls_below(recording, nodes)) + " falls";
}

void read_recording(const Object& replay, Context& context, Pool& pool) {
  const auto file = replay.need("file", "the name of a file with the columns time_s and capacity");
  const std::optional<std::string> name = file ? read_text(*file, "the name of a file") : std::nullopt;
  if (!name) return;
  try {
    const DataFiles::Recorded read = context.report().files().recording(*name, capacity_form(read_gaps(replay)));
    pool.replay->recording = read.recording;
    for (const std::string& note : read.notes) context.warn("recording " + in_quotes(*name) + ": " + note);
    context.assume({replay.pointer("file"), in_short(*read.recording, pool.nodes), models::Grade::measured, *name});
  } catch (const models::InputError& error) {
    file->fault(data_problem(error.faults().front()));
  }
}

}  // namespace

void read_replay(const Object& object, Context& context, Pool& pool) {
  const Object replay{*object.find("replay"), known::replay};
  pool.replay.emplace();
  refuse_what_it_replaces(object, pool);
  read_recording(replay, context, pool);
  read_window(replay, *pool.replay);
  read_end(replay, context, *pool.replay);
}

}  // namespace fleetcast::scenarios
