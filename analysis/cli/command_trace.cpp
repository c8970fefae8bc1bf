#include "analysis/cli/command_trace.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iostream>

#include "analysis/cli/answer.hpp"
#include "analysis/cli/help.hpp"
#include "analysis/cli/output_place.hpp"
#include "analysis/cli/prepare.hpp"
#include "analysis/cli/replay.hpp"
#include "analysis/disk.hpp"
#include "analysis/format.hpp"
#include "analysis/timeline_json.hpp"
#include "analysis/timeline_recorder.hpp"
#include "analysis/uncertain_plans.hpp"
#include "sim/trial.hpp"

namespace fleetcast::cli {
namespace {

/// Viewers in a browser read about as much; a larger file is rather a mistake in the window.
constexpr std::uint64_t most_bytes = std::uint64_t{256} << 20;

/// A bad place is known before any work.
void check_out(const TraceOptions& options) {
  if (!options.out) {
    if (inspect_terminal().shows_answer)
      refuse("standard output is a terminal", "--out FILE, or a pipe or file behind >");
    return;
  }
  check_output_place({"--out", *options.out, options.force}, {"scenario file", options.common.scenario});
}

analysis::TimelineOptions timeline_options(const TraceOptions& options) {
  analysis::TimelineOptions result;
  result.from = sim::Time::from_seconds(options.from_s);
  result.to = sim::Time::from_seconds(options.to_s);
  if (options.nodes) result.nodes = *options.nodes;
  result.most_bytes = most_bytes;
  return result;
}

ExitCode refuse_size(const analysis::Timeline& timeline, const TraceOptions& options, const sim::Plan& plan) {
  const std::int64_t nodes = std::min<std::int64_t>(plan.nodes, timeline.options.nodes);
  std::string help;
  if (options.from_s < options.to_s) help += "a smaller --window";
  if (nodes > 0)
    help += std::string{help.empty() ? "" : ", or "} + "fewer nodes (--nodes; " + std::to_string(nodes) + " now)";
  if (help.empty()) help = "--grain span, or fewer saves";
  std::cerr << "fleetcast: the timeline would take about "
            << analysis::byte_size(static_cast<double>(timeline.estimated_bytes)) << ", more than "
            << analysis::byte_size(static_cast<double>(most_bytes)) << "; nothing was written. What helps: " << help
            << '\n';
  return ExitCode::limit;
}

/// A file that is there only when it is whole.
class WholeFile {
 public:
  explicit WholeFile(std::string path) : path_{std::move(path)}, file_{path_ + ".tmp", std::ios::binary} { check(); }
  ~WholeFile() {
    if (!published_) analysis::remove_quietly(path_ + ".tmp");
  }
  WholeFile(const WholeFile&) = delete;
  WholeFile& operator=(const WholeFile&) = delete;

  void write(std::string_view text) {
    file_.write(text.data(), static_cast<std::streamsize>(text.size()));
    check();
  }
  void publish() {
    file_.close();
    check();
    analysis::publish(path_ + ".tmp", path_);
    published_ = true;
  }

 private:
  void check() const {
    if (!file_) analysis::throw_system_error(path_, "cannot be written", errno);
  }

  std::string path_;
  std::ofstream file_;
  bool published_ = false;
};

class Tracing {
 public:
  Tracing(const Prepared& prepared, const TraceOptions& options)
      : prepared_{prepared},
        options_{options},
        plan_{analysis::plan_of_trial(prepared.file, prepared.catalog, prepared.plans.front(), options.trial)} {}

  ExitCode run() {
    const std::uint64_t seed = prepared_.file.montecarlo.seed;
    analysis::TimelineRecorder recorder{plan_, timeline_options(options_)};
    outcome_ = sim::run_trial(plan_, seed, options_.trial, recorder);
    timeline_ = recorder.take();
    if (!timeline_.fits()) return refuse_size(timeline_, options_, plan_);
    note_empty_window();
    options_.out ? write_file() : write([](std::string_view text) { write_answer(text); });
    return ExitCode::answered;
  }

 private:
  void write(const analysis::TextSink& sink) const {
    const analysis::TimelineSource source{prepared_.file.name, prepared_.file.montecarlo.seed, options_.trial};
    analysis::write_timeline(timeline_, plan_, source, outcome_, sink);
  }

  void write_file() const {
    WholeFile file{*options_.out};
    write([&file](std::string_view text) { file.write(text); });
    file.publish();
    const Replay one{options_.trial, {outcome_}};
    write_answer(options_.common.json ? replay_json(prepared_, one) : replay_text(prepared_, one));
    if (options_.common.quiet) return;
    std::cerr << "fleetcast: the timeline is in " << *options_.out
              << "; open it in https://ui.perfetto.dev or chrome://tracing\n";
  }

  void note_empty_window() const {
    if (options_.common.quiet || !(options_.from_s < options_.to_s) || options_.from_s < outcome_.time_s) return;
    std::cerr << "fleetcast: the window begins after the end of the trial, at " << analysis::duration(outcome_.time_s)
              << "\n";
  }

  const Prepared& prepared_;
  const TraceOptions& options_;
  const sim::Plan plan_;
  sim::Outcome outcome_;
  analysis::Timeline timeline_;
};

}  // namespace

ExitCode command_trace(std::span<const std::string> arguments) {
  const TraceOptions options = parse_trace_options(arguments);
  if (options.common.help) {
    write_answer(trace_help());
    return ExitCode::answered;
  }
  check_out(options);
  const Prepared prepared = prepare(options.common);
  return Tracing{prepared, options}.run();
}

}  // namespace fleetcast::cli
